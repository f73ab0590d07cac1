package dev.fairlead.server;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks of revision 2026-07-28, which are an extension, over a pipe. */
class TasksExtensionTest {
    private static final String EXTENSION = "io.modelcontextprotocol/tasks";
    private static final String DECLARED =
            "\"extensions\": {\"" + EXTENSION + "\": {}}, \"elicitation\": {}, \"roots\": {}";

    record Size(int size) {}

    record Name(String name) {}

    private final AtomicInteger bodies = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    private McpServer.Builder server() {
        return McpServer.named("tasks", "1.0.0")
                .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                .tasks(
                        Tasks.inMemory()
                                .pollInterval(Duration.ofMillis(250))
                                .operationsPerSecond(1_000_000))
                .tool("plain", "Never a task", Size.class, String.class)
                .handle((size, call) -> "plain " + size.size())
                .tool("may", "May be a task", Size.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .taskWhen((size, caller) -> size.size() > 1)
                .handle((size, call) -> "size " + size.size() + " " + call.task().isPresent())
                .tool("must", "Must be a task", Size.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (size, call) -> {
                            bodies.incrementAndGet();
                            go.await();
                            return "done";
                        })
                .tool("asks", "Asks two questions", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((none, call) -> asks(call))
                .tool("fails", "Fails", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            throw new ToolFailedException("no luck");
                        })
                .tool("page", "Needs a page", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            Retry visited = call.retry().orElse(null);
                            if (visited == null
                                    || !visited.answers().toString().contains("accept")) {
                                throw new UrlElicitationRequiredException(
                                        List.of(
                                                new ElicitUrlRequest(
                                                        "Log in", "https://e.example/", "id")));
                            }
                            return visited.answers().keySet().toString();
                        })
                .tool("breaks", "Ends with an error", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            throw JsonRpcException.invalidParams("broken");
                        });
    }

    private static String asks(Call call) throws InterruptedException {
        var name = Question.elicit("What is your name?", Name.class);
        var roots = Question.roots();
        Answers answers = call.ask(name, roots);
        return answers.to(name).orElseThrow().name() + " " + answers.to(roots).size();
    }

    private static String params(String capabilities, String members) {
        return """
        {%s"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {%s}}}\
        """
                .formatted(members.isEmpty() ? "" : members + ", ", capabilities);
    }

    private static String call(String capabilities, String tool, String arguments) {
        return params(
                capabilities, "\"name\": \"" + tool + "\", \"arguments\": {" + arguments + "}");
    }

    private static String task(String id) {
        return params(DECLARED, "\"taskId\": \"" + id + "\"");
    }

    private static String update(String id, String responses) {
        return params(DECLARED, "\"taskId\": \"" + id + "\", \"inputResponses\": " + responses);
    }

    private static String start(Peer peer, String tool, String arguments) throws Exception {
        JsonObject created = peer.call("tools/call", call(DECLARED, tool, arguments));
        assertThat(created.string("resultType")).isEqualTo("task");
        return created.string("taskId");
    }

    private static JsonObject get(Peer peer, String id) throws Exception {
        return peer.call("tasks/get", task(id));
    }

    private static JsonObject in(String status, Peer peer, String id) throws Exception {
        return await(status)
                .until(() -> get(peer, id), task -> task.string("status").equals(status));
    }

    private static void assertMissing(JsonObject error) {
        assertThat(Peer.code(error)).isEqualTo(-32021);
        assertThat(error.object("data"))
                .isEqualTo(
                        Peer.json(
                                "{\"requiredCapabilities\": {\"extensions\": {\"%s\": {}}}}"
                                        .formatted(EXTENSION)));
    }

    @Nested
    class Declaration {
        @Test
        @Requirement({"N26-TASK-001", "N26-TASK-033", "N26-LIFE-011"})
        void theServerDeclaresTheExtensionWhereAToolMayBeATask() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject able =
                        peer.call("server/discover", params("", "")).object("capabilities");
                assertThat(able.object("extensions"))
                        .isEqualTo(JsonObject.of(EXTENSION, JsonObject.EMPTY));
                assertThat(able.has("tasks")).isFalse();
                JsonObject tools = peer.call("tools/list", params("", ""));
                assertThat(tools.toJson())
                        .doesNotContain("execution")
                        .doesNotContain("taskSupport");
            }
        }

        @Test
        @Requirement({"N26-LIFE-016", "N26-EXT-004"})
        void withoutSuchAToolThereIsNoExtension() throws Exception {
            try (McpServer server =
                            McpServer.named("none", "1")
                                    .revisions(Revision.V2026_07_28)
                                    .tool("plain", "Never a task", Size.class, String.class)
                                    .handle((size, call) -> "plain")
                                    .build();
                    Peer peer = Peer.raw(server)) {
                assertThat(
                                peer.call("server/discover", params("", ""))
                                        .object("capabilities")
                                        .has("extensions"))
                        .isFalse();
                for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
                    JsonObject error = peer.error(method, update("x", "{}"));
                    assertThat(Peer.code(error)).isEqualTo(-32601);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "\"extensions\": {}",
                    "\"extensions\": {\"io.modelcontextprotocol/tasks\": true}",
                    "\"extensions\": {\"io.modelcontextprotocol/other\": {}}",
                    "\"tasks\": {\"requests\": {\"tools\": {\"call\": {}}}}"
                })
        @Requirement({
            "N26-TASK-003",
            "N26-TASK-004",
            "N26-TASK-024",
            "N26-TASK-033",
            "N26-EXT-003"
        })
        void aClientThatDoesNotDeclareItGetsNoTask(String capabilities) throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                assertThat(
                                Peer.text(
                                        peer.call(
                                                "tools/call",
                                                call(capabilities, "may", "\"size\": 2"))))
                        .isEqualTo("size 2 false");
                assertMissing(peer.error("tools/call", call(capabilities, "must", "\"size\": 2")));
                assertThat(bodies).hasValue(0);
                String known = start(peer, "must", "\"size\": 1");
                for (String id : List.of(known, "unknown")) {
                    String named =
                            params(
                                    capabilities,
                                    "\"inputResponses\": {}, \"taskId\": \"" + id + "\"");
                    assertMissing(peer.error("tasks/get", named));
                    assertMissing(peer.error("tasks/update", named));
                    assertMissing(peer.error("tasks/cancel", named));
                }
                assertMissing(peer.error("tasks/get", params(capabilities, "")));
                assertThat(get(peer, known).string("status")).isEqualTo("working");
            }
        }

        @Test
        @Requirement("N26-TASK-035")
        void inASessionItEnablesNoTasks() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server, Revision.V2025_11_25, "{" + DECLARED + "}")) {
                assertThat(Peer.text(peer.callTool("may", "{\"size\": 2}")))
                        .isEqualTo("size 2 false");
                assertThat(Peer.code(peer.error("tasks/update", "{\"taskId\": \"x\"}")))
                        .isEqualTo(-32601);
            }
        }
    }

    @Nested
    class Creation {
        @Test
        @Requirement({
            "N26-TASK-002",
            "N26-TASK-006",
            "N26-TASK-007",
            "N26-TASK-009",
            "N26-TASK-010",
            "N26-TASK-030",
            "N26-TASK-031"
        })
        void isAnsweredFlatAndTheResultIsInlined() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject created = peer.call("tools/call", call(DECLARED, "may", "\"size\": 2"));
                String id = created.string("taskId");
                assertThat(created.members().keySet())
                        .containsExactlyInAnyOrder(
                                "resultType",
                                "_meta",
                                "taskId",
                                "status",
                                "createdAt",
                                "lastUpdatedAt",
                                "ttlMs",
                                "pollIntervalMs");
                assertThat(created.string("resultType")).isEqualTo("task");
                assertThat(created.string("status")).isEqualTo("working");
                assertThat(created.string("createdAt")).matches("20..-.*T.*Z");
                assertThat(created.integer("ttlMs")).isEqualTo(3_600_000);
                assertThat(created.integer("pollIntervalMs")).isEqualTo(250);
                assertThat(created.object("_meta").members().keySet())
                        .containsExactly("io.modelcontextprotocol/serverInfo");

                JsonObject ended = in("completed", peer, id);
                assertThat(ended.string("resultType")).isEqualTo("complete");
                assertThat(ended.has("inputRequests")).isFalse();
                assertThat(ended.has("error")).isFalse();
                assertThat(ended.object("result"))
                        .isEqualTo(
                                Peer.json(
                                        """
                                        {"resultType": "complete",
                                         "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "tasks", "version": "1.0.0"}},
                                         "content": [{"type": "text", "text": "size 2 true"}]}\
                                        """));
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        may   | "size": 1   | size 1 false
                        may   | "size": "x" | Invalid arguments: size
                        plain | "size": 2   | plain 2
                        """)
        void whatTheServerDoesNotMakeATaskIsAnsweredAtOnce(
                String tool, String arguments, String text) throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject result = peer.call("tools/call", call(DECLARED, tool, arguments));
                assertThat(result.string("resultType")).isEqualTo("complete");
                assertThat(Peer.text(result)).startsWith(text);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"plain", "may"})
        @Requirement("N26-TASK-032")
        void theMemberThatRequestedATaskInSessionsMeansNothing(String tool) throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                for (String capabilities : List.of("", DECLARED)) {
                    String members =
                            "\"name\": \"%s\", \"arguments\": {\"size\": 1}, \"task\": {\"ttl\": 5}"
                                    .formatted(tool);
                    assertThat(
                                    peer.call("tools/call", params(capabilities, members))
                                            .string("resultType"))
                            .isEqualTo("complete");
                }
                for (String removed : List.of("tasks/result", "tasks/list")) {
                    assertThat(Peer.code(peer.error(removed, task("x")))).isEqualTo(-32601);
                }
            }
        }

        @Test
        void aConditionIsForToolsThatMayBeTasks() {
            assertThatThrownBy(
                            () ->
                                    McpServer.named("wrong", "1")
                                            .tool("must", "Must", Size.class, String.class)
                                            .task(TaskSupport.REQUIRED)
                                            .taskWhen((size, caller) -> true)
                                            .handle((size, call) -> ""))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("taskWhen");
        }
    }

    @Nested
    class Ends {
        @Test
        @Requirement({"N26-TASK-008", "N26-TASK-012"})
        void aToolThatFailsIsCompletedAndAnErrorIsFailed() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject failed = in("completed", peer, start(peer, "fails", ""));
                assertThat(failed.object("result").get("isError")).isEqualTo(JsonValue.of(true));
                assertThat(Peer.text(failed.object("result"))).isEqualTo("no luck");
                assertThat(failed.has("error")).isFalse();

                JsonObject broken = in("failed", peer, start(peer, "breaks", ""));
                assertThat(broken.object("error"))
                        .isEqualTo(Peer.json("{\"code\": -32602, \"message\": \"broken\"}"));
                assertThat(broken.string("statusMessage")).isEqualTo("broken");
                assertThat(broken.has("result")).isFalse();
            }
        }

        @Test
        @Requirement("N26-TASK-018")
        void aCancellationIsAcknowledgedAlsoForATaskThatHasEnded() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String id = start(peer, "must", "\"size\": 1");
                for (int i = 0; i < 2; i++) {
                    JsonObject acknowledged = peer.call("tasks/cancel", task(id));
                    assertThat(acknowledged.members().keySet())
                            .containsExactlyInAnyOrder("resultType", "_meta");
                    assertThat(acknowledged.string("resultType")).isEqualTo("complete");
                    assertThat(get(peer, id).string("status")).isEqualTo("cancelled");
                }
                String ended = start(peer, "may", "\"size\": 2");
                JsonObject before = in("completed", peer, ended);
                peer.call("tasks/cancel", task(ended));
                assertThat(get(peer, ended)).isEqualTo(before);
            }
        }
    }

    @Nested
    class Questions {
        @Test
        @Requirement({"N26-TASK-011", "N26-TASK-013", "N26-TASK-014", "N26-TASK-015"})
        void areOpenTogetherAndAnsweredByKey() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String id = start(peer, "asks", "");
                JsonObject asking = in("input_required", peer, id);
                JsonObject requests = asking.object("inputRequests");
                assertThat(requests.members().keySet()).containsExactly("q1", "q2");
                assertThat(requests.object("q1").string("method")).isEqualTo("elicitation/create");
                assertThat(requests.object("q1").object("params").string("message"))
                        .isEqualTo("What is your name?");
                assertThat(requests.object("q2")).isEqualTo(JsonObject.of("method", "roots/list"));
                assertThat(get(peer, id).object("inputRequests")).isEqualTo(requests);

                JsonObject acknowledged =
                        peer.call(
                                "tasks/update",
                                update(
                                        id,
                                        """
                                        {"q2": {"roots": [{"uri": "file:///a"}]}, "q9": {}, "other": {"x": 1}}\
                                        """));
                assertThat(acknowledged.members().keySet())
                        .containsExactlyInAnyOrder("resultType", "_meta");
                JsonObject partly = get(peer, id);
                assertThat(partly.string("status")).isEqualTo("input_required");
                assertThat(partly.object("inputRequests").members().keySet()).containsExactly("q1");

                peer.call(
                        "tasks/update",
                        update(
                                id,
                                """
                                {"q1": {"action": "accept", "content": {"name": "Ada"}}, "q2": {"roots": []}}\
                                """));
                JsonObject ended = in("completed", peer, id);
                assertThat(Peer.text(ended.object("result"))).isEqualTo("Ada 1");
                peer.call("tasks/update", update(id, "{\"q1\": {\"action\": \"decline\"}}"));
                assertThat(get(peer, id)).isEqualTo(ended);
            }
        }

        @Test
        void aRootThatCannotBeReadCostsThatRoot() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String id = start(peer, "asks", "");
                in("input_required", peer, id);
                peer.call(
                        "tasks/update",
                        update(
                                id,
                                """
                                {"q1": {"action": "accept", "content": {"name": "Ada"}},
                                 "q2": {"roots": [{"uri": "x:/"}, {"uri": "file:///a"}]}}\
                                """));
                JsonObject ended = in("completed", peer, id);
                assertThat(Peer.text(ended.object("result"))).isEqualTo("Ada 1");
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        "q1": 7                             | inputResponses.q1
                        "q1": null                          | inputResponses.q1
                        "q1": {"action": "perhaps"}         | inputResponses.q1
                        "q1": {"roots": []}                 | inputResponses.q1
                        "other": "text"                     | inputResponses.other
                        """)
        void allAnswersOfAMessageAreTakenOrNone(String malformed, String named) throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String id = start(peer, "asks", "");
                JsonObject asking = in("input_required", peer, id);
                JsonObject error =
                        peer.error(
                                "tasks/update",
                                update(id, "{\"q2\": {\"roots\": []}, " + malformed + "}"));
                assertThat(Peer.code(error)).isEqualTo(-32602);
                assertThat(error.string("message")).contains(named);
                assertThat(get(peer, id).object("inputRequests"))
                        .isEqualTo(asking.object("inputRequests"));
            }
        }

        @Test
        @Requirement({"N26-ELIC-005", "N26-BASE-017"})
        void aPageThatMustBeVisitedFirstIsAQuestion() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String id = startPage(peer, "\"url\": {}");
                JsonObject requests = in("input_required", peer, id).object("inputRequests");

                assertThat(requests)
                        .isEqualTo(
                                Peer.json(
                                        """
                                        {"q1": {"method": "elicitation/create", "params": {
                                            "mode": "url", "message": "Log in", "url": "https://e.example/"}}}\
                                        """));
                peer.call("tasks/update", update(id, "{\"q1\": {\"action\": \"accept\"}}"));
                assertThat(Peer.text(in("completed", peer, id).object("result")))
                        .isEqualTo("[page_1]");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"decline", "cancel"})
        @Requirement("N26-ELIC-005")
        void aPageThatThePersonRefusesFailsTheTool(String action) throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String id = startPage(peer, "\"url\": {}");
                in("input_required", peer, id);
                peer.call("tasks/update", update(id, "{\"q1\": {\"action\": \"" + action + "\"}}"));
                JsonObject result = in("completed", peer, id).object("result");
                assertThat(result.get("isError")).isEqualTo(JsonValue.of(true));
            }
        }

        @Test
        @Requirement({"N26-MRTR-006", "N26-BASE-017"})
        void aPageIsNotAskedOfAClientThatDeclaredNone() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        in("failed", peer, startPage(peer, "\"form\": {}")).object("error");
                assertThat(error.get("code")).isEqualTo(JsonValue.of(-32021));
                assertThat(error.object("data"))
                        .isEqualTo(
                                Peer.json(
                                        "{\"requiredCapabilities\": {\"elicitation\": {\"url\":"
                                                + " {}}}}"));
            }
        }

        /** Starts the task of a client that declares some modes of elicitation. */
        private String startPage(Peer peer, String modes) throws Exception {
            String able =
                    "\"extensions\": {\"" + EXTENSION + "\": {}}, \"elicitation\": {" + modes + "}";
            return peer.call("tools/call", call(able, "page", "")).string("taskId");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ", \"inputResponses\": null", ", \"inputResponses\": [1]"})
        void anUpdateHasAnswers(String responses) throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String id = start(peer, "asks", "");
                JsonObject error =
                        peer.error(
                                "tasks/update",
                                params(DECLARED, "\"taskId\": \"" + id + "\"" + responses));
                assertThat(Peer.code(error)).isEqualTo(-32602);
                peer.call("tasks/update", update(id, "{}"));
            }
        }
    }

    @Nested
    class Ids {
        @ParameterizedTest
        @ValueSource(strings = {"tasks/get", "tasks/update", "tasks/cancel"})
        @Requirement({"N26-TASK-023", "N26-TASK-036"})
        void unknownMalformedAndExpiredOnesAreRefusedAlike(String method) throws Exception {
            ManualTimers timers = new ManualTimers();
            try (McpServer server =
                            server().tasks(
                                            Tasks.inMemory()
                                                    .maxTtl(Duration.ofMinutes(1))
                                                    .operationsPerSecond(1_000_000))
                                    .build(timers);
                    Peer peer = Peer.raw(server)) {
                String expired = start(peer, "must", "\"size\": 1");
                timers.advance(Duration.ofMinutes(1).plusMillis(1));
                for (String id : List.of(expired, "unknown", "a b", "x".repeat(100), "../../etc")) {
                    JsonObject error = peer.error(method, update(id, "{}"));
                    assertThat(Peer.code(error)).isEqualTo(-32602);
                    assertThat(error.string("message")).startsWith("Unknown task: ");
                    assertThat(error.has("data")).isFalse();
                }
                for (String id : List.of("7", "null", "{}")) {
                    String members = "\"inputResponses\": {}, \"taskId\": " + id;
                    assertThat(Peer.code(peer.error(method, params(DECLARED, members))))
                            .isEqualTo(-32602);
                }
            }
        }
    }

    @Nested
    class Later {
        private final List<String> effects = new CopyOnWriteArrayList<>();

        private McpServer later(boolean swallows) {
            return McpServer.named("later", "1.0.0")
                    .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                    .tasks(Tasks.inMemory().operationsPerSecond(1_000_000))
                    .tool("later", "Asks, then becomes a task", NoInput.class, String.class)
                    .task(TaskSupport.OPTIONAL)
                    .taskLater()
                    .handle(
                            (none, call) -> {
                                String token = call.once("token", String.class, () -> effect(call));
                                String name = call.elicit("Name?", Name.class).orElseThrow().name();
                                try {
                                    call.startTask();
                                } catch (Error e) {
                                    if (!swallows) {
                                        throw new IllegalStateException(e); // as executors do
                                    }
                                }
                                call.once("last", String.class, () -> effect(call));
                                return name
                                        + " "
                                        + call.task().isPresent()
                                        + " "
                                        + effects.indexOf(token);
                            })
                    .build();
        }

        private String effect(Call call) {
            effects.add(call.idempotencyKey());
            return effects.getLast();
        }

        private String retry(String capabilities, JsonObject asked) {
            String key = asked.object("inputRequests").members().keySet().iterator().next();
            return params(
                    capabilities,
                    """
                    "name": "later", "arguments": {}, "requestState": "%s",
                    "inputResponses": {"%s": {"action": "accept", "content": {"name": "Ada"}}}\
                    """
                            .formatted(asked.string("requestState"), key));
        }

        @Test
        @Requirement("N26-TASK-029")
        void roundsEndInATaskThatHasTheirAnswersAndValues() throws Exception {
            try (McpServer server = later(false);
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = peer.call("tools/call", call(DECLARED, "later", ""));
                assertThat(asked.string("resultType")).isEqualTo("input_required");
                JsonObject created = peer.call("tools/call", retry(DECLARED, asked));
                assertThat(created.string("resultType")).isEqualTo("task");
                JsonObject ended = in("completed", peer, created.string("taskId"));
                assertThat(Peer.text(ended.object("result"))).isEqualTo("Ada true 0");
                assertThat(effects).hasSize(2).doesNotHaveDuplicates();
            }
        }

        @Test
        void aClientWithoutTasksGetsTheResult() throws Exception {
            try (McpServer server = later(false);
                    Peer peer = Peer.raw(server)) {
                String capabilities = "\"elicitation\": {}";
                JsonObject asked = peer.call("tools/call", call(capabilities, "later", ""));
                JsonObject result = peer.call("tools/call", retry(capabilities, asked));
                assertThat(Peer.text(result)).isEqualTo("Ada false 0");
                assertThat(effects).hasSize(2);
            }
        }

        @Test
        void theTaskHasTheAnswersToWhatTheHandlerThrew() throws Exception {
            McpServer.Builder builder =
                    McpServer.named("later", "1.0.0")
                            .revisions(Revision.V2026_07_28)
                            .tasks(Tasks.inMemory().operationsPerSecond(1_000_000))
                            .tool(
                                    "later",
                                    "Throws, then becomes a task",
                                    NoInput.class,
                                    String.class)
                            .task(TaskSupport.OPTIONAL)
                            .taskLater()
                            .handle(
                                    (none, call) -> {
                                        Retry retry = call.retry().orElse(null);
                                        if (retry == null) {
                                            throw new InputRequiredException(
                                                    List.of(
                                                            Question.elicit("Name?", Name.class)
                                                                    .as("name")),
                                                    JsonValue.of("mine"));
                                        }
                                        call.startTask();
                                        return retry.state() + " " + retry.answers();
                                    });
            try (McpServer server = builder.build();
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = peer.call("tools/call", call(DECLARED, "later", ""));
                JsonObject created = peer.call("tools/call", retry(DECLARED, asked));
                assertThat(created.string("resultType")).isEqualTo("task");
                JsonObject ended = in("completed", peer, created.string("taskId"));
                assertThat(Peer.text(ended.object("result")))
                        .isEqualTo(
                                "\"mine\""
                                    + " {name={\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}");
            }
        }

        @Test
        void aHandlerMustLetTheSignalPass() throws Exception {
            try (McpServer server = later(true);
                    Peer peer = Peer.raw(server)) {
                JsonObject asked = peer.call("tools/call", call(DECLARED, "later", ""));
                JsonObject error = peer.error("tools/call", retry(DECLARED, asked));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(error.string("message")).contains("started a task");
            }
        }
    }

    @Test
    void aCallThatHasAskedDoesNotBecomeATaskWhichWouldAskAgain() throws Exception {
        List<String> keys = new CopyOnWriteArrayList<>();
        try (McpServer server =
                        McpServer.named("tasks", "1.0.0")
                                .revisions(Revision.V2026_07_28)
                                .tool("ask", "Asks", NoInput.class, String.class)
                                .task(TaskSupport.OPTIONAL)
                                .taskWhen((none, caller) -> !keys.isEmpty())
                                .handle(
                                        (none, call) -> {
                                            call.once(
                                                    "charge",
                                                    () -> keys.add(call.idempotencyKey()));
                                            return call.elicit("Name?", Name.class)
                                                    .orElseThrow()
                                                    .name();
                                        })
                                .build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = peer.call("tools/call", call(DECLARED, "ask", ""));
            String key = asked.object("inputRequests").names().iterator().next();

            JsonObject result =
                    peer.call(
                            "tools/call",
                            params(
                                    DECLARED,
                                    """
                                    "name": "ask", "arguments": {}, "requestState": "%s",
                                    "inputResponses": {"%s": {"action": "accept", "content": {"name": "Ada"}}}\
                                    """
                                            .formatted(asked.string("requestState"), key)));

            assertThat(result.string("resultType")).isEqualTo("complete");
            assertThat(Peer.text(result)).isEqualTo("Ada");
            assertThat(keys).hasSize(1);
        }
    }

    @Nested
    class BothDesigns {

        @Test
        @Requirement("N26-TASK-034")
        void aTaskOfASessionIsReadAndAnsweredWithoutOne() throws Exception {
            try (McpServer server = server().build();
                    Peer peer =
                            Peer.of(
                                    server,
                                    Revision.V2025_11_25,
                                    "{\"elicitation\": {}, \"roots\": {}}")) {
                JsonObject created =
                        peer.call(
                                "tools/call",
                                "{\"name\": \"asks\", \"arguments\": {}, \"task\": {}}");
                String id = created.object("task").string("taskId");
                JsonObject asking = in("input_required", peer, id);
                assertThat(asking.object("inputRequests").members().keySet())
                        .containsExactly("q1", "q2");
                peer.call(
                        "tasks/update",
                        update(
                                id,
                                """
                                {"q1": {"action": "accept", "content": {"name": "Ada"}}, "q2": {"roots": []}}\
                                """));
                JsonObject result = peer.call("tasks/result", "{\"taskId\": \"" + id + "\"}");
                assertThat(Peer.text(result)).isEqualTo("Ada 0");
                assertThat(result.has("resultType")).isFalse();
                assertThat(Peer.text(in("completed", peer, id).object("result")))
                        .isEqualTo("Ada 0");
            }
        }

        @Test
        @Requirement("N26-TASK-034")
        void aTaskWithoutASessionIsReadAnsweredAndCancelledInOne() throws Exception {
            try (McpServer server = server().build();
                    Peer peer =
                            Peer.of(
                                    server,
                                    Revision.V2025_11_25,
                                    "{\"elicitation\": {}, \"roots\": {}}")) {
                String id = start(peer, "asks", "");
                String named = "{\"taskId\": \"" + id + "\"}";
                in("input_required", peer, id);
                assertThat(peer.call("tasks/get", named).string("status"))
                        .isEqualTo("input_required");
                assertThat(peer.call("tasks/list", "{}").array("tasks").elements())
                        .extracting(task -> ((JsonObject) task).get("taskId"))
                        .contains(new JsonString(id));
                Pending waiting = peer.request("tasks/result", named);
                peer.answer(
                        peer.next("elicitation/create"),
                        "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
                peer.answer(peer.next("roots/list"), "{\"roots\": []}");
                assertThat(Peer.text(waiting.result())).isEqualTo("Ada 0");
                assertThat(Peer.text(get(peer, id).object("result"))).isEqualTo("Ada 0");

                String other = start(peer, "must", "\"size\": 1");
                peer.call("tasks/cancel", "{\"taskId\": \"" + other + "\"}");
                assertThat(get(peer, other).string("status")).isEqualTo("cancelled");
            }
        }
    }

    @Test
    void tasksOutliveTheLastToolThatMayBeOne() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            String must = start(peer, "must", "\"size\": 1");
            go.countDown();
            in("completed", peer, must);

            server.update(
                    changes ->
                            List.of("may", "must", "asks", "fails", "breaks")
                                    .forEach(changes::removeTool));

            assertThat(get(peer, must).string("status")).isEqualTo("completed");
            assertThat(peer.call("server/discover", params("", "")).toJson()).contains(EXTENSION);
        }
    }

    /** {@code notifications/tasks} on streams of {@code subscriptions/listen}. */
    @Nested
    class Watching {
        private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

        private void listen(Peer peer, String ids) {
            peer.send(
                    "{\"jsonrpc\": \"2.0\", \"id\": \"w\", \"method\": \"subscriptions/listen\", \"params\": %s}"
                            .formatted(
                                    params(
                                            DECLARED,
                                            "\"notifications\": {\"taskIds\": " + ids + "}")));
        }

        private JsonObject next(Peer peer, String status) throws Exception {
            JsonObject task = peer.next("notifications/tasks").object("params");
            while (!task.string("status").equals(status)) { // or one on the way to it
                task = peer.next("notifications/tasks").object("params");
            }
            assertThat(task.object("_meta").string("io.modelcontextprotocol/subscriptionId"))
                    .isEqualTo("w");
            assertThat(task.has("resultType")).isFalse();
            return task;
        }

        @Test
        @Requirement({"N26-TASK-025", "N26-SUB-004"})
        void aTaskIsSentWholeWheneverItChanges() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                String must = start(peer, "must", "\"size\": 1");
                String asks = start(peer, "asks", "");
                JsonObject open = in("input_required", peer, asks);
                listen(peer, "[\"%s\", \"%s\", \"unknown\", \"\"]".formatted(must, asks));
                assertThat(
                                peer.next(ACKNOWLEDGED)
                                        .object("params")
                                        .object("notifications")
                                        .get("taskIds"))
                        .isEqualTo(JsonArray.of(must, asks));

                go.countDown();
                JsonObject done = next(peer, "completed");
                assertThat(done.without("_meta"))
                        .isEqualTo(get(peer, must).without("_meta", "resultType"));
                assertThat(done.object("result").toJson()).contains("done");

                peer.call("tasks/cancel", task(asks));
                JsonObject cancelled = next(peer, "cancelled");
                assertThat(cancelled.string("taskId")).isEqualTo(asks);
                assertThat(open.has("inputRequests")).isTrue();
                assertThat(cancelled.has("inputRequests")).isFalse();
            }
        }

        @Test
        @Requirement("N26-TASK-025")
        void questionsAreSentWithTheirKeys() throws Exception {
            CountDownLatch listening = new CountDownLatch(1);
            try (McpServer server =
                            server().tool("later", "Asks later", NoInput.class, String.class)
                                    .task(TaskSupport.REQUIRED)
                                    .handle(
                                            (none, call) -> {
                                                listening.await();
                                                return asks(call);
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                String later = start(peer, "later", "");
                listen(peer, "[\"" + later + "\"]");
                peer.next(ACKNOWLEDGED);
                listening.countDown();

                JsonObject open = next(peer, "input_required").object("inputRequests");
                while (open.members().size() < 2) { // one was sent before the other was asked
                    open = next(peer, "input_required").object("inputRequests");
                }
                assertThat(open).isEqualTo(get(peer, later).object("inputRequests"));
            }
        }

        @Test
        @Requirement({"N26-TASK-025", "N26-SUB-015"})
        void tasksOfOthersAreLeftOut() throws Exception {
            try (McpServer server = server().build();
                    Peer owner = Peer.raw(server, caller("ada"));
                    Peer other = Peer.raw(server, caller("bob"))) {
                String must = start(owner, "must", "\"size\": 1");
                listen(other, "[\"" + must + "\"]");

                JsonObject told = other.next(ACKNOWLEDGED).object("params").object("notifications");

                assertThat(told.get("taskIds")).isEqualTo(JsonArray.of());
                go.countDown();
                in("completed", owner, must);
                other.initialize("2025-11-25", "{}");
                assertThat(other.rest()).isEmpty();
            }
        }

        private Caller caller(String subject) {
            return Caller.of("https://login.example", subject, null, Set.of());
        }

        @Test
        void aChangeThatCouldNotBeReadIsSentOnceTheStoreIsBack() throws Exception {
            Tasks.Parts real = Tasks.inMemory().parts();
            AtomicBoolean down = new AtomicBoolean();
            CountDownLatch failed = new CountDownLatch(1);
            TaskStore store =
                    (TaskStore)
                            Proxy.newProxyInstance(
                                    TaskStore.class.getClassLoader(),
                                    new Class<?>[] {TaskStore.class},
                                    (proxy, method, arguments) -> {
                                        if (down.get() && method.getName().equals("snapshot")) {
                                            failed.countDown();
                                            throw new TaskStoreException(
                                                    "the database is busy", new IOException());
                                        }
                                        return method.invoke(real.store(), arguments);
                                    });
            Tasks tasks = Tasks.on(store, real.executor(), real.signals());
            try (McpServer server = server().tasks(tasks).build();
                    Peer peer = Peer.raw(server)) {
                String must = start(peer, "must", "\"size\": 1");
                listen(peer, "[\"" + must + "\"]");
                peer.next(ACKNOWLEDGED);
                down.set(true);
                go.countDown();
                failed.await();
                down.set(false);

                assertThat(next(peer, "completed").string("taskId")).isEqualTo(must);
            }
        }

        @Test
        void aStreamWithTasksIsOneOperation() throws Exception {
            Tasks.Parts real = Tasks.inMemory().parts();
            Tasks tasks =
                    Tasks.on(real.store(), real.executor(), real.signals()).operationsPerSecond(1);
            try (McpServer server = server().tasks(tasks).build(new ManualTimers());
                    Peer peer = Peer.raw(server, caller("ada"))) {
                listen(peer, "[\"a\", \"b\", \"c\"]"); // the first of two
                peer.next(ACKNOWLEDGED);
                peer.error("tasks/get", task("a"));
                JsonObject refused =
                        peer.error(
                                "subscriptions/listen",
                                params(DECLARED, "\"notifications\": {\"taskIds\": [\"a\"]}"));
                assertThat(Peer.code(refused)).isEqualTo(-32603); // -32000 of this revision
                assertThat(refused.string("message"))
                        .isEqualTo("Too many task operations, at most 1 a second are allowed");
            }
        }

        @Test
        void theTasksOfAStreamAreBounded() throws Exception {
            try (McpServer server = server().maxSubscriptions(1).build();
                    Peer peer = Peer.raw(server)) {
                listen(peer, "[\"a\"]");
                peer.next(ACKNOWLEDGED);
                JsonObject refused =
                        peer.error(
                                "subscriptions/listen",
                                params(
                                        DECLARED,
                                        "\"notifications\": {\"taskIds\": [\"a\", \"b\"]}"));
                assertThat(refused.string("message")).isEqualTo("A subscription may watch 1 tasks");
                assertThat(refused.object("data").bool("retryable")).isTrue();
            }
        }
    }
}
