package dev.fairlead.showcase;

import dev.fairlead.json.Doc;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.Header;
import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The fixtures of the conformance suite for revision 2026-07-28; each serves the older ones too.
 */
final class ConformanceRounds {
    private static final String RESULT = "test_input_required_result_";
    private static final String WHO = "What is your name?";

    /** The name of the tool and of the prompt that are added and removed at once. */
    private static final String PASSING = "test_passing";

    private ConformanceRounds() {}

    record Name(String name) {}

    record Color(String color) {}

    record Ok(boolean ok) {}

    record Context(String context) {}

    record Place(@Header("Region") @Doc("Where") @Nullable String region) {}

    /**
     * Declares the fixtures.
     *
     * @param running the server, once it is built
     */
    static void declare(Features<?> features, CompletableFuture<McpServer> running) {
        features.tool(
                        "test_x_mcp_header",
                        "Has an argument that a header repeats",
                        Place.class,
                        String.class)
                .handle((place, call) -> "Region: " + place.region());
        single(features);
        several(features);
        others(features);
        changing(features, running);
        features.prompt(
                        "test_input_required_result_prompt",
                        "Asks for its context first",
                        NoInput.class)
                .handle(
                        (none, call) ->
                                GetPromptResult.of(
                                        PromptMessage.user(
                                                "Context: "
                                                        + call.ask(
                                                                        Question.elicit(
                                                                                        "Which"
                                                                                            + " context?",
                                                                                        Context
                                                                                                .class)
                                                                                .as("user_context"))
                                                                .orElseThrow()
                                                                .context())));
    }

    private static void single(Features<?> features) {
        features.tool(RESULT + "elicitation", "Asks for a name", NoInput.class, String.class)
                .handle((none, call) -> "Hello, " + name(call) + "!");
        features.tool(RESULT + "sampling", "Asks the model", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                call.ask(
                                                Question.sample(
                                                                "What is the capital of France?",
                                                                100)
                                                        .as("capital_question"))
                                        .text());
        features.tool(RESULT + "list_roots", "Asks for the roots", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                "Roots: " + call.ask(Question.roots().as("client_roots")).size());
        features.tool(RESULT + "request_state", "Asks and keeps", NoInput.class, String.class)
                .handle((none, call) -> "state-ok " + confirmed(call));
        features.tool(RESULT + "tampered_state", "Asks and keeps", NoInput.class, String.class)
                .handle((none, call) -> "confirmed " + confirmed(call));
    }

    private static String name(Call call) throws InterruptedException {
        return call.ask(Question.elicit(WHO, Name.class).as("user_name")).orElseThrow().name();
    }

    private static boolean confirmed(Call call) throws InterruptedException {
        return call.ask(Question.elicit("Please confirm", Ok.class).as("confirm"))
                .orElseThrow()
                .ok();
    }

    private static void several(Features<?> features) {
        features.tool(RESULT + "multiple_inputs", "Asks all at once", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            var name = Question.elicit(WHO, Name.class).as("user_name");
                            var greeting = Question.sample("Write a greeting", 50).as("greeting");
                            var roots = Question.roots().as("client_roots");
                            Answers answers = call.ask(name, greeting, roots);
                            return answers.to(greeting).text()
                                    + " "
                                    + answers.to(name).orElseThrow().name()
                                    + ", you have roots: "
                                    + answers.to(roots).size();
                        });
        features.tool(RESULT + "multi_round", "Asks twice", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            String name =
                                    call.ask(Question.elicit(WHO, Name.class).as("step1"))
                                            .orElseThrow()
                                            .name();
                            String color =
                                    call.ask(
                                                    Question.elicit(
                                                                    "Your favourite color, "
                                                                            + name
                                                                            + "?",
                                                                    Color.class)
                                                            .as("step2"))
                                            .orElseThrow()
                                            .color();
                            return name + " likes " + color;
                        });
        features.tool(RESULT + "capabilities", "Asks what it may", NoInput.class, String.class)
                .handle((none, call) -> "Answers: " + possible(call));
    }

    /** Asks only by the capabilities that the client has declared. */
    private static List<String> possible(Call call) throws InterruptedException {
        List<String> answers = new ArrayList<>();
        if (call.capabilities().elicitationForm()) {
            answers.add(name(call));
        }
        if (call.capabilities().sampling()) {
            answers.add(call.ask(Question.sample("Write a greeting", 50).as("greeting")).text());
        }
        if (call.capabilities().roots()) {
            answers.add("roots " + call.ask(Question.roots().as("client_roots")).size());
        }
        return answers;
    }

    private static void others(Features<?> features) {
        features.tool("test_missing_capability", "Needs a model", NoInput.class, String.class)
                .handle((none, call) -> call.sample("Anything", 10).text());
        features.tool(
                        "test_streaming_elicitation",
                        "Reports progress, then asks",
                        NoInput.class,
                        String.class)
                .handle(
                        (none, call) -> {
                            call.progress(1, 2);
                            Answer<Name> answer =
                                    call.ask(Question.elicit(WHO, Name.class).as("user_name"));
                            call.progress(2, 2);
                            return "Answer: " + answer;
                        });
        features.tool("test_logging_tool", "Logs", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            call.log(LoggingLevel.INFO, "A log message");
                            return "Logged a message.";
                        });
    }

    /**
     * Declares tools that add and remove an item at once: the list is as before, and has changed.
     */
    private static void changing(Features<?> features, CompletableFuture<McpServer> running) {
        changingTools(features, running);
        changingPrompts(features, running);
    }

    private static void changingTools(Features<?> features, CompletableFuture<McpServer> running) {
        features.tool(
                        "test_trigger_tool_change",
                        "Has the list of tools change",
                        NoInput.class,
                        String.class)
                .handle(
                        (none, call) -> {
                            running.join()
                                    .update(
                                            changes ->
                                                    changes.tool(
                                                                    PASSING,
                                                                    "Is gone at once",
                                                                    NoInput.class,
                                                                    String.class)
                                                            .handle((input, other) -> PASSING)
                                                            .removeTool(PASSING));
                            return "changed";
                        });
    }

    private static void changingPrompts(
            Features<?> features, CompletableFuture<McpServer> running) {
        features.tool(
                        "test_trigger_prompt_change",
                        "Has the list of prompts change",
                        NoInput.class,
                        String.class)
                .handle(
                        (none, call) -> {
                            running.join()
                                    .update(
                                            changes ->
                                                    changes.prompt(
                                                                    PASSING,
                                                                    "Is gone at once",
                                                                    NoInput.class)
                                                            .handle(
                                                                    (input, other) ->
                                                                            GetPromptResult.of())
                                                            .removePrompt(PASSING));
                            return "changed";
                        });
    }
}
