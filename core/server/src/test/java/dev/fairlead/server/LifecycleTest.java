package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.lifecycle.Handshake;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** From the handshake to the end of a session. */
class LifecycleTest {
    enum Size {
        SMALL,
        LARGE
    }

    record Order(Size size) {}

    private static McpServer.Builder server() {
        return McpServer.named("hello", "1.0.0")
                .tool("echo", "Tested", NoInput.class, String.class)
                .handle((none, call) -> "echo");
    }

    @Test
    @Requirement({"LIFE-001", "LIFE-003", "LIFE-009"})
    void initializeAnswersWithWhatTheServerIs() throws Exception {
        Implementation self =
                new Implementation("hello", "1.0.0")
                        .withTitle("Hello")
                        .withDescription("Greets")
                        .withWebsiteUrl("https://hello.example")
                        .withIcons(List.of(new Icon("https://hello.example/i.png")));
        try (McpServer server =
                        McpServer.named(self)
                                .instructions("Greet politely")
                                .experimental(JsonObject.of("x", JsonObject.EMPTY))
                                .build();
                Peer peer = Peer.raw(server)) {
            assertThat(peer.initialize("2025-11-25", "{}"))
                    .isEqualTo(
                            json(
                                    """
                                    {"protocolVersion": "2025-11-25",
                                     "capabilities": {"logging": {}, "experimental": {"x": {}}},
                                     "serverInfo": {"name": "hello", "version": "1.0.0", "title": "Hello", "description": "Greets",
                                        "websiteUrl": "https://hello.example", "icons": [{"src": "https://hello.example/i.png"}]},
                                     "instructions": "Greet politely"}\
                                    """));
        }
    }

    @Test
    void theParametersOfInitializeAreBounded() throws Exception {
        String start =
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"";
        String end = "\",\"version\":\"1\"}}";
        int most = Handshake.MAX_BYTES - start.length() - end.length();
        try (McpServer server = server().build()) {
            try (Peer peer = Peer.raw(server)) {
                JsonObject refused = peer.error("initialize", start + "x".repeat(most + 1) + end);
                assertThat(Peer.code(refused)).isEqualTo(-32000);
                assertThat(refused.string("message"))
                        .isEqualTo(
                                "The parameters of initialize may have 65536 bytes but have 65537");
            }
            try (Peer peer = Peer.raw(server)) {
                peer.call("initialize", start + "x".repeat(most) + end);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Revision.class, mode = EnumSource.Mode.EXCLUDE, names = "V2026_07_28")
    @Requirement({"LIFE-009", "LIFE-013", "VERS-001", "VERS-002"})
    void aSupportedVersionIsAgreedOn(Revision revision) throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            assertThat(peer.initialize(revision.date(), "{}").string("protocolVersion"))
                    .isEqualTo(revision.date());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1999-01-01", "2099-01-01", ""})
    @Requirement({"LIFE-010", "LIFE-011", "LIFE-033", "ROOM-035"})
    void anyOtherVersionIsAnsweredWithTheNewest(String version) throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            assertThat(peer.initialize(version, "{}").string("protocolVersion"))
                    .isEqualTo("2025-11-25");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"capabilities\": {}, \"clientInfo\": {\"name\": \"a\", \"version\": \"1\"}}",
                "{\"protocolVersion\": 7, \"capabilities\": {}, \"clientInfo\": {\"name\": \"a\","
                        + " \"version\": \"1\"}}"
            })
    @Requirement({"ROOM-035", "ERR-020"})
    void aVersionThatIsMissingOrMalformedIsAnInvalidParameter(String params) throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            JsonObject error = peer.error("initialize", params);

            assertThat(Peer.code(error)).isEqualTo(-32602);
            assertThat(error.object("data").array("supported"))
                    .isEqualTo(JsonArray.of(Revision.dates(List.of(Revision.values())).toArray()));
        }
    }

    @Test
    @Requirement({
        "LIFE-018",
        "LIFE-020",
        "TOOL-001",
        "RES-001",
        "PROMPT-001",
        "COMP-001",
        "LOG-001"
    })
    void capabilitiesFollowFromTheFeatures() throws Exception {
        try (McpServer server =
                        server().resource("a://b", "b", String.class)
                                .handle((request, call) -> "b")
                                .prompt("p", "Tested", Order.class)
                                .handle(
                                        (order, call) ->
                                                GetPromptResult.of(PromptMessage.user("hi")))
                                .build();
                Peer peer = Peer.raw(server)) {
            assertThat(peer.initialize("2025-11-25", "{}").object("capabilities"))
                    .isEqualTo(
                            json(
                                    """
                                    {"tools": {"listChanged": true}, "resources": {"subscribe": true, "listChanged": true},
                                     "prompts": {"listChanged": true}, "completions": {}, "logging": {}}\
                                    """));
        }
    }

    @Test
    @Requirement("VERS-010")
    void completionsAreNotDeclaredInTheOldestRevision() throws Exception {
        try (McpServer server =
                        server().prompt("p", "Tested", Order.class)
                                .handle(
                                        (order, call) ->
                                                GetPromptResult.of(PromptMessage.user("hi")))
                                .build();
                Peer peer = Peer.raw(server)) {
            assertThat(
                            peer.initialize("2024-11-05", "{}")
                                    .object("capabilities")
                                    .has("completions"))
                    .isFalse();
            assertThat(
                            peer.call(
                                            "completion/complete",
                                            """
                                            {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "size", "value": "S"}}\
                                            """)
                                    .object("completion")
                                    .array("values")
                                    .toJson())
                    .isEqualTo("[\"SMALL\"]");
        }
    }

    @Test
    @Requirement({"LIFE-001", "ERR-003", "ROOM-040", "PING-001"})
    void beforeInitializeOnlyPingIsAnswered() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            assertThat(peer.call("ping", "{}")).isEqualTo(JsonObject.EMPTY);
            assertThat(Peer.code(peer.error("tools/list", "{}"))).isEqualTo(-32600);
            assertThat(peer.initialize("2025-11-25", "{}").has("serverInfo")).isTrue();
        }
    }

    @Test
    @Requirement({"LIFE-035", "ERR-003"})
    void aSecondInitializeIsRefused() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            JsonObject error =
                    peer.error(
                            "initialize",
                            """
                            {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}\
                            """);

            assertThat(Peer.code(error)).isEqualTo(-32600);
            assertThat(peer.callTool("echo", "{}").has("content")).isTrue();
        }
    }

    @Test
    @Requirement("ROOM-040")
    void requestsMayOvertakeTheInitializedNotification() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            peer.initialize("2025-11-25", "{}");

            assertThat(peer.callTool("echo", "{}").has("content")).isTrue();
        }
    }

    @Test
    @Requirement({"LIFE-006", "ROOM-040"})
    void nothingIsAskedBeforeTheClientSaysThatItIsInitialized() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("roots", "Tested", NoInput.class, String.class)
                                .handle((none, call) -> call.roots().toString())
                                .build();
                Peer peer = Peer.raw(server)) {
            peer.initialize("2025-11-25", "{\"roots\": {}}");
            Pending call = peer.request("tools/call", "{\"name\": \"roots\"}");
            assertThat(peer.rest()).isEmpty();

            peer.notify("notifications/initialized", null);

            peer.answer(peer.next("roots/list"), "{\"roots\": []}");
            assertThat(Peer.text(call.result())).isEqualTo("[]");
        }
    }

    @Test
    @Requirement("LIFE-019")
    void unknownCapabilitiesAreIgnored() throws Exception {
        try (McpServer server = server().build();
                Peer peer =
                        Peer.of(
                                server,
                                Revision.NEWEST_WITH_HANDSHAKE,
                                "{\"teleport\": {\"far\": true}, \"roots\": {}}")) {
            assertThat(peer.callTool("echo", "{}").has("content")).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nope",
                "sampling/createMessage",
                "tasks/list",
                "tasks/get",
                "tasks/result",
                "tasks/cancel",
                "tools/nope",
                "notifications/initialized"
            })
    @Requirement({"ERR-005", "VERS-005"})
    void anUnknownMethodIsNotFound(String method) throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.error(method, "{}"))
                    .isEqualTo(
                            json(
                                    "{\"code\": -32601, \"message\": \"Method not found: %s\"}"
                                            .formatted(method)));
        }
    }

    @Test
    @Requirement({"LIFE-027", "LIFE-026"})
    void theEndOfASessionInterruptsItsHandlersAndIsForgotten() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (McpServer server =
                McpServer.named("s", "1")
                        .tool("wait", "Tested", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    started.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                    }
                                    return "";
                                })
                        .build()) {
            Peer peer = Peer.of(server);
            peer.sendUnanswered("tools/call", "{\"name\": \"wait\"}");
            started.await();
            assertThat(server.sessions()).isEqualTo(1);

            peer.close();

            interrupted.await();
            assertThat(server.sessions()).isZero();
        }
    }

    @Test
    @Requirement("LIFE-025")
    void closingTheServerEndsItsSessionsAndTakesNoMore() throws Exception {
        McpServer server = server().build();
        Peer peer = Peer.of(server);

        server.close();
        server.close();

        peer.awaitClosed();
        assertThatThrownBy(() -> Peer.raw(server))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the server is closed");
    }

    @Test
    @Requirement("ROOM-060")
    void sessionsAreBounded() throws Exception {
        try (McpServer server = server().maxSessions(2).build();
                Peer first = Peer.of(server);
                Peer second = Peer.of(server)) {
            assertThatThrownBy(() -> Peer.raw(server))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Session limit reached (2); raise McpServer.Builder.maxSessions");

            first.close();
            Peer.of(server).close();
            assertThat(second.callTool("echo", "{}").has("content")).isTrue();
        }
    }

    @Test
    @Requirement({"PING-003", "PING-004", "PING-005"})
    void aClientThatDoesNotAnswerPingsIsGivenUp() throws Exception {
        ManualTimers timers = new ManualTimers();
        try (McpServer server = server().keepAlive(Duration.ofSeconds(10), 2).build(timers);
                Peer peer = Peer.of(server)) {
            for (int missed = 0; missed < 2; missed++) {
                timers.awaitTimers(1); // of the next ping
                timers.advance(Duration.ofSeconds(10));
                peer.next("ping");
                timers.awaitTimers(1); // of its answer, which does not come
                timers.advance(Duration.ofSeconds(10));
            }
            await().until(() -> server.sessions() == 0);
        }
    }
}
