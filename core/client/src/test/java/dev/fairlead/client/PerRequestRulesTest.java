package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/**
 * Rules of revision 2026-07-28 for both sides, by the messages that a client sends and accepts over
 * a pipe.
 */
@Timeout(60)
final class PerRequestRulesTest {
    private static final String DONE = "{\"resultType\": \"complete\", \"content\": []}";
    private static final String QUESTIONS =
            """
            {"resultType": "input_required", "requestState": "s", "inputRequests": {
             "f": {"method": "elicitation/create", "params": {"message": "m",
              "requestedSchema": {"type": "object", "properties": {}}}},
             "r": {"method": "roots/list"}}}\
            """;
    private static final String TASK =
            """
            {"resultType": "task", "taskId": "t1", "status": "working", "ttlMs": null,
             "createdAt": "2026-07-28T00:00:00Z", "lastUpdatedAt": "2026-07-28T00:00:00Z"}\
            """;

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();

    PerRequestRulesTest() {
        discovered("{\"tools\": {}, \"prompts\": {}, \"resources\": {}}");
    }

    private void discovered(String capabilities) {
        server.on("server/discover", discovery(capabilities));
    }

    private static String discovery(String capabilities) {
        return """
        {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": %s,
         "ttlMs": 0, "cacheScope": "private"}\
        """
                .formatted(capabilities);
    }

    private static McpClient.Builder client() {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .requestTimeout(Duration.ofDays(1));
    }

    @CheckReturnValue
    private static Background<CallToolResult> call(ClientRequests requests) {
        return Background.call(() -> requests.callTool("pay", JsonObject.EMPTY));
    }

    private static JsonObject meta(JsonObject request) {
        return request.object("params").object("_meta");
    }

    private static JsonObject capabilities(JsonObject request) {
        return meta(request).object("io.modelcontextprotocol/clientCapabilities");
    }

    // ---- errors

    @ParameterizedTest
    @ValueSource(strings = {"\"text\"", "7", "false", "[1, null]", "{\"a\": {}}"})
    @Requirement("N26-BASE-010")
    void theDataOfAnErrorMayBeAnyJson(String data) throws Exception {
        server.on(
                "tools/call",
                params ->
                        "error:{\"code\": -7, \"message\": \"no\", \"data\": %s}".formatted(data));
        try (McpClient client = client().connect(server, timers)) {
            assertThatThrownBy(() -> client.callTool("pay", JsonObject.EMPTY))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(-7);
                                assertThat(e.data()).isEqualTo(JsonValue.parse(data));
                            });
        }
    }

    @Test
    @Requirement({"N26-BASE-015", "N26-BASE-016", "N26-BASE-017"})
    void noErrorIsEverSent() throws Exception {
        try (McpClient client =
                client().roots(new Root("file:///a"))
                        .onSample(
                                request -> {
                                    throw new JsonRpcException(-32020, "it has no header");
                                })
                        .onElicitForm(
                                form -> {
                                    throw new JsonRpcException(-32042, "first a page");
                                })
                        .onRequest(
                                "com.example/own",
                                params -> {
                                    throw new JsonRpcException(-32019, "of my own");
                                })
                        .connect(server, timers)) {
            // requests, which no server sends
            server.ask(1, "ping", "{}");
            server.ask(2, "roots/list", "{}");
            server.ask(3, "sampling/createMessage", "{}");
            server.ask(4, "elicitation/create", "{\"message\": 7}");
            server.ask(5, "resources/read", "{\"uri\": \"file:///none\"}");
            server.ask(6, "com.example/own", "{}");
            server.ask(7, "com.example/unknown", "{}");
            // questions, one of which fails
            Background<CallToolResult> paying = call(client);
            server.answer(server.next("tools/call"), QUESTIONS);
            assertThatThrownBy(paying::result)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32042));
            server.on("tools/list", "{\"resultType\": \"complete\", \"tools\": []}");
            client.tools();
            server.expectNothing();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-32000, -32001, -32003, -32010, -32019})
    @Requirement("N26-BASE-016")
    void aCodeWithoutAMeaningIsGivenToTheCaller(int code) throws Exception {
        try (McpClient client = // of both eras, for one of which some libraries had meanings
                McpClient.named("desk", "1").connect(server, timers)) {
            server.keep("server/discover").keep("initialize");
            Background<CallToolResult> paying = call(client);
            server.refuse(server.next("tools/call"), code, "no");
            assertThatThrownBy(paying::result)
                    .isExactlyInstanceOf(JsonRpcException.class)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(code));
            server.expectNothing(); // neither another discovery nor a handshake
        }
    }

    // ---- notifications

    @Test
    @Requirement("N26-BASE-021")
    void aNotificationHasNoIdAndIsNeverAnswered() throws Exception {
        try (McpClient client = client().roots(new Root("file:///a")).connect(server, timers)) {
            client.notify("com.example/news", JsonObject.EMPTY);
            assertThat(server.next("com.example/news").has("id")).isFalse();
            Background<CallToolResult> paying = call(client);
            server.next("tools/call");
            paying.interrupt();
            assertThat(server.next("notifications/cancelled").has("id")).isFalse();

            for (String method :
                    List.of(
                            "notifications/unknown",
                            "notifications/message",
                            "notifications/progress",
                            "notifications/tasks",
                            "notifications/subscriptions/acknowledged",
                            "ping",
                            "roots/list",
                            "tools/list")) {
                server.notifyClient(method, "{\"level\": 7, \"progressToken\": {}}");
            }
            server.on("tools/list", "{\"resultType\": \"complete\", \"tools\": []}");
            client.tools();
            server.expectNothing();
        }
    }

    @Test
    @Requirement("N26-CANC-003")
    void whatCrossesACancellationIsHarmless() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<CallToolResult> paying = call(client);
            JsonObject request = server.next("tools/call");
            paying.interrupt();
            assertThatThrownBy(paying::result).isInstanceOf(InterruptedException.class);
            assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                    .isEqualTo(request.get("id"));
            server.answer(request, DONE);
            server.refuse(request, -32603, "cancelled");
            server.answer(json("{\"id\": 4711}"), DONE);
            server.answer(json("{\"id\": \"never\"}"), DONE);
            server.notifyClient("notifications/cancelled", "{\"requestId\": 4711}");
            server.notifyClient("notifications/cancelled", "{\"requestId\": {}}");
            server.notifyClient("notifications/cancelled", "{\"requestId\": 1, \"reason\": []}");
            server.send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\"}");

            Background<CallToolResult> again = call(client);
            JsonObject next = server.next("tools/call");
            assertThat(next.get("id")).isNotEqualTo(request.get("id"));
            server.notifyClient(
                    "notifications/cancelled", "{\"requestId\": %s}".formatted(next.get("id")));
            server.answer(next, DONE); // the client alone may cancel its request
            assertThat(again.result().content()).isEmpty();
            server.expectNothing();
        }
    }

    // ---- metadata

    @Test
    @Requirement("N26-META-012")
    void aTraceContextIsAttachedAsItIsToEachRound() throws Exception {
        JsonObject trace =
                JsonObject.of(
                        "traceparent",
                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                        "tracestate",
                        "vendor=1,other=a:b",
                        "baggage",
                        "user=ada;level=1,place=Bod%C3%B8");
        try (McpClient client = client().roots(new Root("file:///a")).connect(server, timers)) {
            Background<CallToolResult> paying =
                    Background.call(
                            () ->
                                    client.callTool(
                                            new CallToolRequest("pay", JsonObject.EMPTY)
                                                    .withMeta(trace)));
            JsonObject first = server.next("tools/call");
            assertAttached(first, trace);
            server.answer(
                    first,
                    """
                    {"resultType": "input_required", "requestState": "s",
                     "inputRequests": {"r": {"method": "roots/list"}}}\
                    """);
            JsonObject second = server.next("tools/call");
            assertAttached(second, trace);
            server.answer(second, DONE);
            paying.result();

            Background<JsonObject> raw =
                    Background.call(
                            () -> client.request("com.example/own", JsonObject.of("_meta", trace)));
            JsonObject request = server.next("com.example/own");
            assertAttached(request, trace);
            server.answer(request, "{\"resultType\": \"complete\"}");
            raw.result();
        }
    }

    private static void assertAttached(JsonObject request, JsonObject trace) {
        assertThat(meta(request).names())
                .contains("io.modelcontextprotocol/protocolVersion")
                .containsAll(trace.names());
        trace.names()
                .forEach(
                        name ->
                                assertThat(meta(request).get(name))
                                        .as(name)
                                        .isEqualTo(trace.get(name)));
    }

    // ---- the extension for tasks

    @Nested
    class Extensions {
        private static final String BOTH =
                """
                {"tools": {"listChanged": true}, "prompts": {},
                 "extensions": {"io.modelcontextprotocol/tasks": {}, "com.example/other": {}}}\
                """;

        @Test
        @Requirement("N26-EXT-003")
        void aServerWithoutItIsCalledPlainly() throws Exception {
            try (McpClient client = client().acceptTasks().connect(server, timers)) {
                Background<CallToolResult> paying = call(client);
                JsonObject request = server.next("tools/call");
                assertThat(capabilities(request).has("extensions")).isFalse();
                server.answer(request, DONE);
                assertThat(paying.result().content()).isEmpty();

                assertThatThrownBy(
                                () ->
                                        client.startTool(
                                                new CallToolRequest("pay", JsonObject.EMPTY)))
                        .isInstanceOf(CapabilityException.class)
                        .hasMessageContaining("io.modelcontextprotocol/tasks");
                assertThatThrownBy(() -> client.getTask(new TaskId("t1")))
                        .isInstanceOf(CapabilityException.class)
                        .hasMessageContaining("io.modelcontextprotocol/tasks");
                server.expectNothing();
            }
        }

        @Test
        @Requirement("N26-EXT-003")
        void aTaskThatWasNotAllowedIsNoResult() throws Exception {
            discovered(BOTH);
            try (McpClient client = client().connect(server, timers)) {
                Background<CallToolResult> paying = call(client);
                server.answer(server.next("tools/call"), TASK);
                assertThatThrownBy(paying::result)
                        .isInstanceOf(InvalidResultException.class)
                        .hasMessageContaining("task");
                server.expectNothing();
            }
        }

        @Test
        @Requirement("N26-TASK-011")
        void aTaskThatIsLookedAtMayHaveTheTypeOfACreatedOne() throws Exception {
            discovered(BOTH);
            server.on("tasks/get", TASK);
            try (McpClient client = client().connect(server, timers)) {
                assertThat(client.getTask(new TaskId("t1")).status()).isEqualTo(TaskStatus.WORKING);
                assertThat(client.request("tasks/get", JsonObject.of("taskId", "t1")))
                        .isEqualTo(json(TASK));
            }
        }

        @Test
        @Requirement("N26-EXT-004")
        void itIsDeclaredByNoRequestUntilThatIsAskedFor() throws Exception {
            server.keep("server/discover");
            Background<McpClient> connecting =
                    Background.call(
                            () -> client().onToolsChanged(tools -> {}).connect(server, timers));
            JsonObject discover = server.next("server/discover");
            assertThat(capabilities(discover).has("extensions")).isFalse();
            server.answer(discover, discovery(BOTH));
            try (McpClient client = connecting.result()) {
                assertThat(capabilities(server.next("subscriptions/listen")).has("extensions"))
                        .isFalse();
                Background<CallToolResult> paying = call(client);
                JsonObject plain = server.next("tools/call");
                assertThat(capabilities(plain).has("extensions")).isFalse();
                server.answer(plain, DONE);
                paying.result();

                Background<TaskHandle<CallToolResult>> starting =
                        Background.call(
                                () ->
                                        client.startTool(
                                                new CallToolRequest("pay", JsonObject.EMPTY)));
                JsonObject asTask = server.next("tools/call");
                assertThat(capabilities(asTask).object("extensions").names())
                        .containsExactly("io.modelcontextprotocol/tasks");
                server.answer(asTask, DONE);
                starting.result();
            }
        }

        @Test
        @Requirement("N26-EXT-004")
        void itIsDeclaredByCallsAloneWhereTasksAreAccepted() throws Exception {
            discovered(BOTH);
            try (McpClient client = client().acceptTasks().connect(server, timers)) {
                Background<Object> listing = Background.call(client::prompts);
                JsonObject list = server.next("prompts/list");
                assertThat(capabilities(list).has("extensions")).isFalse();
                server.answer(list, "{\"resultType\": \"complete\", \"prompts\": []}");
                listing.result();

                Background<CallToolResult> paying = call(client);
                JsonObject request = server.next("tools/call");
                assertThat(capabilities(request).object("extensions").names())
                        .containsExactly("io.modelcontextprotocol/tasks");
                server.answer(request, DONE);
                paying.result();
            }
        }
    }
}
