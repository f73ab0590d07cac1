package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.engine.Incident;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Question;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.stream.IntStream;

/** Tools, resources, prompts, completion and logs in requests of revision 2026-07-28. */
class PerRequestFeaturesTest {
    record Order(String tea, int cups) {}

    record Receipt(int price) {}

    record City(String name) {}

    record Confirm(boolean ok) {}

    private static McpServer.Builder server() {
        return McpServer.named("shop", "1.0.0")
                .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                .tool("order", "Orders tea", Order.class, Receipt.class)
                .handle((order, call) -> new Receipt(3 * order.cups()))
                .tool("ask", "Asks", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                call.ask(Question.elicit("Really?", Confirm.class))
                                        .orElseThrow()
                                        .toString())
                .tool("trace", "Says what is attached", NoInput.class, String.class)
                .handle((none, call) -> call.meta().toJson())
                .tool("chatty", "Reports much", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            for (int i = 0; i < 500; i++) {
                                call.progress(i, 1_000, "step");
                            }
                            return "done";
                        })
                .resource("bytes://two", "two", byte[].class)
                .handle((request, call) -> new byte[] {1, 2})
                .resource("docs://broken", "broken", String.class)
                .handle(
                        (request, call) -> {
                            throw new IllegalStateException("secret detail");
                        })
                .prompt("praise", "Praises a city", City.class)
                .complete(
                        "name",
                        (typed, call) ->
                                IntStream.range(0, 150).mapToObj(i -> "city " + i).toList())
                .handle((city, call) -> GetPromptResult.of(PromptMessage.user(city.name())));
    }

    private static String params(String capabilities, String members, String meta) {
        return """
        {%s"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                     "io.modelcontextprotocol/clientCapabilities": {%s}%s}}\
        """
                .formatted(members.isEmpty() ? "" : members + ", ", capabilities, meta);
    }

    private static String params(String members) {
        return params("", members, "");
    }

    private static String tool(String name, String arguments) {
        return params("\"name\": \"" + name + "\", \"arguments\": {" + arguments + "}");
    }

    @Test
    @Requirement({"N26-TOOL-001", "N26-PROM-001", "N26-LOG-001"})
    void discoveryNamesWhatThereIs() throws Exception {
        try (McpServer server = server().build();
                McpServer bare = McpServer.named("bare", "1").build();
                Peer peer = Peer.raw(server);
                Peer other = Peer.raw(bare)) {
            JsonObject able = peer.call("server/discover", params("")).object("capabilities");
            assertThat(able.members().keySet())
                    .containsExactlyInAnyOrder(
                            "tools", "resources", "prompts", "completions", "logging");
            JsonObject none = other.call("server/discover", params("")).object("capabilities");
            assertThat(none.members().keySet()).containsExactly("logging");
        }
    }

    @Test
    @Requirement({"N26-COMP-001", "N26-TOOL-001", "N26-PROM-001"})
    void whatIsNotThereIsNoMethod() throws Exception {
        try (McpServer server = McpServer.named("bare", "1").build();
                Peer peer = Peer.raw(server)) {
            for (String method :
                    List.of(
                            "completion/complete",
                            "tools/list",
                            "prompts/list",
                            "resources/list")) {
                assertThat(Peer.code(peer.error(method, params("")))).isEqualTo(-32601);
            }
        }
    }

    @Test
    @Requirement({"N26-TOOL-002", "N26-TOOL-004", "N26-LIFE-017"})
    void listsAreTheSameInTheSameOrderWhateverWasCalledBefore() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server);
                Peer other = Peer.raw(server)) {
            JsonArray tools = peer.call("tools/list", params("")).array("tools");
            peer.call("tools/call", tool("order", "\"tea\": \"oolong\", \"cups\": 2"));

            assertThat(peer.call("tools/list", params("")).array("tools")).isEqualTo(tools);
            assertThat(other.call("tools/list", params("")).array("tools")).isEqualTo(tools);
            for (int i = 0; i < tools.size(); i++) {
                JsonObject schema = ((JsonObject) tools.get(i)).object("inputSchema");
                assertThat(schema.string("type")).isEqualTo("object");
            }
        }
    }

    @Test
    @Requirement({"N26-TOOL-006", "N26-TOOL-007", "N26-TOOL-010", "N26-BASE-003"})
    void argumentsAreCheckedAndOutputIsStructuredAndText() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            JsonObject result =
                    peer.call("tools/call", tool("order", "\"tea\": \"oolong\", \"cups\": 2"));
            assertThat(result.object("structuredContent")).isEqualTo(JsonObject.of("price", 6));
            assertThat(JsonValue.parse(Peer.text(result))).isEqualTo(JsonObject.of("price", 6));

            JsonObject refused = peer.call("tools/call", tool("order", "\"tea\": 7"));
            assertThat(refused.bool("isError")).isTrue();
            assertThat(Peer.text(refused)).contains("tea").contains("cups");
        }
    }

    @Test
    @Requirement("N26-TOOL-011")
    void aNameIsThereOnce() {
        assertThatThrownBy(
                        () ->
                                server().tool("order", "Again", NoInput.class, String.class)
                                        .handle((none, call) -> ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the tool order is declared twice");
    }

    @Test
    @Requirement({"N26-BASE-004", "N26-CACHE-002", "N26-STDIO-002"})
    void aServerThatAsksSendsAResultAndNoRequest() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked =
                    peer.call("tools/call", params("\"elicitation\": {}", "\"name\": \"ask\"", ""));

            assertThat(asked.string("resultType")).isEqualTo("input_required");
            assertThat(asked.has("ttlMs")).isFalse();
            assertThat(asked.has("cacheScope")).isFalse();
            peer.initialize("2025-11-25", "{}");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"N26-BASE-021", "N26-CANC-003"})
    void notificationsAreNeverAnswered() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            peer.notify("notifications/unknown", params(""));
            peer.notify("notifications/cancelled", params("\"requestId\": \"never\""));
            peer.notify("notifications/cancelled", params("\"requestId\": {}"));
            peer.notify("notifications/cancelled", null);
            peer.notify("tools/list", params(""));

            assertThat(peer.call("tools/list", params("")).has("tools")).isTrue();
            peer.initialize("2025-11-25", "{}");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement("N26-META-012")
    void traceContextNeedsNoPrefix() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
            JsonObject result =
                    peer.call(
                            "tools/call",
                            params(
                                    "",
                                    "\"name\": \"trace\"",
                                    ", \"traceparent\": \"" + trace + "\", \"baggage\": \"a=b\""));

            assertThat(Peer.text(result)).contains(trace).contains("a=b");
        }
    }

    @Test
    @Requirement("N26-PROG-003")
    void progressIsLimited() throws Exception {
        try (McpServer server = server().build(new ManualTimers());
                Peer peer = Peer.raw(server)) {
            peer.call(
                    "tools/call", params("", "\"name\": \"chatty\"", ", \"progressToken\": \"p\""));
            peer.initialize("2025-11-25", "{}");

            assertThat(peer.rest())
                    .hasSize(100) // of 500
                    .allMatch(sent -> sent.string("method").equals("notifications/progress"));
        }
    }

    @Test
    @Requirement({"N26-RES-003", "N26-RES-004", "N26-BASE-010"})
    void resourcesAreBytesInBase64AndFailuresStayInside() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server);
                Logged log = new Logged(Incident.class.getName(), Level.SEVERE)) {
            JsonObject read = peer.call("resources/read", params("\"uri\": \"bytes://two\""));
            assertThat(((JsonObject) read.array("contents").get(0)).string("blob"))
                    .isEqualTo("AQI=");

            JsonObject failed = peer.error("resources/read", params("\"uri\": \"docs://broken\""));
            assertThat(Peer.code(failed)).isEqualTo(-32603);
            assertThat(failed.toJson()).doesNotContain("secret detail");
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("docs://broken"))
                    .singleElement()
                    .asString()
                    .startsWith("SEVERE resources/read of docs://broken failed, reference ");
        }
        assertThatThrownBy(() -> server().resource("no scheme", "x", String.class))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Requirement("N26-PROM-002")
    void promptsAreFoundAndTheirArgumentsChecked() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            JsonObject unknown = peer.error("prompts/get", params("\"name\": \"none\""));
            JsonObject missing = peer.error("prompts/get", params("\"name\": \"praise\""));

            assertThat(Peer.code(unknown)).isEqualTo(-32602);
            assertThat(Peer.code(missing)).isEqualTo(-32602);
            assertThat(missing.string("message")).contains("name");
        }
    }

    @Test
    @Requirement({"N26-COMP-002", "N26-COMP-003"})
    void completionsAreAtMostHundred() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            JsonObject completion =
                    peer.call(
                                    "completion/complete",
                                    params(
                                            "\"ref\": {\"type\": \"ref/prompt\", \"name\":"
                                                + " \"praise\"}, \"argument\": {\"name\": \"name\","
                                                + " \"value\": \"c\"}"))
                            .object("completion");
            assertThat(completion.array("values").size()).isEqualTo(100);
            assertThat(completion.bool("hasMore")).isTrue();

            JsonObject unknown =
                    peer.error(
                            "completion/complete",
                            params(
                                    "\"ref\": {\"type\": \"ref/prompt\", \"name\": \"none\"},"
                                        + " \"argument\": {\"name\": \"name\", \"value\": \"c\"}"));
            assertThat(Peer.code(unknown)).isEqualTo(-32602);
        }
    }

    @Test
    @Requirement("N26-PAGE-002")
    void aCursorWorksOnEveryConnectionAndAnotherTextNowhere() throws Exception {
        try (McpServer server = server().pageSize(2).build();
                Peer peer = Peer.raw(server);
                Peer other = Peer.raw(server)) {
            JsonObject first = peer.call("tools/list", params(""));
            String cursor = "\"cursor\": " + first.get("nextCursor");

            assertThat(other.call("tools/list", params(cursor)).array("tools").size()).isEqualTo(2);
            JsonObject refused = other.error("tools/list", params("\"cursor\": \"nonsense\""));
            assertThat(Peer.code(refused)).isEqualTo(-32602);
        }
    }

    @Test
    @Requirement("N26-TASK-027")
    void tasksSendNoProgressOnStreamsOfChanges() throws Exception {
        CountDownLatch listening = new CountDownLatch(1);
        try (McpServer server =
                        McpServer.named("tasks", "1")
                                .tool("report", "Reports", NoInput.class, String.class)
                                .task(TaskSupport.REQUIRED)
                                .handle(
                                        (none, call) -> {
                                            listening.await();
                                            call.progress(1, 2, "half");
                                            return "done";
                                        })
                                .build();
                Peer peer = Peer.raw(server)) {
            String tasks = "\"extensions\": {\"io.modelcontextprotocol/tasks\": {}}";
            String id =
                    peer.call(
                                    "tools/call",
                                    params(
                                            tasks,
                                            "\"name\": \"report\"",
                                            ", \"progressToken\": \"p\""))
                            .string("taskId");
            peer.send(
                    "{\"jsonrpc\": \"2.0\", \"id\": 900, \"method\": \"subscriptions/listen\", \"params\": %s}"
                            .formatted(
                                    params(
                                            tasks,
                                            "\"notifications\": {\"taskIds\": [\"" + id + "\"]}",
                                            "")));
            peer.next("notifications/subscriptions/acknowledged");
            listening.countDown();
            peer.await(message -> message.toJson().contains("\"completed\""));
            peer.initialize("2025-11-25", "{}");

            assertThat(peer.rest())
                    .allMatch(sent -> sent.string("method").equals("notifications/tasks"));
        }
    }
}
