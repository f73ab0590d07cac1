package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.ALL_CAPABILITIES;
import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Negotiation of a client of both eras with any kind of server, over a pipe. */
final class NegotiationTest {
    private static final String DISCOVERED =
            """
            {"resultType": "complete", "supportedVersions": ["2026-07-28", "2025-11-25"],
             "capabilities": %s, "instructions": "Be brief.", "ttlMs": 0, "cacheScope": "private",
             "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "new", "version": "3"}}}\
            """
                    .formatted(ALL_CAPABILITIES);

    private final FakeServer server = new FakeServer().keep("server/discover");
    private final ManualTimers timers = new ManualTimers();

    private static McpClient.Builder client() {
        return McpClient.named("desk", "1.4"); // speaks all revisions
    }

    @Test
    @Requirement({"N26-META-001", "N26-META-002", "N26-LIFE-014", "N26-ELIC-001"})
    void discoveryComesFirstAndSaysWhatTheClientIs() throws Exception {
        Background<McpClient> connecting =
                Background.call(
                        () ->
                                client().onElicitForm(form -> Answer.decline())
                                        .connect(server, timers));
        JsonObject discover = server.next("server/discover");
        assertThat(discover.object("params"))
                .isEqualTo(
                        json(
                                """
                                {"_meta": {
                                   "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                   "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
                                   "io.modelcontextprotocol/clientInfo": {"name": "desk", "version": "1.4"}}}\
                                """));
        server.answer(discover, DISCOVERED);
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
            assertThat(client.serverInfo()).isEqualTo(new Implementation("new", "3"));
            assertThat(client.instructions()).contains("Be brief.");
            assertThat(client.serverCapabilities().tools()).isTrue();
            server.expectNothing(); // no initialize, no initialized
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-32601, -32602, -32600, -32000, -32603, -32022})
    void anyErrorOfOlderServersLeadsToAHandshake(int code) throws Exception {
        server.on(
                "server/discover",
                params -> "error:{\"code\": %s, \"message\": \"what?\"}".formatted(code));
        try (McpClient client = client().connect(server, timers)) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        assertThat(server.connections).hasValue(1);
    }

    @Test
    void anEmptyResultLeadsToAHandshake() throws Exception {
        server.on("server/discover", "{}");
        try (McpClient client = client().connect(server, timers)) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        server.on("server/discover", "{\"resultType\": \"complete\"}");
        assertThatThrownBy(() -> client().connect(server, timers))
                .isInstanceOf(InvalidResultException.class);
    }

    @Test
    void aResultThatListsOlderRevisionsAloneLeadsToAHandshake() throws Exception {
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2025-11-25", "2025-06-18"],
                 "capabilities": {}}\
                """);
        try (McpClient client = client().connect(server, timers)) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
            assertThat(client.serverInfo().name()).isEqualTo("fake"); // as initialize says
        }
        assertThat(server.connections).hasValue(1);
        McpClient.Builder newest = client().revisions(Revision.V2026_07_28, Revision.V2026_07_28);
        assertThatThrownBy(() -> newest.connect(server, timers))
                .isInstanceOf(UnsupportedRevisionException.class)
                .hasMessageContaining("2025-11-25, 2025-06-18");
    }

    @ParameterizedTest
    @ValueSource(ints = {-32020, -32021})
    void errorsOfTheNewEraAreReported(int code) {
        server.on(
                "server/discover",
                params -> "error:{\"code\": %s, \"message\": \"no\"}".formatted(code));
        assertThatThrownBy(() -> client().connect(server, timers))
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(code));
        server.expectNothing();
    }

    @Test
    @Requirement("N26-LIFE-006")
    void aRefusalWithACommonRevisionIsFollowedByOneMoreAttempt() throws Exception {
        Background<McpClient> connecting = Background.call(() -> client().connect(server, timers));
        unsupported(server.next("server/discover"), "\"2031-01-01\", \"2026-07-28\"");
        server.answer(server.next("server/discover"), DISCOVERED);
        connecting.result().close();

        Background<McpClient> refused = Background.call(() -> client().connect(server, timers));
        unsupported(server.next("server/discover"), "\"2026-07-28\"");
        unsupported(server.next("server/discover"), "\"2026-07-28\"");
        assertThatThrownBy(refused::result)
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32022));
    }

    private void unsupported(JsonObject request, String versions) {
        server.send(
                """
                {"jsonrpc": "2.0", "id": %s, "error": {"code": -32022, "message": "no",
                 "data": {"supported": [%s], "requested": "2026-07-28"}}}\
                """
                        .formatted(request.get("id"), versions));
    }

    @Test
    void aListOfOlderRevisionsLeadsToAHandshakeOrToTheList() throws Exception {
        Background<McpClient> connecting = Background.call(() -> client().connect(server, timers));
        unsupported(server.next("server/discover"), "\"2025-06-18\"");
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        Background<McpClient> refused = Background.call(() -> client().connect(server, timers));
        unsupported(server.next("server/discover"), "\"2031-01-01\", \"2030-01-01\"");
        assertThatThrownBy(refused::result)
                .isInstanceOfSatisfying(
                        UnsupportedRevisionException.class,
                        e -> assertThat(e.serverRevision()).isEqualTo("2031-01-01, 2030-01-01"))
                .hasMessageContaining("2031-01-01, 2030-01-01");
    }

    @ParameterizedTest
    @CsvSource({"3000, 1000", "1000, 1000", "300, 300"})
    void aServerThatAnswersNothingIsGreetedAfterAWhile(long probeMs, long lateMs) throws Exception {
        Duration probe = Duration.ofMillis(probeMs);
        Background<McpClient> connecting =
                Background.call(() -> client().probeTimeout(probe).connect(server, timers));
        untilGreetingIsAnswered(probe);
        timers.advance(Duration.ofMillis(lateMs)); // the answer to discovery may come that late
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        server.expectNothing(); // discovery is not cancelled: an old server knows no such request
    }

    /** A program that starts slowly finds both requests waiting, and may answer either first. */
    @Test
    void aLateAnswerCountsIfItComesSoonAfterThatToTheGreeting() throws Exception {
        Background<McpClient> connecting = Background.call(() -> client().connect(server, timers));
        server.answer(untilGreetingIsAnswered(Duration.ofSeconds(5)), DISCOVERED);
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
        server.expectNothing();
    }

    @Test
    void aLateRefusalOfDiscoveryLeavesTheGreetingAtOnce() throws Exception {
        Background<McpClient> connecting = Background.call(() -> client().connect(server, timers));
        server.refuse(untilGreetingIsAnswered(Duration.ofSeconds(5)), -32601, "unknown");
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
    }

    /** Returns the discovery, whose answer is awaited for a moment. */
    private JsonObject untilGreetingIsAnswered(Duration probe) throws Exception {
        server.keep("initialize");
        JsonObject discover = server.next("server/discover");
        timers.awaitTimers(2); // of the request, and of the client's patience
        timers.advance(probe);
        JsonObject initialize = server.next("initialize");
        timers.awaitTimers(2); // of both requests
        timers.untilNextTimer(
                () ->
                        server.answer(
                                initialize,
                                """
                                {"protocolVersion": "2025-11-25", "capabilities": {},
                                 "serverInfo": {"name": "fake", "version": "7"}}\
                                """));
        return discover;
    }

    @Test
    void aLateAnswerCountsIfItComesBeforeThatToTheGreeting() throws Exception {
        server.keep("initialize");
        Background<McpClient> connecting = Background.call(() -> client().connect(server, timers));
        JsonObject discover = server.next("server/discover");
        timers.awaitTimers(2);
        timers.advance(Duration.ofSeconds(5));
        server.next("initialize");
        server.answer(discover, DISCOVERED);
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-32601, 'message': 'no', 'data': {'supported': ['2026-07-28']}",
                "-32022, 'message': 'no', 'data': {'supported': ['2026-07-28']}",
                "-32022, 'message': 'no'",
                "-32601, 'message': 'no'",
                "-32602, 'message': 'no'"
            })
    void aRefusedGreetingDoesNotEndTheWaitForALateAnswer(String refusal) throws Exception {
        Background<McpClient> connecting = Background.call(() -> client().connect(server, timers));
        JsonObject discover = untilGreetingIsRefused(refusal);
        server.answer(discover, DISCOVERED);
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
    }

    @Test
    void afterARefusedGreetingDiscoveryStillHasItsTimeout() throws Exception {
        String refusal = "-32601, 'message': 'no', 'data': {'supported': ['2026-07-28']}";
        Background<McpClient> refused = Background.call(() -> client().connect(server, timers));
        untilGreetingIsRefused(refusal);
        timers.advance(Duration.ofSeconds(60)); // the timeout of the discovery
        assertThatThrownBy(refused::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessageContaining("server/discover");
    }

    @Test
    void anEmptyListOfRevisionsIsReportedAsOne() throws Exception {
        Background<McpClient> refused = Background.call(() -> client().connect(server, timers));
        server.answer(
                server.next("server/discover"),
                DISCOVERED.replace("[\"2026-07-28\", \"2025-11-25\"]", "[]"));
        assertThatThrownBy(refused::result)
                .isInstanceOfSatisfying(
                        UnsupportedRevisionException.class,
                        e -> assertThat(e.serverRevision()).isEmpty())
                .hasMessage(
                        "The server names no revision of the protocol, but this client speaks only"
                                + " 2024-11-05 to 2026-07-28");
    }

    @Test
    void aRefusedGreetingCountsIfDiscoveryIsRefusedAsWell() throws Exception {
        Background<McpClient> refused = Background.call(() -> client().connect(server, timers));
        JsonObject discover =
                untilGreetingIsRefused(
                        "-32601, 'message': 'no', 'data': {'supported': ['2026-07-28']}");
        server.refuse(discover, -32603, "broken");
        assertThatThrownBy(refused::result)
                .isInstanceOf(UnsupportedRevisionException.class)
                .hasRootCauseInstanceOf(JsonRpcException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-32000, 'message': 'no'",
                "-32602, 'message': 'no', 'data': {'supported': ['2024-10-07']}"
            })
    void aGreetingThatAnOlderServerRefusesEndsTheSearch(String refusal) throws Exception {
        Background<McpClient> refused = Background.call(() -> client().connect(server, timers));
        untilGreetingIsRefused(refusal);
        assertThatThrownBy(refused::result).isInstanceOf(CallException.class);
    }

    /** Returns the discovery, which has no answer yet. */
    private JsonObject untilGreetingIsRefused(String error) throws InterruptedException {
        server.keep("initialize");
        JsonObject discover = server.next("server/discover");
        timers.awaitTimers(2);
        timers.advance(Duration.ofSeconds(5));
        server.send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": {\"code\": %s}}"
                        .formatted(server.next("initialize").get("id"), error.replace('\'', '"')));
        return discover;
    }

    @Test
    void aServerThatEndsIsStartedAgainAndGreeted() throws Exception {
        Background<McpClient> connecting = Background.call(() -> client().connect(server, timers));
        server.next("server/discover");
        server.vanish();
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        assertThat(server.connections).hasValue(2);
        server.expectNothing();
    }

    @Test
    void aClientOfTheNewRevisionAloneNeverGreets() {
        server.on("server/discover", params -> "error:{\"code\": -32601, \"message\": \"what?\"}");
        assertThatThrownBy(
                        () ->
                                McpClient.named("desk", "1")
                                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                        .connect(server, timers))
                .isInstanceOf(JsonRpcException.class);
        server.expectNothing();
    }

    /** The same server, which can be remembered. */
    private record Named(FakeServer server, Object name) implements Remote {
        @Override
        public Link connect(SessionHost host) throws IOException {
            return server.connect(host);
        }

        @Override
        public Optional<Object> place() {
            return Optional.of(name);
        }
    }

    @Test
    @Requirement("N26-LIFE-015")
    void theEraOfAServerIsRememberedUntilItNoLongerHolds() throws Exception {
        Named named = new Named(server, new Object());
        server.on("server/discover", UNKNOWN);
        client().connect(named, timers).close();
        server.keep("server/discover");
        try (McpClient client = client().connect(named, timers)) { // asks nothing
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        server.expectNothing();

        // a newer one has taken its place
        server.on("server/discover", DISCOVERED).on("initialize", UNKNOWN);
        try (McpClient client = client().connect(named, timers)) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
    }

    @Test
    @Requirement("N26-LIFE-015")
    void aServerKnownToNeedNoGreetingIsOnlyAsked() throws Exception {
        Named named = new Named(server, new Object());
        server.on("server/discover", DISCOVERED);
        client().connect(named, timers).close();
        server.keep("server/discover");
        Background<McpClient> connecting = Background.call(() -> client().connect(named, timers));
        JsonObject discover = server.next("server/discover");
        timers.awaitTimers(1);
        timers.advance(Duration.ofSeconds(20)); // the probe of an unknown server ends after 5 s
        server.answer(discover, DISCOVERED);
        try (McpClient client = connecting.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
        server.expectNothing();
    }

    @Test
    @Requirement("N26-LIFE-015")
    void anOlderServerInThePlaceOfANewOneIsFoundOutByTheNextConnection() throws Exception {
        Named named = new Named(server, new Object());
        server.on("server/discover", DISCOVERED);
        client().connect(named, timers).close();
        server.keep("server/discover");
        Background<McpClient> waiting = Background.call(() -> client().connect(named, timers));
        server.next("server/discover");
        timers.awaitTimers(1);
        timers.advance(Duration.ofSeconds(30));
        assertThatThrownBy(waiting::result).isInstanceOf(RequestTimeoutException.class);
        Background<McpClient> asking = Background.call(() -> client().connect(named, timers));
        server.next("server/discover");
        server.vanish();
        try (McpClient client = asking.result()) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
    }

    @Test
    void aCallToAServerThatChangedItsRevisionsFailsAndSaysSo() throws Exception {
        server.on("server/discover", DISCOVERED)
                .on("tools/call", "error:{\"code\": -32022, \"message\": \"unsupported\"}")
                .on("tools/list", "{\"tools\": []}");
        try (McpClient client = client().connect(server, timers)) {
            server.on("server/discover", UNKNOWN);
            assertThatThrownBy(() -> client.callTool("t", JsonObject.EMPTY))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            e -> assertThat(e.answeredRequest()).contains("tools/call"))
                    .hasMessage(
                            "unsupported; the server no longer speaks revision 2026-07-28, so"
                                    + " the next request uses a new connection");
            assertThat(client.tools()).isEmpty();
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        assertThat(server.connections).hasValue(2);
    }

    @Test
    @Requirement("N26-LIFE-015")
    void aHandshakeIsRememberedForAnHour() throws Exception {
        Named named = new Named(server, new Object());
        server.on("server/discover", params -> "error:{\"code\": -32601, \"message\": \"what?\"}");
        client().connect(named, timers).close();
        server.on("server/discover", DISCOVERED);
        try (McpClient client = client().connect(named, timers)) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
        timers.advance(Duration.ofMinutes(31));
        client().connect(named, timers).close(); // which does not make it longer
        timers.advance(Duration.ofMinutes(30));
        try (McpClient client = client().connect(named, timers)) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
    }

    private static final String UNKNOWN =
            "error:{\"code\": -32601, \"message\": \"Method not found\"}";

    @Test
    @Timeout(60)
    void anErrorEndsTheNegotiation() {
        server.on(
                "server/discover",
                params -> {
                    throw new LinkageError("expected by this test");
                });
        assertThatThrownBy(() -> client().connect(server, timers))
                .hasStackTraceContaining("expected by this test");
        assertThat(server.closings).hasValue(1);
    }

    @Test
    void aClientThatDoesNotAskFindsNothingOutForOthers() throws Exception {
        Named named = new Named(server, new Object());
        server.on("server/discover", DISCOVERED);
        McpClient.named("old", "1")
                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                .connect(named, timers)
                .close();
        try (McpClient client = client().connect(named, timers)) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        }
    }

    @Test
    @Requirement({"N26-BASE-005", "N26-STDIO-003"})
    void requestsOfTheServerAreDropped() throws Exception {
        server.on("server/discover", DISCOVERED).on("tools/list", "{\"tools\": []}");
        try (McpClient client = client().connect(server, timers)) {
            server.ask(7, "roots/list", "{}");
            server.ask(8, "ping", "{}");
            client.tools();
            server.expectNothing();
        }
    }

    @Test
    @Requirement("N26-STDIO-009")
    void aServerThatEndedIsStartedAgainThreeTimesAMinute() throws Exception {
        server.on("server/discover", DISCOVERED).on("tools/list", "{\"tools\": []}");
        try (McpClient client = client().connect(server, timers)) {
            for (int i = 0; i < 3; i++) {
                server.vanish();
                assertThat(client.tools()).isEmpty();
                timers.advance(Duration.ofSeconds(10));
            }
            server.vanish();
            assertThatThrownBy(client::tools).hasMessageContaining("three times a minute");
            timers.advance(Duration.ofSeconds(29));
            assertThatThrownBy(client::tools).hasMessageContaining("three times a minute");
            timers.advance(Duration.ofSeconds(1)); // a minute after the first of the three
            assertThat(client.tools()).isEmpty();
        }
        assertThat(server.connections).hasValue(5);
    }

    @Test
    @Requirement("N26-META-002")
    void theProgramIsNamedOnlyWhereItMustBeIfThatIsWanted() throws Exception {
        Background<McpClient> connecting =
                Background.call(() -> client().withoutClientInfo().connect(server, timers));
        JsonObject discover = server.next("server/discover");
        assertThat(discover.toJson())
                .contains("io.modelcontextprotocol/protocolVersion")
                .doesNotContain("clientInfo", "desk");
        server.answer(discover, DISCOVERED);
        try (McpClient client = connecting.result()) {
            Background<Object> listing = Background.call(client::tools);
            JsonObject list = server.next("tools/list");
            assertThat(list.toJson()).doesNotContain("clientInfo", "desk");
            server.answer(list, "{\"tools\": []}");
            listing.result();
        }

        server.on("server/discover", UNKNOWN).keep("initialize");
        Background<McpClient> greeting =
                Background.call(() -> client().withoutClientInfo().connect(server, timers));
        JsonObject initialize = server.next("initialize");
        assertThat(initialize.object("params").object("clientInfo").string("name"))
                .isEqualTo("desk");
        server.answer(
                initialize,
                """
                {"protocolVersion": "2025-11-25", "capabilities": {},
                 "serverInfo": {"name": "fake", "version": "7"}}\
                """);
        greeting.result().close();
    }

    @Test
    @Requirement("N26-META-003")
    void aListenerToLogMessagesMeansLevelInfo() throws Exception {
        server.on("server/discover", DISCOVERED);
        try (McpClient client = client().onLog(entry -> {}).connect(server, timers)) {
            Background<Object> listing = Background.call(client::tools);
            JsonObject list = server.next("tools/list");
            assertThat(
                            list.object("params")
                                    .object("_meta")
                                    .get("io.modelcontextprotocol/logLevel"))
                    .isEqualTo(JsonValue.of("info"));
            server.answer(list, "{\"tools\": []}");
            listing.result();
        }
    }

    @Test
    @Requirement({"N26-META-003", "N26-LOG-005"})
    void theLevelOfLogMessagesIsInEachRequest() throws Exception {
        server.on("server/discover", DISCOVERED);
        try (McpClient client = client().connect(server, timers)) {
            client.setLoggingLevel(dev.fairlead.protocol.logging.LoggingLevel.WARNING);
            Background<Object> listing = Background.call(client::tools);
            JsonObject list = server.next("tools/list");
            assertThat(
                            list.object("params")
                                    .object("_meta")
                                    .get("io.modelcontextprotocol/logLevel"))
                    .isEqualTo(JsonValue.of("warning"));
            server.answer(list, "{\"tools\": []}");
            listing.result();
        }
    }
}
