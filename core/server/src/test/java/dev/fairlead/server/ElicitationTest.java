package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Format;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.Matches;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.InvalidAnswerException;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;

class ElicitationTest {
    enum Color {
        @Doc("Red like a rose")
        @JsonName("red")
        RED,
        @Doc("Blue like the sky")
        @JsonName("blue")
        BLUE
    }

    enum Size2 {
        SMALL,
        LARGE
    }

    record Everything(
            @Doc("Your name") @Size(min = 1, max = 20) @Default("Ada") String name,
            @Format("email") @Nullable String email,
            @Matches("[a-z]+") String code,
            @Nullable URI site,
            LocalDate day,
            @Range(min = 0, max = 150) @Default("30") int age,
            @Default("1.5") double score,
            @Default("true") boolean member,
            @Default("blue") Color color,
            @Nullable Size2 size,
            @Default("[\"red\"]") Set<Color> colors,
            @Size(min = 1, max = 2) List<Size2> sizes) {}

    record Confirm(@Doc("Really?") boolean ok) {}

    private static final String FORM = "{\"elicitation\": {\"form\": {}}}";
    private static final String URL = "{\"elicitation\": {\"url\": {}}}";

    private static McpServer asking(Handler<NoInput, String> handler) {
        return McpServer.named("s", "1")
                .tool("ask", "Tested", NoInput.class, String.class)
                .handle(handler)
                .build();
    }

    private static McpServer askingForm(JsonObject schema) {
        ElicitFormRequest form = new ElicitFormRequest("How many?", schema);
        return asking((none, call) -> String.valueOf(call.elicit(form).content()));
    }

    private static String confirm(NoInput none, Call call) throws InterruptedException {
        return switch (call.elicit("Delete it?", Confirm.class)) {
            case Answer.Accepted<Confirm>(Confirm(boolean ok)) -> "accepted " + ok;
            case Answer.Declined<Confirm> no -> "declined";
            case Answer.Cancelled<Confirm> no -> "cancelled";
        };
    }

    @Test
    @Requirement({"ELIC-005", "ELIC-009", "ELIC-010", "ELIC-011", "JSON-009"})
    void aRecordBecomesAForm() throws Exception {
        try (McpServer server =
                        asking(
                                (none, call) ->
                                        call.elicit("Who?", Everything.class)
                                                .orElseThrow()
                                                .toString());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            JsonObject question = peer.next("elicitation/create");

            assertThat(question.object("params"))
                    .isEqualTo(
                            json(
                                    """
                                    {"mode": "form", "message": "Who?", "requestedSchema": {"type": "object", "properties": {
                                      "name": {"type": "string", "description": "Your name", "minLength": 1, "maxLength": 20, "default": "Ada"},
                                      "email": {"type": "string", "format": "email"},
                                      "code": {"type": "string", "pattern": "^(?:[a-z]+)$"},
                                      "site": {"type": "string", "format": "uri"},
                                      "day": {"type": "string", "format": "date"},
                                      "age": {"type": "integer", "minimum": 0, "maximum": 150, "default": 30},
                                      "score": {"type": "number", "default": 1.5},
                                      "member": {"type": "boolean", "default": true},
                                      "color": {"type": "string", "default": "blue", "oneOf": [
                                         {"const": "red", "title": "Red like a rose"}, {"const": "blue", "title": "Blue like the sky"}]},
                                      "size": {"type": "string", "enum": ["SMALL", "LARGE"]},
                                      "colors": {"type": "array", "default": ["red"], "items": {"anyOf": [
                                         {"const": "red", "title": "Red like a rose"}, {"const": "blue", "title": "Blue like the sky"}]}},
                                      "sizes": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "enum": ["SMALL", "LARGE"]}}},
                                      "required": ["code", "day", "sizes"]}}\
                                    """));

            peer.answer(
                    question,
                    """
                    {"action": "accept", "content": {"code": "abc", "day": "2026-01-31", "sizes": ["SMALL"], "age": 31}}\
                    """);
            assertThat(text(call.result()))
                    .isEqualTo(
                            "Everything[name=Ada, email=null, code=abc, site=null, day=2026-01-31,"
                                    + " age=31, score=1.5, member=true, color=BLUE, size=null,"
                                    + " colors=[RED], sizes=[SMALL]]");
        }
    }

    @Test
    @Requirement({"ELIC-013"})
    void everyActionArrives() throws Exception {
        try (McpServer server = asking(ElicitationTest::confirm);
                Peer peer =
                        Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"elicitation\": {}}")) {
            for (String[] pair :
                    new String[][] {
                        {"{\"action\": \"accept\", \"content\": {\"ok\": true}}", "accepted true"},
                        {"{\"action\": \"decline\"}", "declined"},
                        {"{\"action\": \"cancel\"}", "cancelled"}
                    }) {
                Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
                peer.answer(peer.next("elicitation/create"), pair[0]);
                assertThat(text(call.result())).isEqualTo(pair[1]);
            }
        }
    }

    @Test
    @Requirement({"ELIC-016", "ROOM-072"})
    void anAnswerThatDoesNotFitIsAnExceptionWithItsContent() throws Exception {
        try (McpServer server =
                        asking(
                                (none, call) -> {
                                    try {
                                        return confirm(none, call);
                                    } catch (InvalidAnswerException e) {
                                        return e.content().toJson() + " " + e.violations();
                                    }
                                });
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(
                    peer.next("elicitation/create"),
                    "{\"action\": \"accept\", \"content\": {\"ok\": \"yes\"}}");

            assertThat(text(call.result())).startsWith("{\"ok\":\"yes\"} [ok must be a boolean");
        }
    }

    @Test
    @Requirement({"ELIC-016", "ROOM-072"})
    void aRawFormIsCheckedAgainstItsSchema() throws Exception {
        JsonObject schema =
                json(
                        "{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\"}},"
                                + " \"required\": [\"n\"]}");
        try (McpServer server = askingForm(schema);
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            Pending good = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(
                    peer.next("elicitation/create"),
                    "{\"action\": \"accept\", \"content\": {\"n\": 3}}");
            assertThat(text(good.result())).isEqualTo("{\"n\":3}");

            Pending unchecked = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(
                    peer.next("elicitation/create"),
                    "{\"action\": \"accept\", \"content\": {\"n\": 1e2000}}");
            assertThat(unchecked.result().bool("isError")).isTrue();

            Pending bad = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(
                    peer.next("elicitation/create"), "{\"action\": \"accept\", \"content\": {}}");
            JsonObject result = bad.result();
            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result)).startsWith("The answer does not fit the form: ");
        }
    }

    /** A gateway passes such forms on. */
    @Test
    void theAnswerToAFormIsCheckedByTheFieldsThatCanBeUsed() throws Exception {
        JsonObject schema =
                json(
                        "{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\"},"
                                + " \"c\": {\"type\": \"string\", \"pattern\": \"(\"}},"
                                + " \"required\": [\"n\", \"n\"]}");
        try (McpServer server = askingForm(schema);
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(
                    peer.next("elicitation/create"),
                    "{\"action\": \"accept\", \"content\": {\"n\": 3, \"c\": \"x\"}}");
            assertThat(text(call.result())).isEqualTo("{\"n\":3,\"c\":\"x\"}");

            Pending bad = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(
                    peer.next("elicitation/create"),
                    "{\"action\": \"accept\", \"content\": {\"n\": \"x\"}}");
            assertThat(bad.result().bool("isError")).isTrue();
        }
    }

    @Test
    @Requirement({"ELIC-002", "ELIC-003", "LIFE-016", "LIFE-034", "LIFE-033", "ROOM-069"})
    void whatTheClientDidNotDeclareIsNotSent() throws Exception {
        try (McpServer server = asking(ElicitationTest::confirm)) {
            for (String capabilities : List.of("{}", URL, "{\"sampling\": {}}")) {
                try (Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, capabilities)) {
                    JsonObject result = peer.callTool("ask", "{}");

                    assertThat(result.bool("isError")).isTrue();
                    assertThat(text(result)).contains("elicitation.form");
                    assertThat(peer.rest()).isEmpty();
                }
            }
        }
    }

    @Test
    @Requirement("VERS-012")
    void beforeItsRevisionThereIsNoElicitation() throws Exception {
        try (McpServer server = asking(ElicitationTest::confirm);
                Peer peer = Peer.of(server, Revision.V2025_03_26, FORM)) {
            assertThat(peer.callTool("ask", "{}").bool("isError")).isTrue();
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"VERS-006", "ROOM-068"})
    void theFirstRevisionOfElicitationGetsNoMode() throws Exception {
        try (McpServer server = asking(ElicitationTest::confirm);
                Peer peer = Peer.of(server, Revision.V2025_06_18, "{\"elicitation\": {}}")) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            JsonObject question = peer.next("elicitation/create");

            assertThat(question.object("params").has("mode")).isFalse();
            peer.answer(question, "{\"action\": \"accept\", \"content\": {\"ok\": true}}");
            assertThat(text(call.result())).isEqualTo("accepted true");
        }
    }

    @Test
    @Requirement({"ELIC-008", "ELIC-014", "ELIC-023", "ELIC-024"})
    void aPageIsCompleteWhenItsActionIsDone() throws Exception {
        try (McpServer server =
                        asking(
                                (none, call) ->
                                        call.elicitUrl(
                                                        "Sign in",
                                                        URI.create("https://login.example/x"),
                                                        () -> "token")
                                                .orElseThrow());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, URL)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            JsonObject question = peer.next("elicitation/create");
            assertThat(question.object("params").without("elicitationId"))
                    .isEqualTo(
                            json(
                                    "{\"mode\": \"url\", \"message\": \"Sign in\", \"url\":"
                                            + " \"https://login.example/x\"}"));

            peer.answer(question, "{\"action\": \"accept\"}");

            assertThat(
                            peer.next("notifications/elicitation/complete")
                                    .object("params")
                                    .string("elicitationId"))
                    .isEqualTo(question.object("params").string("elicitationId"))
                    .hasSizeGreaterThan(20);
            assertThat(text(call.result())).isEqualTo("token");
        }
    }

    @Test
    @Requirement("ELIC-024")
    void aPageThatWasRefusedIsNeverComplete() throws Exception {
        try (McpServer server =
                        asking(
                                (none, call) ->
                                        call.elicitUrl(
                                                        "Sign in",
                                                        URI.create("https://login.example/x"),
                                                        () -> {
                                                            throw new AssertionError(
                                                                    "must not run");
                                                        })
                                                .toString());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, URL)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(peer.next("elicitation/create"), "{\"action\": \"decline\"}");

            assertThat(text(call.result())).isEqualTo("Declined[]");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"ELIC-028", "ELIC-029", "ELIC-030", "ERR-024", "VERS-003"})
    void aRequiredUrlElicitationIsAnErrorForClientsThatSupportIt() throws Exception {
        try (McpServer server =
                asking(
                        (none, call) -> {
                            throw new UrlElicitationRequiredException(
                                    List.of(
                                            new ElicitUrlRequest(
                                                    "Sign in", "https://login.example", "e1")));
                        })) {
            try (Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, URL)) {
                JsonObject error = peer.error("tools/call", "{\"name\": \"ask\"}");
                assertThat(Peer.code(error)).isEqualTo(-32042);
                assertThat(error.object("data").array("elicitations").get(0))
                        .isEqualTo(
                                json(
                                        """
                                        {"mode": "url", "message": "Sign in", "url": "https://login.example", "elicitationId": "e1"}\
                                        """));
            }
            try (Peer peer = Peer.of(server, Revision.V2025_06_18, "{\"elicitation\": {}}")) {
                assertThat(peer.callTool("ask", "{}").bool("isError")).isTrue();
            }
        }
    }

    @Test
    void refusedMeansThatTheToolFails() throws Exception {
        try (McpServer server =
                        asking(
                                (none, call) ->
                                        "" + call.elicit("?", Confirm.class).orElseThrow().ok());
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(peer.next("elicitation/create"), "{\"action\": \"cancel\"}");

            assertThat(call.result().bool("isError")).isTrue();
        }
    }

    @Test
    @Requirement({"LIFE-028", "LIFE-029", "LIFE-030"})
    void anElicitationTimesOutAfterTenMinutes() throws Exception {
        ManualTimers timers = new ManualTimers();
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("ask", "Tested", NoInput.class, String.class)
                                .handle(ElicitationTest::confirm)
                                .build(timers);
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            JsonObject question = peer.next("elicitation/create");
            timers.awaitTimers(2); // of the call and of the question

            timers.advance(Duration.ofMinutes(10).minusMillis(1));
            assertThat(peer.rest()).isEmpty();
            timers.advance(Duration.ofMillis(1));

            JsonObject cancelled = peer.next("notifications/cancelled");
            assertThat(cancelled.object("params").get("requestId")).isEqualTo(question.get("id"));
            JsonObject result = call.result();
            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result)).contains("elicitation/create").contains("10 min");
        }
    }

    @Test
    @Requirement({"CANC-014", "CANC-001"})
    void cancellingACallCancelsItsQuestion() throws Exception {
        try (McpServer server = asking(ElicitationTest::confirm);
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            Pending call = peer.request("tools/call", "{\"name\": \"ask\"}");
            JsonObject question = peer.next("elicitation/create");

            peer.notify(
                    "notifications/cancelled",
                    "{\"requestId\": %s, \"reason\": \"no longer\"}".formatted(call.id()));

            assertThat(peer.next("notifications/cancelled").object("params").get("requestId"))
                    .isEqualTo(question.get("id"));
            assertThat(peer.rest()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "{}",
                "{\"action\": null}",
                "{\"action\": \"ACCEPT\", \"content\": {\"ok\": true}}",
                "{\"action\": \"accept\", \"content\": null}",
                "{\"action\": \"accept\", \"content\": []}"
            })
    void anAnswerThatIsNoneIsNoConsent(String answer) throws Exception {
        try (McpServer server = asking(ElicitationTest::confirm);
                Peer peer = Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, FORM)) {
            var call = peer.request("tools/call", "{\"name\": \"ask\"}");
            peer.answer(peer.next("elicitation/create"), answer);
            assertThat(text(call.result())).doesNotContain("accepted");
        }
    }
}
