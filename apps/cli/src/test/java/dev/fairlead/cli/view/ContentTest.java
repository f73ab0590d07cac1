package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.completion.CompleteResult.Completion;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.UnknownContent;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolResult;

import org.junit.jupiter.api.Test;

import java.util.List;

class ContentTest {
    private static List<String> shown(Screen screen, Content... content) {
        return ToolResult.lines(CallToolResult.of(content), screen);
    }

    @Test
    void textIsWrappedOnATerminalAndLeftAloneInAPipe() {
        Content text = Content.text("one two three\n  four");

        assertThat(shown(Screens.wide(20), text)).containsExactly("one two three", "  four");
        assertThat(shown(new Screen(true, 20, false, true), Content.text("a ".repeat(14))))
                .containsExactly("a a a a a a a a a a", "a a a a");
        assertThat(shown(Screens.PIPE, Content.text("a ".repeat(30))))
                .containsExactly("a ".repeat(30));
    }

    @Test
    void imagesAndSoundsAreNamedWithTypeAndSize() {
        assertThat(
                        shown(
                                Screens.wide(80),
                                Content.image(new byte[1234], "image/png"),
                                Content.audio(new byte[1], "audio/wav")))
                .containsExactly("[image image/png, 1.2 kB]", "[audio audio/wav, 1 byte]");
    }

    @Test
    void resourcesAreNamedAndTheirTextIsShown() {
        assertThat(
                        shown(
                                Screens.wide(80),
                                Content.resource(
                                        ResourceContents.text(
                                                "file:///a.txt", "text/plain", "A\nB")),
                                Content.resource(
                                        ResourceContents.blob(
                                                "file:///b", null, new byte[12_345]))))
                .containsExactly(
                        "[resource file:///a.txt, text/plain]",
                        "A",
                        "B",
                        "[resource file:///b, 12 kB]");
    }

    @Test
    void linksHaveTheirTitleAndDescription() {
        Content link =
                Content.link(
                        new Resource("file:///a", "a")
                                .withTitle("The first")
                                .withDescription("Read it before the others")
                                .withMimeType("text/plain")
                                .withSize(999L));

        assertThat(shown(Screens.wide(22), link))
                .containsExactly(
                        "[link file:///a, text/plain, 999 bytes] The first",
                        "  Read it before the",
                        "  others");
    }

    @Test
    void contentOfAnUnknownTypeIsJson() {
        assertThat(
                        shown(
                                Screens.PIPE,
                                new UnknownContent(JsonObject.of("type", "hologram", "depth", 3))))
                .containsExactly("[hologram] {\"type\":\"hologram\",\"depth\":3}");
    }

    @Test
    void structuredContentIsShownOnce() {
        JsonObject structured =
                JsonObject.of("city", "Oslo", "days", JsonArray.of(1, 2), "none", List.of());
        CallToolResult result =
                CallToolResult.of(
                                Content.text("As asked"),
                                Content.text(
                                        "{\"city\": \"Oslo\", \"days\": [1, 2], \"none\": []}"))
                        .withStructuredContent(structured);

        assertThat(ToolResult.lines(result, Screens.PIPE))
                .containsExactly(
                        "As asked",
                        "{",
                        "  \"city\": \"Oslo\",",
                        "  \"days\": [",
                        "    1,",
                        "    2",
                        "  ],",
                        "  \"none\": []",
                        "}");
    }

    @Test
    void aFailureIsHeadedOnATerminal() {
        assertThat(ToolResult.lines(CallToolResult.failure("no such city"), Screens.coloured(80)))
                .containsExactly("\u001b[31mFailed:\u001b[0m", "no such city");
        assertThat(ToolResult.lines(CallToolResult.failure("no such city"), Screens.PIPE))
                .containsExactly("no such city");
    }

    @Test
    void nothingInAResultSteersTheTerminal() {
        String evil = "\u001b[2J\u009b1m\u202e";
        CallToolResult result =
                CallToolResult.of(
                                Content.text(evil),
                                Content.image("AAAA", evil),
                                Content.audio("AAAA", evil),
                                Content.link(
                                        new Resource(evil, evil)
                                                .withDescription(evil)
                                                .withMimeType(evil)),
                                Content.resource(ResourceContents.text(evil, evil, evil)),
                                new UnknownContent(JsonObject.of("type", evil, evil, evil)))
                        .withStructuredContent(JsonObject.of(evil, evil));

        for (Screen screen : List.of(Screens.wide(40), Screens.PIPE)) {
            assertThat(String.join("\n", ToolResult.lines(result, screen)))
                    .doesNotContain("\u001b", "\u009b", "\u202e");
        }
    }

    @Test
    void aPromptIsAConversation() {
        GetPromptResult prompt =
                new GetPromptResult(
                        List.of(
                                new PromptMessage(
                                        Role.USER,
                                        Content.text("Is it raining?"),
                                        JsonObject.EMPTY),
                                new PromptMessage(
                                        Role.ASSISTANT,
                                        Content.text("No, it is not.\n\nIt snows."),
                                        JsonObject.EMPTY)),
                        "Small talk",
                        null,
                        JsonObject.EMPTY);

        assertThat(Conversation.lines(prompt, Screens.wide(80)))
                .containsExactly(
                        "Small talk",
                        "",
                        "user:",
                        "  Is it raining?",
                        "assistant:",
                        "  No, it is not.",
                        "",
                        "  It snows.");
        assertThat(Conversation.lines(prompt, Screens.PIPE)).startsWith("user:");
    }

    @Test
    void aSingleTextOfAResourceIsShownByItself() {
        ResourceContents text = ResourceContents.text("file:///a", "text/plain", "A");
        ResourceContents blob = ResourceContents.blob("file:///b", "image/png", new byte[3]);

        assertThat(ReadResult.lines(result(text), Screens.PIPE)).containsExactly("A");
        assertThat(ReadResult.lines(result(blob), Screens.PIPE))
                .containsExactly("[resource file:///b, image/png, 3 bytes]");
        assertThat(ReadResult.lines(result(text, blob), Screens.PIPE))
                .containsExactly(
                        "[resource file:///a, text/plain]",
                        "A",
                        "[resource file:///b, image/png, 3 bytes]");
    }

    private static ReadResourceResult result(ResourceContents... contents) {
        return new ReadResourceResult(List.of(contents), null, JsonObject.EMPTY);
    }

    @Test
    void completionsSayHowManyAreMissing() {
        Completion completion = new Completion(List.of("java", "javascript"));

        assertThat(CompletionList.lines(completion, Screens.wide(80)))
                .containsExactly("java", "javascript");
        assertThat(CompletionList.lines(completion.withTotal(5L), Screens.wide(80)))
                .containsExactly("java", "javascript", "and 3 more");
        assertThat(CompletionList.lines(completion.withHasMore(true), Screens.wide(80)))
                .containsExactly("java", "javascript", "and more");
        assertThat(CompletionList.lines(completion.withTotal(5L), Screens.PIPE))
                .containsExactly("java", "javascript");
    }

    @Test
    void jsonOfManyKindsIsIndented() {
        assertThat(IndentedJson.lines(JsonValue.parse("[1.50, null, true, \"a\\nb\", {}, [[]]]")))
                .containsExactly(
                        "[",
                        "  1.50,",
                        "  null,",
                        "  true,",
                        "  \"a\\nb\",",
                        "  {},",
                        "  [",
                        "    []",
                        "  ]",
                        "]");
    }
}
