package dev.fairlead.server;

import static dev.fairlead.server.Peer.code;
import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.Size;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.call.CallTimeout;
import dev.fairlead.server.handler.Call;
import dev.fairlead.tasks.LocalTaskSignals;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of tools that become tasks, as their requestor sees them. */
class TaskTest {
    record Words(@Size(min = 1) String text) {}

    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    private McpServer.Builder server() {
        return McpServer.named("s", "1")
                .tool("echo", "Tested", Words.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .immediateResponse("Working on it")
                .handle(
                        (words, call) -> {
                            runs.incrementAndGet();
                            return words.text();
                        })
                .tool("must", "Tested", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle((none, call) -> "task " + call.task().isPresent())
                .tool("plain", "Tested", NoInput.class, String.class)
                .handle((none, call) -> "plain")
                .tool("wait", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(this::waitToGo)
                .tool("fail", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            throw new ToolFailedException("no luck");
                        })
                .tool("throw", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            throw new JsonRpcException(-7, "seven", JsonValue.of("data"));
                        });
    }

    private String waitToGo(NoInput none, Call call) throws InterruptedException {
        try {
            begun.countDown();
            go.await();
            return "went";
        } catch (InterruptedException e) {
            stopped.countDown();
            throw e;
        }
    }

    private static String asTask(String name) {
        return asTask(name, "{}");
    }

    private static String asTask(String name, String arguments) {
        return "{\"name\": \"%s\", \"arguments\": %s, \"task\": {}}".formatted(name, arguments);
    }

    /** Creates a task and gives its id. */
    private static String start(Peer peer, String params) throws Exception {
        return peer.call("tools/call", params).object("task").string("taskId");
    }

    private static String id(String id) {
        return "{\"taskId\": \"" + id + "\"}";
    }

    private static JsonObject related(String id) {
        return JsonObject.of("io.modelcontextprotocol/related-task", JsonObject.of("taskId", id));
    }

    /** Stores keep a form that depends on no revision; the wire has that of the session. */
    @Nested
    class Storing {
        @Test
        @Requirement({"TASK-049", "TOOL-013"})
        void anOutputThatIsNoObjectIsStoredAsItIs() throws Exception {
            Tasks.Parts parts = Tasks.inMemory().parts();
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tasks(
                                            Tasks.on(
                                                    parts.store(),
                                                    parts.executor(),
                                                    parts.signals()))
                                    .tool(
                                            "numbers",
                                            "Tested",
                                            NoInput.class,
                                            new TypeRef<List<Double>>() {})
                                    .task(TaskSupport.OPTIONAL)
                                    .handle((none, call) -> List.of(1e10))
                                    .build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("numbers"));
                JsonObject sent = peer.call("tasks/result", id(id)).without("_meta");
                TaskOutcome stored =
                        parts.store().outcome(new Owner.Local(), new TaskId(id)).orElseThrow();

                assertThat(stored)
                        .isInstanceOfSatisfying(
                                TaskOutcome.Result.class,
                                result ->
                                        assertThat(result.value().toJson())
                                                .isEqualTo(
                                                        """
                                                        {"content":[{"type":"text","text":"[1.0E10]"}],"structuredContent":[1.0E+10]}\
                                                        """));
                assertThat(sent).isEqualTo(peer.callTool("numbers", "{}"));
                assertThat(text(sent)).isEqualTo("{\"result\":[1.0E10]}");
            }
        }
    }

    @Nested
    class Declaring {
        @Test
        @Requirement({"TASK-001", "LIFE-018"})
        void aServerWithToolsForTasksDeclaresThem() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.raw(server)) {
                assertThat(
                                peer.initialize("2025-11-25", "{}")
                                        .object("capabilities")
                                        .object("tasks"))
                        .isEqualTo(
                                json(
                                        """
                                        {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}\
                                        """));
            }
        }

        @Test
        @Requirement({"TASK-007", "ROOM-014"})
        void aServerWithoutThemServesNoneOfTheirMethods() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tasks(Tasks.inMemory())
                                    .tool("plain", "Tested", NoInput.class, String.class)
                                    .handle((none, call) -> "plain")
                                    .build();
                    Peer peer = Peer.raw(server)) {
                assertThat(peer.initialize("2025-11-25", "{}").object("capabilities").has("tasks"))
                        .isFalse();
                for (String method : List.of("get", "result", "list", "cancel")) {
                    assertThat(code(peer.error("tasks/" + method, id("x")))).isEqualTo(-32601);
                }
            }
        }

        @Test
        @Requirement({"TASK-009", "ROOM-002", "VERS-003"})
        void aTaskThatWasNotDeclaredIsIgnoredWhateverItHolds() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tool("plain", "Tested", NoInput.class, String.class)
                                    .handle((none, call) -> "plain")
                                    .build();
                    Peer peer = Peer.of(server)) {
                assertThat(text(peer.call("tools/call", "{\"name\": \"plain\", \"task\": -1}")))
                        .isEqualTo("plain");
            }
        }

        @Test
        @Requirement("ROOM-003")
        void anOlderClientCallsEveryToolPlainly() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server, Revision.V2025_06_18, "{}")) {
                assertThat(text(peer.callTool("must", "{}"))).isEqualTo("task false");
                assertThat(code(peer.error("tasks/get", id("x")))).isEqualTo(-32601);
            }
        }

        @Test
        @Requirement("ROOM-003")
        void toolsThatNeedTasksCanBeHiddenFromOlderClients() throws Exception {
            try (McpServer server = server().hideTaskOnlyTools().build();
                    Peer older = Peer.of(server, Revision.V2025_06_18, "{}");
                    Peer newer = Peer.of(server)) {
                assertThat(older.call("tools/list", "{}").toString()).doesNotContain("must");
                assertThat(older.error("tools/call", "{\"name\": \"must\"}"))
                        .isEqualTo(json("{\"code\": -32602, \"message\": \"Unknown tool: must\"}"));
                assertThat(newer.call("tools/list", "{}").toString()).contains("\"name\":\"must\"");
            }
        }

        @Test
        @Requirement("ROOM-003")
        void contradictionsAreRefusedWhenTheServerIsMade() {
            assertThatThrownBy(
                            () ->
                                    McpServer.named("s", "1")
                                            .tool("plain", "Tested", NoInput.class, String.class)
                                            .rerunAfterCrash()
                                            .handle((none, call) -> "plain"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "the tool plain has options of tasks: add task(OPTIONAL) or"
                                    + " task(REQUIRED)");
            assertThatThrownBy(
                            () ->
                                    McpServer.named("s", "1")
                                            .tool("must", "Tested", NoInput.class, String.class)
                                            .task(TaskSupport.REQUIRED)
                                            .taskWhen((none, caller) -> true)
                                            .handle((none, call) -> "task"))
                    .hasMessage("taskWhen of the tool must needs task(OPTIONAL)");
            assertThatThrownBy(
                            () ->
                                    McpServer.named("s", "1")
                                            .tool("held", "Tested", NoInput.class, String.class)
                                            .task(TaskSupport.OPTIONAL)
                                            .taskLater()
                                            .holdsWhileAsking()
                                            .handle((none, call) -> "task"))
                    .hasMessage(
                            "the tool held has taskLater, which starts its handler again, and"
                                    + " holdsWhileAsking, which forbids that: remove one of them");
        }

        @Test
        void aServerWithoutTasksGetsNoToolsForThemLater() throws Exception {
            try (McpServer server = McpServer.named("s", "1").build()) {
                assertThatThrownBy(
                                () ->
                                        server.update(
                                                change ->
                                                        change.tool(
                                                                        "t",
                                                                        "Tested",
                                                                        NoInput.class,
                                                                        String.class)
                                                                .task(TaskSupport.OPTIONAL)
                                                                .handle((none, call) -> "")))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("needs a server that was made with tasks");
            }
        }
    }

    @Nested
    class Creating {
        @Test
        @Requirement({
            "TASK-020",
            "TASK-021",
            "TASK-023",
            "TASK-028",
            "TASK-029",
            "TASK-031",
            "TASK-033",
            "TASK-063",
            "ROOM-005",
            "ROOM-018"
        })
        void anAcceptedCallIsAnsweredByTheTaskAtOnce() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                JsonObject created =
                        peer.call(
                                "tools/call",
                                "{\"name\": \"wait\", \"arguments\": {}, \"task\": {\"ttl\":"
                                        + " 60000}}");
                JsonObject task = created.object("task");

                assertThat(created.names()).containsExactlyInAnyOrder("task", "_meta");
                assertThat(created.object("_meta")).isEqualTo(related(task.string("taskId")));
                assertThat(task.names())
                        .containsExactlyInAnyOrder(
                                "taskId",
                                "status",
                                "createdAt",
                                "lastUpdatedAt",
                                "ttl",
                                "pollInterval");
                assertThat(task.string("status")).isEqualTo("working");
                assertThat(task.integer("ttl")).isEqualTo(60_000);
                assertThat(task.integer("pollInterval")).isEqualTo(1_000);
                assertThat(task.string("createdAt")).matches("....-..-..T..:..:..(\\.\\d+)?Z");
                assertThat(task.string("lastUpdatedAt")).isEqualTo(task.string("createdAt"));
            }
        }

        @Test
        void anImmediateResponseForTheModelIsReturned() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                JsonObject created =
                        peer.call("tools/call", asTask("echo", "{\"text\": \"hello\"}"));

                assertThat(
                                created.object("_meta")
                                        .string("io.modelcontextprotocol/model-immediate-response"))
                        .isEqualTo("Working on it");
            }
        }

        @Test
        @Requirement({"TASK-013", "TASK-016", "ERR-006", "ERR-007", "ROOM-001"})
        void aToolIsOnlyCalledAsItAllows() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                assertThat(peer.error("tools/call", asTask("plain")))
                        .isEqualTo(
                                json(
                                        """
                                        {"code": -32601, "message": "The tool cannot be called as a task: plain"}\
                                        """));
                assertThat(peer.error("tools/call", "{\"name\": \"must\"}"))
                        .isEqualTo(
                                json(
                                        """
                                        {"code": -32601, "message": "The tool must be called as a task: must"}\
                                        """));
            }
        }

        @Test
        @Requirement("ROOM-016")
        void aTaskThatIsNullIsNone() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                assertThat(text(peer.call("tools/call", "{\"name\": \"plain\", \"task\": null}")))
                        .isEqualTo("plain");
            }
        }

        @Test
        @Requirement({"TASK-026", "ROOM-016"})
        void aFaultyRequestMakesNoTask() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                for (String task :
                        List.of("0", "{\"ttl\": 0}", "{\"ttl\": -1}", "{\"ttl\": 1.5}", "[1]")) {
                    String params =
                            "{\"name\": \"echo\", \"arguments\": {}, \"task\": " + task + "}";
                    assertThat(code(peer.error("tools/call", params))).isEqualTo(-32602);
                }
                assertThat(code(peer.error("tools/call", asTask("nobody")))).isEqualTo(-32602);

                assertThat(peer.call("tasks/list", "{}").array("tasks").size()).isZero();
                assertThat(runs).hasValue(0);
            }
        }

        @Test
        @Requirement({"TASK-102", "ROOM-016"})
        void aGreatTtlIsCutAndAMissingOneIsTheDefault() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                JsonObject cut =
                        peer.call(
                                "tools/call",
                                "{\"name\": \"wait\", \"task\": {\"ttl\": 99999999999}}");
                JsonObject unset = peer.call("tools/call", asTask("wait"));

                assertThat(cut.object("task").integer("ttl")).isEqualTo(86_400_000);
                assertThat(unset.object("task").integer("ttl")).isEqualTo(3_600_000);
            }
        }

        @Test
        @Requirement("ROOM-013")
        void aCallThatIsCancelledBeforeItsAnswerLeavesNothingBehind() throws Exception {
            CountDownLatch created = new CountDownLatch(1);
            CountDownLatch answer = new CountDownLatch(1);
            try (McpServer server =
                            polled().intercept(
                                            (method, next) -> {
                                                var outcome = next.proceed(method);
                                                if (method.name().equals("tools/call")) {
                                                    created.countDown();
                                                    Uninterruptibly.await(answer::await);
                                                }
                                                return outcome;
                                            })
                                    .build();
                    Peer peer = Peer.of(server)) {
                Pending call = peer.request("tools/call", asTask("echo", "{\"text\": \"a\"}"));
                created.await();
                call.cancel();
                peer.call("ping", "{}");
                answer.countDown();
                await().until(() -> statuses(peer).equals(List.of("cancelled")));

                assertThat(runs).hasValue(0);
            }
        }

        @Test
        @Requirement("ROOM-013")
        void aTaskThatComesAfterItsCallWasGivenUpNeverBegins() throws Exception {
            CountDownLatch created = new CountDownLatch(1);
            CountDownLatch answer = new CountDownLatch(1);
            ManualTimers timers = new ManualTimers();
            try (McpServer server =
                            polled().callTimeout(Duration.ofSeconds(1))
                                    .intercept(
                                            (method, next) -> {
                                                var outcome = next.proceed(method);
                                                if (method.name().equals("tools/call")) {
                                                    created.countDown();
                                                    Uninterruptibly.await(answer::await);
                                                }
                                                return outcome;
                                            })
                                    .build(timers);
                    Peer peer = Peer.of(server)) {
                Pending call = peer.request("tools/call", asTask("echo", "{\"text\": \"a\"}"));
                created.await();
                timers.advance(Duration.ofSeconds(1).plus(CallTimeout.GRACE));
                assertThat(code(call.error())).isEqualTo(-32603);
                answer.countDown();
                await().until(() -> statuses(peer).equals(List.of("cancelled")));

                assertThat(runs).hasValue(0);
            }
        }

        @Test
        void aTaskWhoseCreationIsNotReportedIsCancelled() throws Exception {
            try (McpServer server =
                            polled().intercept(
                                            (method, next) -> {
                                                var outcome = next.proceed(method);
                                                if (method.name().equals("tools/call")) {
                                                    throw new JsonRpcException(-9, "no");
                                                }
                                                return outcome;
                                            })
                                    .build();
                    Peer peer = Peer.of(server)) {
                peer.error("tools/call", asTask("echo", "{\"text\": \"a\"}"));
                await().until(() -> statuses(peer).equals(List.of("cancelled")));

                assertThat(runs).hasValue(0);
            }
        }

        @Test
        void interceptorsSeeThatATaskCameAbout() throws Exception {
            List<Outcome<?>> seen = new CopyOnWriteArrayList<>();
            try (McpServer server =
                            server().intercept(
                                            (method, next) -> {
                                                var outcome = next.proceed(method);
                                                seen.add(outcome);
                                                return outcome;
                                            })
                                    .build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("echo", "{\"text\": \"a\"}"));

                assertThat(seen)
                        .singleElement()
                        .isInstanceOfSatisfying(
                                Outcome.TaskCreated.class,
                                made ->
                                        assertThat(made.task().task().id())
                                                .isEqualTo(new TaskId(id)));
            }
        }

        @Test
        @Requirement("TASK-101")
        void anOwnerHasOnlySoManyTasksAtATime() throws Exception {
            try (McpServer server = server().tasks(Tasks.inMemory().maxPerOwner(1)).build();
                    Peer peer = Peer.of(server)) {
                start(peer, asTask("wait"));

                assertThat(code(peer.error("tools/call", asTask("wait")))).isEqualTo(-32000);
            }
        }
    }

    /** A server whose tasks may be looked at again and again. */
    private McpServer.Builder polled() {
        return server().tasks(Tasks.inMemory().operationsPerSecond(1_000_000));
    }

    private static List<String> statuses(Peer peer) {
        try {
            List<String> statuses = new ArrayList<>();
            for (JsonValue task : peer.call("tasks/list", "{}").array("tasks").elements()) {
                statuses.add(((JsonObject) task).string("status"));
            }
            return statuses;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Nested
    class EndsOfTasks {
        @Test
        @Requirement({
            "TASK-008",
            "TASK-047",
            "TASK-049",
            "TASK-050",
            "ROOM-007",
            "TASK-051",
            "TASK-065"
        })
        void theResultIsThatOfThePlainCallAndNamesTheTask() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                JsonObject plain = peer.callTool("echo", "{\"text\": \"hello\"}");
                String id = start(peer, asTask("echo", "{\"text\": \"hello\"}"));
                JsonObject result = peer.call("tasks/result", id(id));

                assertThat(result).isEqualTo(plain.with("_meta", related(id)));
                assertThat(peer.call("tasks/result", id(id))).isEqualTo(result);
                assertThat(peer.call("tasks/get", id(id)).string("status")).isEqualTo("completed");
            }
        }

        @Test
        @Requirement({"TASK-048", "TASK-052"})
        void aRequestForTheResultWaitsForTheEnd() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("wait"));
                Pending waiting = peer.request("tasks/result", id(id));
                assertThat(peer.call("tasks/get", id(id)).string("status")).isEqualTo("working");
                go.countDown();

                assertThat(text(waiting.result())).isEqualTo("went");
            }
        }

        @Test
        @Requirement({"TASK-037", "TASK-038", "TASK-049", "ROOM-004", "ROOM-020"})
        void aToolThatFailsEndsItsTaskAsFailedAndItsResultIsDelivered() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("fail"));
                JsonObject result = peer.call("tasks/result", id(id));
                JsonObject task = peer.call("tasks/get", id(id));

                assertThat(result)
                        .isEqualTo(peer.callTool("fail", "{}").with("_meta", related(id)));
                assertThat(task.string("status")).isEqualTo("failed");
                assertThat(task.string("statusMessage")).isEqualTo("no luck");
            }
        }

        @Test
        @Requirement({"TASK-037", "TASK-049", "ROOM-006"})
        void anErrorOfTheProtocolComesThroughUnchanged() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("throw"));

                assertThat(peer.error("tasks/result", id(id)))
                        .isEqualTo(
                                json("{\"code\": -7, \"message\": \"seven\", \"data\": \"data\"}"));
                JsonObject task = peer.call("tasks/get", id(id));
                assertThat(task.string("status")).isEqualTo("failed");
                assertThat(task.string("statusMessage")).isEqualTo("seven");
            }
        }

        @Test
        @Requirement("ROOM-019")
        void argumentsThatDoNotFitMakeATaskThatFails() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("echo", "{\"text\": \"\"}"));
                JsonObject result = peer.call("tasks/result", id(id));

                assertThat(result.bool("isError")).isTrue();
                assertThat(text(result)).startsWith("Invalid arguments: text");
                assertThat(runs).hasValue(0);
            }
        }

        @Test
        @Requirement({
            "TASK-081",
            "TASK-082",
            "TASK-083",
            "TASK-084",
            "TASK-088",
            "TASK-089",
            "ERR-017",
            "ROOM-008"
        })
        void cancellingStopsTheHandlerAndWakesWaiters() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("wait"));
                Pending waiting = peer.request("tasks/result", id(id));
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
                JsonObject cancelled = peer.call("tasks/cancel", id(id));

                assertThat(cancelled.string("status")).isEqualTo("cancelled");
                assertThat(waiting.error())
                        .isEqualTo(
                                JsonObject.of(
                                        "code",
                                        -32603,
                                        "message",
                                        "Task was cancelled",
                                        "data",
                                        JsonObject.of("taskId", id, "status", "cancelled")));
                assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(code(peer.error("tasks/cancel", id(id)))).isEqualTo(-32602);
                assertThat(peer.call("tasks/get", id(id)).string("status")).isEqualTo("cancelled");
            }
        }

        @Test
        @Requirement({"TASK-089", "TASK-092", "ERR-015", "ERR-016"})
        void anUnknownTaskIsAnInvalidParameter() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                for (String method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
                    assertThat(peer.error(method, id("x")))
                            .isEqualTo(
                                    json("{\"code\": -32602, \"message\": \"Unknown task: x\"}"));
                }
                assertThat(code(peer.error("tasks/list", "{\"cursor\": \"x\"}"))).isEqualTo(-32602);
            }
        }

        @Test
        @Requirement({"TASK-065", "TASK-066", "TASK-067", "TASK-076", "TASK-077", "TASK-079"})
        void tasksAreListedPageByPageAndOnlyTheirIdCounts() throws Exception {
            try (McpServer server = server().tasks(Tasks.inMemory().pageSize(2)).build();
                    Peer peer = Peer.of(server)) {
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    ids.add(start(peer, asTask("wait")));
                }
                JsonObject first = peer.call("tasks/list", "{}");
                JsonObject second =
                        peer.call(
                                "tasks/list",
                                "{\"cursor\": \"" + first.string("nextCursor") + "\"}");
                JsonObject got =
                        peer.call(
                                "tasks/get",
                                JsonObject.of("taskId", ids.get(0), "_meta", related(ids.get(1)))
                                        .toString());

                assertThat(first.array("tasks").size()).isEqualTo(2);
                assertThat(second.array("tasks").size()).isEqualTo(1);
                assertThat(second.has("nextCursor")).isFalse();
                assertThat(second.array("tasks").get(0).toString()).contains(ids.get(2));
                assertThat(first.has("_meta")).isFalse();
                assertThat(got.string("taskId")).isEqualTo(ids.get(0));
                assertThat(got.has("_meta")).isFalse();
                assertThat(peer.call("tasks/cancel", id(ids.get(0))).has("_meta")).isFalse();
            }
        }

        @Test
        @Requirement({"CANC-013", "ROOM-010", "TASK-061"})
        void cancellingAWaitDoesNotCancelTheTask() throws Exception {
            try (McpServer server = server().build();
                    Peer peer = Peer.of(server)) {
                String id = start(peer, asTask("wait"));
                Pending waiting = peer.request("tasks/result", id(id));
                waiting.cancel();
                assertThat(peer.call("tasks/get", id(id)).string("status")).isEqualTo("working");
                go.countDown();

                assertThat(text(peer.call("tasks/result", id(id)))).isEqualTo("went");
                assertThat(peer.rest())
                        .noneMatch(message -> JsonValue.of(waiting.id()).equals(message.get("id")));
            }
        }

        @Test
        @Requirement({"TASK-090", "ERR-021"})
        void aStoreThatFailsIsAnInternalError() throws Exception {
            try (McpServer server =
                            server().tasks(
                                            Tasks.on(
                                                    BrokenStore.broken(),
                                                    TaskExecutor.virtualThreads(),
                                                    new LocalTaskSignals()))
                                    .build();
                    Peer peer = Peer.of(server)) {
                assertThat(code(peer.error("tools/call", asTask("echo", "{\"text\": \"a\"}"))))
                        .isEqualTo(-32603);
                assertThat(code(peer.error("tasks/get", id("x")))).isEqualTo(-32603);
                assertThat(runs).hasValue(0);
            }
        }

        @Test
        @Requirement({"TASK-107"})
        void aTaskOutlivesItsSession() throws Exception {
            try (McpServer server = server().build()) {
                String id;
                try (Peer peer = Peer.of(server)) {
                    id = start(peer, asTask("wait"));
                }
                go.countDown();
                try (Peer later = Peer.of(server)) {
                    assertThat(text(later.call("tasks/result", id(id)))).isEqualTo("went");
                }
            }
        }
    }

    @Nested
    class Anonymous {
        private JsonObject declared(Tasks tasks) {
            try (McpServer server = server().tasks(tasks).build()) {
                Unknown client = new Unknown(new LinkedBlockingQueue<>(), false);
                Session opened = server.host().open(client);
                opened.accept(
                        JsonRpcMessage.parse(
                                """
                                {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}}\
                                """),
                        client);
                JsonObject answer = json(client.sent().remove().toJson());
                return answer.object("result").object("capabilities").object("tasks");
            }
        }

        @Test
        @Requirement({"TASK-099", "ROOM-023"})
        void anonymousCallersAreOfferedTasksListOnlyIfEnabled() {
            assertThat(declared(Tasks.inMemory()).names())
                    .containsExactlyInAnyOrder("cancel", "requests");
            assertThat(declared(Tasks.inMemory().listForAnonymous()).has("list")).isTrue();
        }
    }

    @Nested
    class Stateless {
        private JsonObject call(McpServer server, String method, String params) throws Exception {
            Unknown client = new Unknown(new LinkedBlockingQueue<>(), true);
            Session session = server.host().open(client);
            session.accept(
                    JsonRpcMessage.parse(
                            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": %s}"
                                    .formatted(method, params)),
                    client);
            JsonRpcMessage answer = client.sent().poll(30, TimeUnit.SECONDS);
            session.close();
            assertThat(answer).isNotNull();
            return json(answer.toJson());
        }

        @Test
        @Requirement("ROOM-061")
        void aTaskNeedsNoSession() throws Exception {
            try (McpServer server = server().tasks(Tasks.inMemory().listForAnonymous()).build()) {
                String id =
                        call(server, "tools/call", asTask("echo", "{\"text\": \"hello\"}"))
                                .object("result")
                                .object("task")
                                .string("taskId");

                assertThat(text(call(server, "tasks/result", id(id)).object("result")))
                        .isEqualTo("hello");
                assertThat(call(server, "tasks/get", id(id)).object("result").string("status"))
                        .isEqualTo("completed");
                assertThat(code(call(server, "tasks/list", "{}").object("error")))
                        .isEqualTo(-32601);
            }
        }
    }

    /** A client over HTTP without authorization, as its transport shows it. */
    private record Unknown(BlockingQueue<JsonRpcMessage> sent, boolean stateless)
            implements SessionContext, Exchange {
        @Override
        public Optional<Revision> assumedRevision() {
            return stateless ? Optional.of(Revision.V2025_11_25) : Optional.empty();
        }

        @Override
        public void send(JsonRpcMessage message) {
            sent.add(message);
        }

        @Override
        public void abandon(RequestId request) {}

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }

        @Override
        public Owner owner() {
            return Owner.Anonymous.ofSession("s");
        }

        @Override
        public String transport() {
            return "test";
        }

        @Override
        public void close() {}
    }
}
