package dev.fairlead.server;

import static dev.fairlead.protocol.prompts.PromptMessage.assistant;
import static dev.fairlead.protocol.prompts.PromptMessage.user;
import static dev.fairlead.server.Peer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.Size;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptArgument;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

class PromptTest {
    enum Tone {
        KIND,
        STRICT
    }

    record Review(
            @Doc("Team") String team,
            @Doc("Who reviews") String reviewer,
            @Default("KIND") Tone tone) {}

    record Item(String id) {}

    record Count(int times) {}

    private static McpServer server() {
        return McpServer.named("prompts", "1.0.0")
                .prompt("review", "Asks for a code review", Review.class)
                .title("Review")
                .complete(
                        "reviewer",
                        (typed, call) ->
                                List.of(
                                        typed.others().getOrDefault("team", "none")
                                                + "-"
                                                + typed.value()))
                .handle(
                        (review, call) ->
                                GetPromptResult.of(
                                        user(
                                                "You are "
                                                        + review.reviewer()
                                                        + ", be "
                                                        + review.tone()),
                                        user(Content.image("AAAA", "image/png")),
                                        assistant("Show me the change.")))
                .prompt("count", "Counts", Count.class)
                .handle((count, call) -> GetPromptResult.of(user("x".repeat(count.times()))))
                .prompt(
                        new Prompt("raw")
                                .withArguments(
                                        List.of(
                                                new PromptArgument("a").withRequired(true),
                                                new PromptArgument("b"))))
                .handle((request, call) -> GetPromptResult.of(user(request.arguments().toString())))
                .resourceTemplate("items://{id}", "items", Item.class, String.class)
                .complete(
                        "id",
                        (typed, call) ->
                                IntStream.range(0, 150)
                                        .mapToObj(i -> String.format(Locale.ROOT, "item-%03d", i))
                                        .filter(id -> id.startsWith(typed.value()))
                                        .toList())
                .handle((item, call) -> item.id())
                .build();
    }

    @Test
    @Requirement({"PROMPT-002", "PROMPT-004", "PROMPT-006"})
    void argumentsAreStringsOnTheWireAndARecordHere() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(
                            peer.call(
                                    "prompts/get",
                                    """
                                    {"name": "review", "arguments": {"team": "core", "reviewer": "Ada", "tone": "STRICT"}}\
                                    """))
                    .isEqualTo(
                            json(
                                    """
                                    {"description": "Asks for a code review", "messages": [
                                      {"role": "user", "content": {"type": "text", "text": "You are Ada, be STRICT"}},
                                      {"role": "user", "content": {"type": "image", "data": "AAAA", "mimeType": "image/png"}},
                                      {"role": "assistant", "content": {"type": "text", "text": "Show me the change."}}]}\
                                    """));
            assertThat(
                            peer.call(
                                            "prompts/get",
                                            "{\"name\": \"count\", \"arguments\": {\"times\":"
                                                    + " \"3\"}}")
                                    .toJson())
                    .contains("\"xxx\"");
        }
    }

    @Test
    @Requirement({"PROMPT-002", "PROMPT-003"})
    void argumentsAreListedWithWhatIsRequired() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(peer.call("prompts/list", "{}").array("prompts").get(0))
                    .isEqualTo(
                            json(
                                    """
                                    {"name": "review", "title": "Review", "description": "Asks for a code review", "arguments": [
                                      {"name": "team", "description": "Team", "required": true},
                                      {"name": "reviewer", "description": "Who reviews", "required": true},
                                      {"name": "tone", "required": false}]}\
                                    """));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\": \"nope\"}",
                "{\"name\": \"review\", \"arguments\": {\"team\": \"core\"}}",
                "{\"name\": \"review\", \"arguments\": {\"team\": \"a\", \"reviewer\": \"b\","
                        + " \"tone\": \"LOUD\"}}",
                "{\"name\": \"count\", \"arguments\": {\"times\": \"many\"}}",
                "{\"name\": \"count\", \"arguments\": {\"times\": 3}}",
                "{\"name\": \"raw\", \"arguments\": {\"b\": \"x\"}}",
                "{}"
            })
    @Requirement({"PROMPT-007", "PROMPT-010", "ERR-011", "ERR-009"})
    void whatIsUnknownOrMissingOrCannotBeConvertedIsAnInvalidParameter(String params)
            throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(Peer.code(peer.error("prompts/get", params))).isEqualTo(-32602);
        }
    }

    @Test
    void aPromptByDefinitionGetsItsRequest() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThat(
                            peer.call(
                                            "prompts/get",
                                            "{\"name\": \"raw\", \"arguments\": {\"a\": \"1\"}}")
                                    .toJson())
                    .contains("{a=1}");
        }
    }

    @Test
    void anArgumentThatIsNullIsAbsent() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            String arguments = "{\"team\": \"core\", \"reviewer\": \"Ada\", \"tone\": null}";
            assertThat(get(peer, "review", arguments)).contains("You are Ada, be KIND");
            assertThat(get(peer, "raw", "{\"a\": \"1\", \"b\": null}")).contains("{a=1}");
            String params = "{\"name\": \"raw\", \"arguments\": {\"a\": null}}";
            assertThat(peer.error("prompts/get", params).toJson()).contains("a is missing");
        }
    }

    /** Forms send an empty text for a field that was cleared. */
    @Test
    void anEmptyTextIsAbsentWhereItIsNoValue() throws Exception {
        record Form(
                @Default("3") int days,
                @Nullable Boolean all,
                Optional<LocalDate> from,
                @Nullable Tone tone,
                @Default("x") String note) {}
        record Counted(@Nullable @Size(min = 1) String text, int times) {}
        try (McpServer server =
                        McpServer.named("s", "1")
                                .prompt("form", "Tests", Form.class)
                                .handle((form, call) -> GetPromptResult.of(user(form.toString())))
                                .prompt("counted", "Tests", Counted.class)
                                .handle((it, call) -> GetPromptResult.of(user(it.toString())))
                                .build();
                Peer peer = Peer.of(server)) {
            String cleared =
                    """
                    {"days": "", "all": "", "from": "", "tone": "", "note": ""}\
                    """;
            assertThat(get(peer, "form", cleared))
                    .contains("Form[days=3, all=null, from=Optional.empty, tone=null, note=]");
            String params =
                    "{\"name\": \"counted\", \"arguments\": {\"text\": \"\", \"times\": \"\"}}";
            assertThat(peer.error("prompts/get", params).toJson())
                    .contains("text must have at least 1 character")
                    .contains("times must be an integer");
        }
    }

    private static String get(Peer peer, String prompt, String arguments) throws Exception {
        String params = "{\"name\": \"%s\", \"arguments\": %s}".formatted(prompt, arguments);
        return peer.call("prompts/get", params).toJson();
    }

    @Test
    void anArgumentThatIsNoScalarIsRefused() {
        record Bad(List<String> names) {}
        assertThatThrownBy(() -> McpServer.named("s", "1").prompt("p", "Tested", Bad.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the component names");
    }

    @Nested
    class Completing {
        private JsonObject complete(
                Peer peer, String ref, String argument, String value, String context)
                throws Exception {
            return peer.call(
                            "completion/complete",
                            """
                            {"ref": %s, "argument": {"name": "%s", "value": "%s"}%s}\
                            """
                                    .formatted(ref, argument, value, context))
                    .object("completion");
        }

        private static final String REVIEW = "{\"type\": \"ref/prompt\", \"name\": \"review\"}";
        private static final String ITEMS =
                "{\"type\": \"ref/resource\", \"uri\": \"items://{id}\"}";

        @Test
        @Requirement("COMP-002")
        void anEnumCompletesByItself() throws Exception {
            try (McpServer server = server();
                    Peer peer = Peer.of(server)) {
                assertThat(complete(peer, REVIEW, "tone", "s", "").array("values"))
                        .isEqualTo(new JsonArray(List.of(new JsonString("STRICT"))));
            }
        }

        @Test
        @Requirement("COMP-002")
        void otherArgumentsAreSeen() throws Exception {
            try (McpServer server = server();
                    Peer peer = Peer.of(server)) {
                String context = ", \"context\": {\"arguments\": {\"team\": \"core\"}}";

                assertThat(
                                complete(peer, REVIEW, "reviewer", "A", context)
                                        .array("values")
                                        .toJson())
                        .isEqualTo("[\"core-A\"]");
                for (String none : List.of("", context.replace("\"core\"", "null"))) {
                    assertThat(
                                    complete(peer, REVIEW, "reviewer", "A", none)
                                            .array("values")
                                            .toJson())
                            .isEqualTo("[\"none-A\"]");
                }
            }
        }

        @Test
        @Requirement({"COMP-003", "COMP-004", "COMP-006", "ROOM-078"})
        void moreThanAHundredValuesAreCut() throws Exception {
            try (McpServer server = server();
                    Peer peer = Peer.of(server)) {
                JsonObject all = complete(peer, ITEMS, "id", "item-", "");
                JsonObject some = complete(peer, ITEMS, "id", "item-0", "");

                assertThat(all.array("values").size()).isEqualTo(100);
                assertThat(all.array("values").get(99).toJson()).isEqualTo("\"item-099\"");
                assertThat(all.integer("total")).isEqualTo(150);
                assertThat(all.bool("hasMore")).isTrue();
                assertThat(some.array("values").size()).isEqualTo(100);
                assertThat(some.get("hasMore")).isNotEqualTo(dev.fairlead.json.JsonBoolean.TRUE);
            }
        }

        @Test
        @Requirement("ROOM-079")
        void anArgumentWithoutCompleterHasNoValues() throws Exception {
            try (McpServer server = server();
                    Peer peer = Peer.of(server)) {
                assertThat(complete(peer, REVIEW, "team", "c", "").array("values").size()).isZero();
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"nope\"}, \"argument\":"
                            + " {\"name\": \"a\", \"value\": \"\"}}",
                    "{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"review\"}, \"argument\":"
                            + " {\"name\": \"a\", \"value\": \"\"}}",
                    "{\"ref\": {\"type\": \"ref/resource\", \"uri\": \"a://{b}\"}, \"argument\":"
                            + " {\"name\": \"b\", \"value\": \"\"}}",
                    "{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"review\"}}",
                    "{\"ref\": {\"type\": \"ref/other\", \"name\": \"review\"}, \"argument\":"
                            + " {\"name\": \"a\", \"value\": \"\"}}"
                })
        @Requirement({"COMP-008", "COMP-009", "ERR-012", "ROOM-079"})
        void whatIsUnknownOrMissingIsAnInvalidParameter(String params) throws Exception {
            try (McpServer server = server();
                    Peer peer = Peer.of(server)) {
                assertThat(Peer.code(peer.error("completion/complete", params))).isEqualTo(-32602);
            }
        }

        @Test
        @Requirement({"COMP-001", "COMP-008", "ERR-005"})
        void aServerThatCompletesNothingHasNoCompletion() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .prompt("p", "Tested", NoInput.class)
                                    .handle((none, call) -> GetPromptResult.of(user("hi")))
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject capabilities =
                        peer.initialize("2025-11-25", "{}").object("capabilities");

                assertThat(capabilities.has("completions")).isFalse();
                assertThat(
                                Peer.code(
                                        peer.error(
                                                "completion/complete",
                                                """
                                                {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}}\
                                                """)))
                        .isEqualTo(-32601);
            }
        }

        @Test
        void aCompleterOfAnUnknownArgumentIsRefused() {
            var declaration = McpServer.named("s", "1").prompt("p", "Tested", Review.class);

            assertThatThrownBy(() -> declaration.complete("nope", (typed, call) -> List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no argument nope");
        }
    }
}
