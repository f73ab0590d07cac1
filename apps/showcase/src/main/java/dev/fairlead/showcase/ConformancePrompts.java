package dev.fairlead.showcase;

import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.json.Doc;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.server.Features;
import dev.fairlead.server.NoInput;

import java.util.List;

/** The prompts that the conformance suite gets. */
final class ConformancePrompts {
    private ConformancePrompts() {}

    record Arguments(@Doc("First argument") String arg1, @Doc("Second argument") String arg2) {}

    record Embedded(@Doc("URI of the resource") String resourceUri) {}

    static void declare(Features<?> features) {
        features.prompt("test_simple_prompt", "A prompt without arguments", NoInput.class)
                .handle(
                        (none, call) ->
                                GetPromptResult.of(user("This is a simple prompt for testing.")));
        features.prompt("test_prompt_with_arguments", "A prompt with arguments", Arguments.class)
                .complete("arg1", (typed, call) -> startingWith(typed.value(), "testArg1", "test1"))
                .complete("arg2", (typed, call) -> startingWith(typed.value(), "testArg2", "test2"))
                .handle(
                        (arguments, call) ->
                                GetPromptResult.of(
                                        user(
                                                "Prompt with arguments: arg1='%s', arg2='%s'"
                                                        .formatted(
                                                                arguments.arg1(),
                                                                arguments.arg2()))));
        features.prompt(
                        "test_prompt_with_embedded_resource",
                        "A prompt with a resource inside",
                        Embedded.class)
                .handle(
                        (input, call) ->
                                GetPromptResult.of(
                                        user(
                                                Content.resource(
                                                        ResourceContents.text(
                                                                input.resourceUri(),
                                                                "text/plain",
                                                                "Embedded resource content for"
                                                                        + " testing."))),
                                        user("Please process the embedded resource above.")));
        features.prompt("test_prompt_with_image", "A prompt with an image inside", NoInput.class)
                .handle(
                        (none, call) ->
                                GetPromptResult.of(
                                        user(Content.image(Fixtures.PNG, "image/png")),
                                        user("Please analyze the image above.")));
    }

    static List<String> startingWith(String typed, String... values) {
        return List.of(values).stream().filter(value -> value.startsWith(typed)).toList();
    }
}
