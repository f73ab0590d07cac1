package dev.fairlead.acceptance;

import static dev.fairlead.test.shared.PerRequestFrames.headers;
import static dev.fairlead.test.shared.PerRequestFrames.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.RequestStateRefusal.Cause;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.test.shared.PerRequestFrames;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;

/** The states of rounds on real sockets, with callers whose tokens are the names of subjects. */
@Timeout(60)
class RequestStateHttpTest extends ClosingTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes();
    private static final String REFUSED =
            """
            {"code":-32602,"message":"Invalid or expired requestState",\
            "data":{"reason":"invalid_request_state"}}\
            """;
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final Duration SKEW = Duration.ofSeconds(60);

    record Name(String name) {}

    private final HttpClient client = closedLater(HttpClient.newHttpClient());
    private Supplier<McpServer.Builder> builder =
            () -> named().requestState(RequestState.keys(List.of(KEY)).ttl(TTL));

    /** A process of the server, with a clock of its own. */
    private final class Node {
        final ManualTimers timers = new ManualTimers();
        final McpServer server =
                closedLater(
                        Internals.withTimers(builder.get(), timers::share)
                                .revisions(Revision.V2026_07_28)
                                .tool("ask", "Asks for a name", NoInput.class, String.class)
                                .handle(
                                        (none, call) ->
                                                call.elicit("Name?", Name.class)
                                                        .orElseThrow()
                                                        .name())
                                .tool("swallow", "Catches all", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            try {
                                                return call.elicit("Name?", Name.class).toString();
                                            } catch (Error e) {
                                                return "swallowed";
                                            }
                                        })
                                .build());
        private final HttpServing serving =
                closedLater(
                        server.serve(
                                PerRequestFrames.listener()
                                        .authorization(SubjectTokens.authorization())));

        JsonObject call(String subject, String tool, String more) throws Exception {
            Map<String, String> headers = headers("tools/call", tool);
            headers.put("Authorization", "Bearer " + subject);
            String members = "\"name\": \"" + tool + "\", \"arguments\": {}" + more;
            HttpResponse<String> answer =
                    client.send(
                            PerRequestFrames.post(
                                    serving.uri(),
                                    request(
                                            "7",
                                            "tools/call",
                                            members,
                                            "{\"elicitation\": {}}",
                                            ""),
                                    headers),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return (JsonObject) JsonValue.parse(answer.body());
        }

        JsonObject begin(String subject) throws Exception {
            return call(subject, "ask", "").object("result");
        }

        JsonObject answer(String subject, JsonObject asked) throws Exception {
            String key = asked.object("inputRequests").names().iterator().next();
            return call(
                    subject,
                    "ask",
                    """
                    , "requestState": %s, "inputResponses":
                      {"%s": {"action": "accept", "content": {"name": "Ada"}}}\
                    """
                            .formatted(new JsonString(asked.string("requestState")).toJson(), key));
        }

        void assertTaken(String subject, JsonObject asked) throws Exception {
            assertThat(answer(subject, asked).object("result").toJson()).contains("\"Ada\"");
        }

        void assertRefused(String subject, JsonObject asked, Cause cause) throws Exception {
            long before = server.refusedRequestStates(cause);
            assertThat(answer(subject, asked).object("error").toJson()).isEqualTo(REFUSED);
            assertThat(server.refusedRequestStates(cause)).isEqualTo(before + 1);
        }
    }

    private static McpServer.Builder named() {
        return McpServer.named("s", "1");
    }

    @Test
    void theFirstStateOfAKeyThatOnlyThisProcessHasIsWarnedOf() throws Exception {
        builder = RequestStateHttpTest::named;
        Node node = new Node();
        try (Logged logged = new Logged("dev.fairlead", Level.WARNING)) {
            node.begin("ada");
            node.begin("ada");

            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING Request states are sealed with a key of this process: ");
        }
    }

    @Test
    @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
    void aStateThatHasExpiredIsRefused() throws Exception {
        Node node = new Node();
        JsonObject asked = node.begin("ada");

        node.timers.setClock(TTL.minusMillis(1));
        node.assertTaken("ada", asked);

        node.timers.setClock(Duration.ofMillis(1));
        node.assertRefused("ada", asked, Cause.EXPIRED);
    }

    @Test
    @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
    void aStateOfAClockThatIsTooFarAheadIsRefused() throws Exception {
        Node node = new Node();
        Node ahead = new Node();

        ahead.timers.setClock(SKEW);
        node.assertTaken("ada", ahead.begin("ada"));

        ahead.timers.setClock(Duration.ofMillis(1));
        node.assertRefused("ada", ahead.begin("ada"), Cause.NOT_YET_VALID);
    }

    @Test
    @Requirement({"N26-MRTR-012", "N26-MRTR-013", "N26-ELIC-010"})
    void theStateOfAnotherSubjectIsRefused() throws Exception {
        Node node = new Node();
        JsonObject asked = node.begin("ada");

        node.assertRefused("bob", asked, Cause.MISMATCH);
        node.assertTaken("ada", asked);
    }

    @Test
    @Requirement("N26-MRTR-023")
    void aHandlerThatCatchesTheErrorOfItsQuestionFailsAndIsLogged() throws Exception {
        Node node = new Node();
        try (Logged logged = new Logged("dev.fairlead.server.call.ServerCall", Level.SEVERE)) {
            JsonObject error = node.call("ada", "swallow", "").object("error");

            assertThat(error.toJson())
                    .isEqualTo(
                            "{\"code\":-32603,\"message\":"
                                    + "\"The handler ended before its question was answered\"}");
            String key = node.begin("ada").object("inputRequests").names().iterator().next();
            assertThat(logged.lines())
                    .containsExactly(
                            ("SEVERE The handler of tools/call of tool swallow returned although it"
                                 + " had asked its client (%s: elicitation/create 'Name?'): it must"
                                 + " let the Error pass that asking throws")
                                    .formatted(key));
        }
    }
}
