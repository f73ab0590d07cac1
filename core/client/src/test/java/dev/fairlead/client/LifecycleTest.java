package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How a connection begins and ends. */
final class LifecycleTest {
    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();

    @Test
    @Requirement({
        "BASE-001",
        "LIFE-001",
        "LIFE-002",
        "LIFE-004",
        "LIFE-005",
        "LIFE-007",
        "LIFE-008",
        "LIFE-022",
        "ROOM-037"
    })
    void theHandshakeOffersTheNewestRevisionAndEndsWithInitialized() throws Exception {
        server.keep("initialize").keep("notifications/initialized");
        Background<McpClient> connecting =
                Background.call(
                        () -> McpClient.named("desk", "1.4").title("Desk").connect(server, timers));

        JsonObject initialize = server.next("initialize");
        assertThat(initialize.object("params"))
                .isEqualTo(
                        json(
                                """
                                {"protocolVersion": "2025-11-25", "capabilities": {},
                                 "clientInfo": {"name": "desk", "version": "1.4", "title": "Desk"}}\
                                """));
        server.expectNothing();
        server.answer(
                initialize,
                """
                {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}\
                """);
        assertThat(server.next())
                .isEqualTo(
                        json(
                                "{'jsonrpc': '2.0', 'method': 'notifications/initialized'}"
                                        .replace('\'', '"')));
        connecting.result().close();
    }

    @Test
    @Requirement({"LIFE-003", "LIFE-018", "LIFE-021"})
    void whatTheServerSaysOfItselfCanBeRead() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            assertThat(client.serverInfo()).isEqualTo(new Implementation("fake", "7"));
            assertThat(client.serverCapabilities().resourcesSubscribe()).isTrue();
            assertThat(client.instructions()).contains("Be kind.");
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        }
    }

    @Test
    @Requirement({"LIFE-013", "LIFE-015", "VERS-001"})
    void anOlderRevisionThatBothSpeakIsAccepted() throws Exception {
        server.greet("2024-11-05", "{}");
        try (McpClient client = McpClient.connect(server)) {
            assertThat(client.revision()).isEqualTo(Revision.V2024_11_05);
        }
    }

    @Test
    @Requirement({"LIFE-012", "LIFE-033", "ROOM-036"})
    void anUnsupportedRevisionEndsTheConnection() {
        server.greet("2031-01-01", "{}");
        assertThatThrownBy(() -> McpClient.connect(server))
                .isInstanceOfSatisfying(
                        UnsupportedRevisionException.class,
                        e -> assertThat(e.serverRevision()).isEqualTo("2031-01-01"))
                .hasMessage(
                        "The server speaks revision 2031-01-01 of the protocol, but this client"
                                + " speaks only 2024-11-05 to 2026-07-28");
        assertThat(server.closings).hasValue(1);
        server.expectNothing();
    }

    @Test
    @Requirement({"LIFE-012", "LIFE-033"})
    void aRevisionThatTheServerNamesButDoesNotServeIsReported() {
        server.greet("2026-07-28", "{}"); // which has no handshake
        assertThatThrownBy(() -> McpClient.connect(server))
                .isInstanceOf(UnsupportedRevisionException.class)
                .hasMessage(
                        "The server names revision 2026-07-28 of the protocol, which this client"
                                + " speaks, but answered neither server/discover nor initialize as"
                                + " a server of it does");
    }

    @Test
    @Requirement({"LIFE-012", "VERS-001"})
    void aRevisionBelowTheOldestAcceptedEndsTheConnection() {
        server.greet("2025-03-26", "{}");
        assertThatThrownBy(
                        () ->
                                McpClient.named("desk", "1")
                                        .revisions(
                                                Revision.V2025_06_18,
                                                Revision.NEWEST_WITH_HANDSHAKE)
                                        .connect(server))
                .isInstanceOf(UnsupportedRevisionException.class);
        assertThat(server.closings).hasValue(1);
    }

    @Test
    @Requirement("ROOM-035")
    void aServerThatRefusesTheRevisionWithAListIsAskedForTheNewestOfIt() throws Exception {
        server.on(
                "initialize",
                params ->
                        params.string("protocolVersion").equals("2025-11-25")
                                ? """
                                error:{"code": -32602, "message": "Unsupported protocol version",
                                 "data": {"supported": ["2024-11-05", "2025-06-18"], "requested": "2025-11-25"}}\
                                """
                                : """
                                {"protocolVersion": "2025-06-18", "capabilities": {},
                                 "serverInfo": {"name": "s", "version": "1"}}\
                                """);
        try (McpClient client = McpClient.connect(server)) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_06_18);
        }
    }

    @Test
    @Requirement({"ROOM-035", "ROOM-036"})
    void aServerThatRefusesAndSpeaksNothingKnownIsLeft() {
        server.on(
                "initialize",
                """
                error:{"code": -32602, "message": "Unsupported", "data": {"supported": ["1999-01-01"]}}\
                """);
        assertThatThrownBy(() -> McpClient.connect(server))
                .isInstanceOf(UnsupportedRevisionException.class)
                .hasMessageContaining("1999-01-01");
        assertThat(server.closings).hasValue(1);
    }

    @Test
    @Requirement("LIFE-033")
    void aServerThatRefusesForAnotherReasonIsLeftWithItsError() {
        server.on("initialize", "error:{\"code\": -32000, \"message\": \"Closed on Sundays\"}");
        assertThatThrownBy(() -> McpClient.connect(server))
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("Closed on Sundays");
        assertThat(server.closings).hasValue(1);
    }

    @Test
    @Requirement({"LIFE-023", "CANC-004", "LIFE-028"})
    void initializeIsNeverCancelledButTheConnectionCloses() throws Exception {
        server.keep("initialize");
        Background<McpClient> connecting =
                Background.call(
                        () ->
                                McpClient.named("desk", "1")
                                        .requestTimeout(Duration.ofSeconds(5))
                                        .connect(server, timers));
        server.next("initialize");
        timers.awaitTimers(1);
        timers.advance(Duration.ofSeconds(5));
        assertThatThrownBy(connecting::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("initialize: no answer within 5 s");
        assertThat(server.closings).hasValue(1);
        server.expectNothing();
    }

    @Test
    @Requirement({"LIFE-023", "CANC-004"})
    void anInterruptWhileConnectingClosesTheConnectionWithoutCancelling() throws Exception {
        server.keep("initialize");
        Background<McpClient> connecting = Background.call(() -> McpClient.connect(server));
        server.next("initialize");
        connecting.interrupt();
        assertThatThrownBy(connecting::result).isInstanceOf(InterruptedException.class);
        assertThat(server.closings).hasValue(1);
        server.expectNothing();
    }

    @Test
    void aServerThatCannotBeReachedIsAConnectionException() {
        assertThatThrownBy(
                        () ->
                                McpClient.connect(
                                        host -> {
                                            throw new IOException("no route");
                                        }))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("the server cannot be reached: no route")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    @Requirement("LIFE-028")
    void aTransportThatNeverConnectsIsGivenUp() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Background<McpClient> connecting =
                Background.call(
                        () ->
                                McpClient.named("desk", "1")
                                        .connect(
                                                host -> {
                                                    try {
                                                        new CountDownLatch(1).await();
                                                        throw new AssertionError();
                                                    } catch (InterruptedException e) {
                                                        interrupted.countDown();
                                                        throw e;
                                                    }
                                                },
                                                timers));
        timers.awaitTimers(1);
        timers.advance(Duration.ofSeconds(30));
        assertThatThrownBy(connecting::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("no connection within 30 s");
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aLazyClientConnectsWithItsFirstRequest() throws Exception {
        server.on("ping", "{}");
        try (McpClient client = McpClient.named("desk", "1").lazy().connect(server)) {
            assertThat(server.connections).hasValue(0);
            assertThatThrownBy(client::serverInfo).isInstanceOf(IllegalStateException.class);
            client.ping();
            client.ping();
            assertThat(server.connections).hasValue(1);
            assertThat(client.serverInfo().name()).isEqualTo("fake");
        }
    }

    @Test
    void aLazyClientWhoseFirstConnectionFailsTriesAgain() throws Exception {
        server.on("ping", "{}")
                .on("initialize", "error:{\"code\": -32000, \"message\": \"not yet\"}");
        try (McpClient client = McpClient.named("desk", "1").lazy().connect(server)) {
            assertThatThrownBy(client::ping).hasMessage("not yet");
            assertThat(server.closings).hasValue(1);
            server.greet("2025-11-25", "{}");
            client.ping();
        }
    }

    @Test
    @Requirement({"LIFE-016", "LIFE-033", "LIFE-034", "PROMPT-009"})
    void whatTheServerDidNotDeclareFailsHereAndNamesTheCapability() throws Exception {
        server.greet("2025-11-25", "{\"resources\": {}}");
        try (McpClient client = McpClient.connect(server)) {
            assertMissing("tools", client::tools);
            assertMissing("tools", () -> client.callTool("x", JsonObject.EMPTY));
            assertMissing("prompts", client::prompts);
            assertMissing("completions", () -> client.complete(new PromptReference("p"), "a", ""));
            assertMissing("logging", () -> client.setLoggingLevel(LoggingLevel.INFO));
            assertMissing("resources.subscribe", () -> client.watch("a:b", uri -> {}));
            assertMissing("tools", () -> client.request("tools/list", JsonObject.EMPTY));
            server.expectNothing();
        }
    }

    @Test
    @Requirement("VERS-028")
    void inAnOlderRevisionTooWhatWasNotDeclaredFailsHere() throws Exception {
        server.greet("2024-11-05", "{}");
        try (McpClient client = McpClient.connect(server)) {
            assertMissing("tools", client::tools);
            server.expectNothing();
        }
    }

    private static void assertMissing(String capability, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(capability))
                .hasMessageContaining(capability);
    }

    @Test
    @Requirement("VERS-011")
    void completionIsTriedWithAServerOfTheOldestRevisionThatCannotDeclareIt() throws Exception {
        server.greet("2024-11-05", "{}")
                .on("completion/complete", "{\"completion\": {\"values\": [\"a\"]}}");
        try (McpClient client = McpClient.connect(server)) {
            assertThat(client.complete(new PromptReference("p"), "x", "").completion().values())
                    .containsExactly("a");
        }
    }

    @Test
    @Requirement({"LIFE-019", "BASE-020"})
    void whatTheServerDeclaresBeyondTheProtocolIsKept() throws Exception {
        server.greet(
                "2025-11-25",
                "{\"tools\": {}, \"experimental\": {\"x\": {}}, \"zebra\": {\"stripes\": 9}}");
        try (McpClient client = McpClient.connect(server)) {
            assertThat(client.serverCapabilities().tools()).isTrue();
            assertThat(client.serverCapabilities().toolsListChanged()).isFalse();
            assertThat(client.serverCapabilities().experimental()).isEqualTo(json("{\"x\": {}}"));
            assertThat(client.serverCapabilities().otherMembers().get("zebra"))
                    .isEqualTo(json("{\"stripes\": 9}"));
        }
    }

    @Test
    @Requirement({"LIFE-026", "LIFE-027", "ROOM-038"})
    void closeUnblocksWaitingCallersAndThenClosesTheTransport() throws Exception {
        McpClient client = McpClient.connect(server);
        Background<Object> calling = Background.call(() -> client.tools());
        server.next("tools/list");
        client.close();
        assertThatThrownBy(calling::result)
                .isInstanceOf(ConnectionException.class)
                .hasMessage("the client is closed");
        assertThat(server.closings).hasValue(1);
        server.expectNothing();

        client.close();
        assertThat(server.closings).hasValue(1);
        assertThatThrownBy(client::ping)
                .isInstanceOf(ConnectionException.class)
                .hasMessage("the client is closed");
    }

    @Test
    void closeUnblocksConnectingCallers() throws Exception {
        server.keep("initialize");
        McpClient client = McpClient.named("desk", "1").lazy().connect(server);
        Background<Object> first = Background.call(() -> client.tools());
        server.next("initialize");
        Background<Object> second = Background.call(() -> client.tools());
        client.close();
        assertThatThrownBy(first::result).isInstanceOf(ConnectionException.class);
        assertThatThrownBy(second::result).isInstanceOf(ConnectionException.class);
    }

    @Test
    void callersThatWaitForAnAttemptShareItsFailure() throws Exception {
        server.keep("initialize").keep("server/discover");
        ManualTimers timers = new ManualTimers();
        try (McpClient client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                        .lazy()
                        .connect(server, timers)) {
            List<Background<Object>> calls = new ArrayList<>();
            calls.add(Background.call(() -> client.tools()));
            JsonObject first = server.next("initialize");
            for (int i = 0; i < 4; i++) {
                Background<Object> call = Background.call(() -> client.tools());
                await().until(() -> call.thread.getState() == Thread.State.WAITING);
                calls.add(call);
            }
            server.refuse(first, -32603, "The server is starting");
            server.refuse(server.next("initialize"), -32603, "It is still starting");
            for (Background<Object> call : calls) {
                assertThatThrownBy(call::result).isInstanceOf(JsonRpcException.class);
            }
            assertThat(server.connections).hasValue(2); // one for all that came meanwhile
        }
    }

    @Test
    void closeUnblocksCallersThatWaitForTheTransport() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(1);
        McpClient client =
                McpClient.named("desk", "1")
                        .lazy()
                        .connect(
                                host -> {
                                    waiting.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                        throw e;
                                    }
                                    throw new AssertionError();
                                });
        Background<Object> calling = Background.call(() -> client.tools());
        assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThatThrownBy(calling::result).hasMessage("the client is closed");
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aMalformedGreetingEndsTheConnection() {
        server.on("initialize", "{\"capabilities\": {}}");
        assertThatThrownBy(() -> McpClient.connect(server))
                .isInstanceOf(InvalidResultException.class);
        assertThat(server.closings).hasValue(1);
    }

    @Test
    void aClosedLazyClientDoesNotConnectAnyMore() throws Exception {
        McpClient client = McpClient.named("desk", "1").lazy().connect(server);
        client.close();
        assertThatThrownBy(client::ping)
                .isInstanceOf(ConnectionException.class)
                .hasMessage("the client is closed");
        assertThat(server.connections).hasValue(0);
    }

    @Test
    @Requirement("LIFE-027")
    void aLostConnectionFailsWhatWaitsAndWhatComes() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            Background<Object> calling = Background.call(() -> client.tools());
            server.next("tools/list");
            server.vanish();
            assertThatThrownBy(calling::result).isInstanceOf(ConnectionException.class);
            assertThatThrownBy(client::ping).isInstanceOf(ConnectionException.class);
        }
    }

    @Test
    @Requirement({"LIFE-017", "ROOT-001", "SAMP-001", "ELIC-001", "ELIC-002", "ROOM-069"})
    void capabilitiesFollowFromTheHandlers() throws Exception {
        assertThat(capabilities(McpClient.named("a", "1"))).isEqualTo(json("{}"));
        assertThat(capabilities(McpClient.named("a", "1").onElicitForm(form -> Answer.decline())))
                .isEqualTo(json("{\"elicitation\": {}}"));
        assertThat(capabilities(McpClient.named("a", "1").onElicitUrl(link -> Answer.decline())))
                .isEqualTo(json("{\"elicitation\": {\"url\": {}}}"));
        assertThat(
                        capabilities(
                                McpClient.named("a", "1")
                                        .onElicitForm(form -> Answer.decline())
                                        .onElicitUrl(link -> Answer.decline())
                                        .onSample(
                                                request -> {
                                                    throw new UserRejectedException();
                                                })
                                        .sampleTools()
                                        .sampleContext()
                                        .roots()
                                        .extension("io.example/z", json("{\"z\": 1}"))
                                        .experimental("x", json("{\"y\": 1}"))))
                .isEqualTo(
                        json(
                                """
                                {"roots": {"listChanged": true}, "sampling": {"tools": {}, "context": {}},
                                 "elicitation": {"form": {}, "url": {}}, "experimental": {"x": {"y": 1}},
                                 "extensions": {"io.example/z": {"z": 1}}}\
                                """));
    }

    @Test
    @Requirement({"VERS-003", "VERS-007"})
    void aClientThatOffersAnOlderRevisionDeclaresOnlyWhatThatKnows() throws Exception {
        JsonObject declared =
                capabilities(
                        McpClient.named("a", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_06_18)
                                .onElicitForm(form -> Answer.decline())
                                .onElicitUrl(link -> Answer.decline())
                                .onSample(
                                        request -> {
                                            throw new UserRejectedException();
                                        })
                                .sampleTools());
        assertThat(declared).isEqualTo(json("{\"sampling\": {}, \"elicitation\": {}}"));
    }

    private static JsonObject capabilities(McpClient.Builder builder) throws Exception {
        FakeServer server = new FakeServer().greet("2025-06-18", "{}");
        JsonObject[] declared = new JsonObject[1];
        server.on(
                "initialize",
                params -> {
                    declared[0] = params.object("capabilities");
                    return """
                    {"protocolVersion": "2025-06-18", "capabilities": {},
                     "serverInfo": {"name": "s", "version": "1"}}\
                    """;
                });
        builder.connect(server).close();
        return declared[0];
    }

    @Test
    @Requirement({"BASE-004", "BASE-006"})
    void everyRequestOfASessionHasAnIdOfItsOwn() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            Background<Object> first =
                    Background.call(() -> client.request("ping", JsonObject.EMPTY));
            JsonValue firstId = server.next("ping").get("id");
            Background<Object> second =
                    Background.call(() -> client.request("ping", JsonObject.EMPTY));
            JsonObject secondRequest = server.next("ping");
            assertThat(secondRequest.get("id")).isNotEqualTo(firstId);
            server.answer(secondRequest, "{\"n\": 2}");
            server.send("{\"jsonrpc\":\"2.0\",\"id\":" + firstId + ",\"result\":{\"n\":1}}");
            assertThat(first.result()).isEqualTo(json("{\"n\": 1}"));
            assertThat(second.result()).isEqualTo(json("{\"n\": 2}"));
        }
    }
}
