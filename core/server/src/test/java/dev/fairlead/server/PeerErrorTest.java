package dev.fairlead.server;

import static dev.fairlead.server.Peer.code;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Failures of a tool that it did not cause: an error of the client, and a broken result. */
class PeerErrorTest {
    record Name(String name) {}

    private static final String ALL =
            "{\"elicitation\": {\"form\": {}}, \"sampling\": {}, \"roots\": {}}";

    private static String ask(String method, Call call) throws InterruptedException {
        return switch (method) {
            case "elicitation/create" -> String.valueOf(call.elicit("Who?", Name.class));
            case "sampling/createMessage" -> call.sample("Greet", 50).text();
            default -> String.valueOf(call.roots());
        };
    }

    private static McpServer.Builder asking(String method) {
        return McpServer.named("s", "1")
                .tool("t", "Asks the client", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((none, call) -> ask(method, call));
    }

    private static Peer peer(McpServer server) throws Exception {
        return Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, ALL);
    }

    private static void refuse(Peer peer, String method, int code, String message)
            throws Exception {
        peer.send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": %s}"
                        .formatted(
                                peer.next(method).get("id"),
                                JsonObject.of("code", code, "message", message).toJson()));
    }

    @Nested
    class OfTheClient {
        @ParameterizedTest
        @CsvSource({
            "elicitation/create, -32601",
            "sampling/createMessage, -32602",
            "roots/list, -32042",
            "elicitation/create, -32800",
            "elicitation/create, 7"
        })
        void failsTheToolAndNamesTheQuestion(String method, int code) throws Exception {
            try (McpServer server = asking(method).build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                refuse(peer, method, code, "Method not found");
                assertFailed(call.result(), method);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"elicitation/create", "sampling/createMessage", "roots/list"})
        void failsATaskInTheSameWay(String method) throws Exception {
            try (McpServer server = asking(method).build();
                    Peer peer = peer(server)) {
                String id =
                        "{\"taskId\": %s}"
                                .formatted(
                                        peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}")
                                                .object("task")
                                                .get("taskId"));
                refuse(peer, method, -32601, "Method not found");
                assertFailed(peer.call("tasks/result", id), method);
                assertThat(peer.call("tasks/get", id).string("status")).isEqualTo("failed");
            }
        }

        private void assertFailed(JsonObject result, String method) {
            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result))
                    .isEqualTo(
                            "The client answered " + method + " with an error: Method not found");
        }

        @Test
        void fromAThreadOfTheHandlerAndWrappedByItStaysTheClients() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tool("t", "Asks the client", NoInput.class, String.class)
                                    .handle(
                                            (none, call) -> {
                                                try {
                                                    return ask("roots/list", call);
                                                } catch (JsonRpcException e) {
                                                    throw e.withCallerStack();
                                                }
                                            })
                                    .build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                refuse(peer, "roots/list", -32601, "Method not found");
                assertFailed(call.result(), "roots/list");
            }
        }

        @Test
        void isAnInternalErrorOfAMethodThatHasNoFailedResults() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .prompt("p", "Asks the client", NoInput.class)
                                    .handle(
                                            (none, call) ->
                                                    new GetPromptResult(
                                                            List.of(
                                                                    PromptMessage.user(
                                                                            ask(
                                                                                    "roots/list",
                                                                                    call)))))
                                    .build();
                    Peer peer = peer(server)) {
                Pending call = peer.request("prompts/get", "{\"name\": \"p\"}");
                refuse(peer, "roots/list", -32601, "Method not found");
                JsonObject error = call.error();
                assertThat(code(error)).isEqualTo(-32603);
                assertThat(error.string("message"))
                        .isEqualTo(
                                "The client answered roots/list with an error: Method not found");
            }
        }

        /** The text of a hostile client comes back to it bounded, and without its data. */
        @Test
        void isCutAndLosesItsData() throws Exception {
            try (McpServer server = asking("roots/list").build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                refuse(peer, "roots/list", 1, "\u001b[31m" + "x".repeat(100_000));
                assertThat(text(call.result())).hasSizeLessThan(1_200).doesNotContain("\u001b");
            }
        }

        @Test
        void isPassedOnOnlyWhereTheHandlerSaysSo() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tool("t", "Asks the client", NoInput.class, String.class)
                                    .handle(
                                            (none, call) -> {
                                                try {
                                                    return ask("roots/list", call);
                                                } catch (JsonRpcException e) {
                                                    assertThat(e.answeredRequest())
                                                            .contains("roots/list");
                                                    throw e.passedOn();
                                                }
                                            })
                                    .build();
                    Peer peer = peer(server)) {
                Pending call = peer.startTool("t", "{}");
                refuse(peer, "roots/list", -32601, "Method not found");
                assertThat(call.error())
                        .isEqualTo(JsonObject.of("code", -32601, "message", "Method not found"));
            }
        }
    }

    @Nested
    class OfTheResult {
        record Holder(@Nullable Object value) {}

        private enum Unwritable {
            NAN,
            CYCLE,
            DEEP,
            LONE_SURROGATE_IN_A_NAME,
            NO_JSON_FORM;

            Object value() {
                return switch (this) {
                    case NAN -> Double.NaN;
                    case CYCLE -> {
                        List<Object> cycle = new java.util.ArrayList<>();
                        cycle.add(cycle);
                        yield cycle;
                    }
                    case DEEP -> deep();
                    case LONE_SURROGATE_IN_A_NAME -> JsonObject.of("\ud800", 1);
                    case NO_JSON_FORM -> new Object();
                };
            }

            private static JsonValue deep() {
                JsonValue value = JsonValue.of(1);
                for (int i = 0; i < 600; i++) {
                    value = JsonArray.of(value);
                }
                return value;
            }
        }

        @ParameterizedTest
        @EnumSource
        void thatCannotBeWrittenFailsTheTool(Unwritable unwritable) throws Exception {
            assertFails(Holder.class, (none, call) -> new Holder(unwritable.value()));
        }

        @ParameterizedTest
        @EnumSource(names = {"DEEP", "LONE_SURROGATE_IN_A_NAME"})
        void ofTheSpecificationsRecordFailsTheToolToo(Unwritable unwritable) throws Exception {
            assertFails(
                    CallToolResult.class,
                    (none, call) ->
                            CallToolResult.of()
                                    .withStructuredContent((JsonValue) unwritable.value()));
            assertFails(
                    CallToolResult.class,
                    (none, call) ->
                            CallToolResult.of()
                                    .withMeta(JsonObject.of("m", (JsonValue) unwritable.value())));
        }

        private static <O> void assertFails(Class<O> output, Handler<NoInput, O> handler)
                throws Exception {
            McpServer.Builder plain =
                    McpServer.named("s", "1")
                            .tool("t", "Asks the client", NoInput.class, output)
                            .task(TaskSupport.OPTIONAL)
                            .handle(handler);
            assertFails(plain);
            assertFails(plain.intercept((method, next) -> next.proceed(method)));
        }

        private static void assertFails(McpServer.Builder builder) throws Exception {
            try (McpServer server = builder.build();
                    Peer peer = Peer.of(server)) {
                JsonObject result = peer.callTool("t", "{}");
                assertThat(result.bool("isError")).isTrue();
                assertThat(text(result)).matches("Internal error, reference [0-9a-f]+");
                JsonObject task =
                        peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}").object("task");
                JsonObject ofTask =
                        peer.call(
                                "tasks/result",
                                JsonObject.of("taskId", task.get("taskId")).toJson());
                assertThat(ofTask.bool("isError")).isTrue();
            }
        }

        @Test
        void thatIsTooLargeToBeKeptFailsTheTask() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tasks(Tasks.inMemory().maxResultBytes(1_000))
                                    .tool("t", "Asks the client", NoInput.class, String.class)
                                    .task(TaskSupport.REQUIRED)
                                    .handle((none, call) -> "x".repeat(10_000))
                                    .build();
                    Peer peer = Peer.of(server)) {
                JsonObject task =
                        peer.call("tools/call", "{\"name\": \"t\", \"task\": {}}").object("task");
                JsonObject result =
                        peer.call(
                                "tasks/result",
                                JsonObject.of("taskId", task.get("taskId")).toJson());
                assertThat(result.bool("isError")).isTrue();
                assertThat(text(result))
                        .startsWith("The result has 10")
                        .endsWith(" bytes, more than the 1000 that are kept");
            }
        }
    }
}
