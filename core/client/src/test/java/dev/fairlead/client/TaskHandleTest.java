package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskCancelledException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Tasks that are started, and found again. */
final class TaskHandleTest {
    record Query(String city) {}

    private static final String TOOLS =
            """
            {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
              "execution": {"taskSupport": "optional"}}]}\
            """;
    private static final String RELATED =
            "{\"io.modelcontextprotocol/related-task\": {\"taskId\": \"t-1\"}}";

    private static final String QUESTION =
            """
            {"message": "Really?", "requestedSchema": {"type": "object", "properties": {}},
             "_meta": %s}\
            """
                    .formatted(RELATED);

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    private Object progressToken;
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        server.greet("2025-11-25", FakeServer.TASKS);
        server.on("tools/list", TOOLS);
        client =
                McpClient.named("desk", "1")
                        .onElicitForm(
                                form -> {
                                    heard.add(form.message());
                                    return Answer.decline();
                                })
                        .onLog(entry -> heard.add(entry.data().toString()))
                        .connect(server, timers);
    }

    @AfterEach
    void close() {
        client.close();
    }

    static String task(int second, String status) {
        return String.format(
                Locale.ROOT,
                """
                {"taskId": "t-1", "status": "%s", "createdAt": "2025-11-25T00:00:00Z",
                 "lastUpdatedAt": "2025-11-25T00:00:%02dZ", "ttl": null, "pollInterval": 2000}\
                """,
                status,
                second);
    }

    private static String says(String task, String statusMessage) {
        return task.replace("{", "{\"statusMessage\": \"" + statusMessage + "\", ");
    }

    @CheckReturnValue
    private TaskHandle<String> start() throws Exception {
        Background<TaskHandle<String>> starting =
                Background.call(
                        () ->
                                client.tool("forecast", Query.class, String.class)
                                        .start(new Query("Oslo")));
        JsonObject call = server.next("tools/call");
        progressToken = call.object("params").object("_meta").get("progressToken");
        server.answer(
                call,
                "{\"task\": %s, \"_meta\": {\"io.modelcontextprotocol/model-immediate-response\":"
                                .formatted(task(0, "working"))
                        + " \"Soon.\"}}");
        return starting.result();
    }

    private Object nextEvent() throws InterruptedException {
        Object item = heard.poll(30, TimeUnit.SECONDS);
        assertThat(item).isNotNull();
        return item;
    }

    private void nextPoll() throws InterruptedException {
        timers.awaitTimers(1);
        timers.advance(Duration.ofMillis(2_200));
    }

    // ---- a task that was started

    @Test
    @Requirement("TASK-065")
    void aStartedTaskIsPolledAndItsOutcomeFetched() throws Exception {
        TaskHandle<String> handle = start();
        assertThat(handle.id()).hasValue(new TaskId("t-1"));
        assertThat(handle.immediateResponse()).hasValue("Soon.");
        nextPoll();
        JsonObject get = server.next("tasks/get");
        assertThat(get.object("params")).isEqualTo(json("{\"taskId\": \"t-1\"}"));
        server.answer(get, task(1, "completed"));
        server.answer(server.next("tasks/result"), TaskCallsTest.SUNNY);
        assertThat(handle.await()).isEqualTo("sunny");
        assertThat(handle.await(Duration.ofMinutes(1))).isEqualTo("sunny");
    }

    @Test
    void aTimeoutAndAnInterruptEndTheWaitAndTheTaskContinues() throws Exception {
        TaskHandle<String> handle = start();
        Background<String> limited = Background.call(() -> handle.await(Duration.ofSeconds(10)));
        JsonObject result = server.next("tasks/result");
        timers.awaitTimers(2); // that of the wait, and that of the request
        timers.advance(Duration.ofSeconds(10));
        assertThatThrownBy(limited::result).isInstanceOf(RequestTimeoutException.class);
        Background<String> interrupted = Background.call(handle::await);
        interrupted.interrupt();
        assertThatThrownBy(interrupted::result).isInstanceOf(InterruptedException.class);
        server.expectNothing();
        server.answer(result, TaskCallsTest.SUNNY);
        assertThat(handle.await()).isEqualTo("sunny");
    }

    @Test
    @Requirement({"TASK-007", "TASK-065", "TASK-086"})
    void aTaskIsLookedAtAndCancelledAndNothingMoreIsAskedOfIt() throws Exception {
        TaskHandle<String> handle = start();
        Background<TaskStatus> status = Background.call(handle::status);
        server.answer(server.next("tasks/get"), task(1, "input_required"));
        assertThat(status.result()).isEqualTo(TaskStatus.INPUT_REQUIRED);
        Background<Object> cancelling =
                Background.call(
                        () -> {
                            handle.cancel();
                            return "cancelled";
                        });
        JsonObject cancel = server.next("tasks/cancel");
        assertThat(cancel.object("params")).isEqualTo(json("{\"taskId\": \"t-1\"}"));
        server.answer(cancel, task(2, "cancelled"));
        cancelling.result();
        assertThatThrownBy(handle::await).isInstanceOf(TaskCancelledException.class);
        timers.advance(Duration.ofMinutes(1));
        server.expectNothing();
    }

    @Test
    @Requirement("TASK-027")
    void aServerThatAnswersAtOnceHasMadeNoTask() throws Exception {
        Background<TaskHandle<CallToolResult>> starting =
                Background.call(
                        () ->
                                client.startTool(
                                        new CallToolRequest("forecast", JsonObject.EMPTY)
                                                .withTask(new TaskMetadata().withTtl(5L))));
        JsonObject call = server.next("tools/call");
        assertThat(call.object("params").object("task")).isEqualTo(json("{\"ttl\": 5}"));
        server.answer(call, TaskCallsTest.SUNNY);
        TaskHandle<CallToolResult> handle = starting.result();
        assertThat(handle.id()).isEmpty();
        assertThat(handle.task()).isEmpty();
        assertThat(handle.status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(handle.await().text()).isEqualTo("sunny");
        assertThatThrownBy(handle::cancel)
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("The server made no task but answered at once");
    }

    @Test
    @Requirement("TASK-053")
    void aTaskOfAToolThatFailedHasTheWholeResult() throws Exception {
        TaskHandle<String> handle = start();
        nextPoll();
        server.answer(server.next("tasks/get"), task(1, "failed"));
        server.answer(
                server.next("tasks/result"),
                "{\"content\": [{\"type\": \"text\", \"text\": \"no\"}], \"isError\": true}");
        assertThatThrownBy(handle::await)
                .isInstanceOfSatisfying(
                        ToolFailedException.class,
                        e -> assertThat(e.result().text()).isEqualTo("no"));
    }

    // ---- questions

    @Test
    @Requirement({"TASK-057", "TASK-059", "TASK-063", "TASK-064"})
    void aQuestionOfATaskIsAnsweredByTheHandlersAndBelongsToTheTask() throws Exception {
        TaskHandle<String> handle = start();
        nextPoll();
        server.answer(server.next("tasks/get"), task(1, "input_required"));
        JsonObject result = server.next("tasks/result");
        server.ask(90, "elicitation/create", QUESTION);
        assertThat(nextEvent()).isEqualTo("Really?");
        JsonObject answer = server.response(90).object("result");
        assertThat(answer.string("action")).isEqualTo("decline");
        assertThat(answer.object("_meta")).isEqualTo(json(RELATED));
        server.answer(result, TaskCallsTest.SUNNY);
        assertThat(handle.await()).isEqualTo("sunny");
    }

    @Test
    @Requirement({"TASK-063", "TASK-064"})
    void whatAnInterceptorAnswersBelongsToTheTaskAsWell() throws Exception {
        try (McpClient gateway =
                McpClient.named("gateway", "1")
                        .roots()
                        .onElicitForm(form -> Answer.decline())
                        .interceptInbound(
                                (call, next) ->
                                        call.params() instanceof ElicitFormRequest
                                                ? Outcome.complete(
                                                        new ElicitResult(ElicitAction.CANCEL))
                                                : next.proceed(call))
                        .connect(server, timers)) {
            server.ask(71, "elicitation/create", QUESTION);
            assertThat(server.response(71).object("result").object("_meta"))
                    .isEqualTo(json(RELATED));
            server.ask(72, "roots/list", "{\"_meta\": " + RELATED + "}");
            assertThat(server.response(72).object("result").object("_meta"))
                    .isEqualTo(json(RELATED));
        }
    }

    @Test
    @Requirement("TASK-054")
    void tasksResultIsWaitedForLongerThanOtherRequestsAndThenOnlyTheRequestIsCancelled()
            throws Exception {
        TaskHandle<String> handle = start();
        Background<String> waiting = Background.call(handle::await);
        JsonObject result = server.next("tasks/result");
        timers.awaitTimers(1);
        timers.advance(Duration.ofMinutes(4));
        server.expectNothing();
        timers.advance(Duration.ofMinutes(1));
        assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                .isEqualTo(result.get("id"));
        server.answer(server.next("tasks/get"), task(1, "working"));
        server.answer(server.next("tasks/result"), TaskCallsTest.SUNNY);
        assertThat(waiting.result()).isEqualTo("sunny");
    }

    // ---- listeners

    @Test
    @Requirement({"TASK-040", "TASK-071", "TASK-073"})
    void aStatusListenerIsPolledForWhileOthersWait() throws Exception {
        TaskHandle<String> handle = start().onStatus(heard::add);
        assertThat(nextEvent())
                .extracting("status")
                .isEqualTo(TaskStatus.WORKING); // as it was created
        Background<String> waiting = Background.call(handle::await);
        server.notifyClient("notifications/tasks/status", says(task(5, "working"), "halfway"));
        assertThat(nextEvent()).extracting("statusMessage").isEqualTo("halfway");
        nextPoll();
        JsonObject get = server.next("tasks/get");
        timers.awaitTimers(1); // that of the request
        timers.untilNextTimer(
                () -> server.answer(get, says(task(3, "working"), "begun"))); // older: ignored
        timers.advance(Duration.ofMillis(2_200));
        server.answer(server.next("tasks/get"), task(6, "completed"));
        server.answer(server.next("tasks/result"), TaskCallsTest.SUNNY);
        assertThat(waiting.result()).isEqualTo("sunny");
        assertThat(nextEvent()).extracting("status").isEqualTo(TaskStatus.COMPLETED);
        assertThat(heard).isEmpty();
    }

    @Test
    void changesThatWaitForAListenerAreBoundedByBytes() throws Exception {
        CountDownLatch mayReturn = new CountDownLatch(1);
        start().onStatus(
                        task -> {
                            heard.add(task);
                            mayReturn.await();
                        });
        assertThat(nextEvent()).extracting("status").isEqualTo(TaskStatus.WORKING);
        String large = "x".repeat(1 << 20); // two are more than may wait
        for (int i = 2; i <= 4; i++) {
            server.notifyClient("notifications/tasks/status", says(task(i, "working"), i + large));
        }
        server.notifyClient(
                "notifications/message", "{\"level\": \"info\", \"data\": \"all told\"}");
        assertThat(nextEvent()).isEqualTo("\"all told\"");

        mayReturn.countDown();

        assertThat(nextEvent()).extracting("statusMessage").asString().startsWith("4x");
    }

    // ---- across sessions and processes

    @Test
    @Requirement("PROG-013")
    void aTaskOfAnEarlierProcessIsFoundAgainAndItsProgressDelivered() throws Exception {
        TaskHandle<String> handle =
                client.task(new TaskId("t-1"), String.class)
                        .onProgress(report -> heard.add(report.progress()));
        server.answer(server.next("tasks/get"), task(4, "working"));
        Background<Object> other =
                Background.call(
                        () ->
                                client.withProgress(report -> heard.add("of the other call"))
                                        .callTool("t", JsonObject.EMPTY));
        JsonObject call = server.next("tools/call");
        Object token = call.object("params").object("_meta").get("progressToken");
        server.notifyClient(
                "notifications/progress",
                "{\"progressToken\": %s, \"progress\": 0.5, \"_meta\": %s}"
                        .formatted(token, RELATED));
        assertThat(nextEvent()).isEqualTo(0.5);
        server.answer(call, TaskCallsTest.SUNNY);
        other.result();
        assertThat(heard).isEmpty();
        Background<String> waiting = Background.call(handle::await);
        server.answer(server.next("tasks/result"), TaskCallsTest.SUNNY);
        assertThat(waiting.result()).isEqualTo("sunny");
    }

    @Test
    @Requirement({"PROG-003", "PROG-013"})
    void aTaskOutlivesItsSessionWithItsProgress() throws Exception {
        TaskHandle<String> handle = start().onProgress(report -> heard.add(report.progress()));
        Background<String> waiting = Background.call(handle::await);
        JsonObject refused = server.next("tasks/result");
        server.fail(refused, new SessionExpiredException("404"));
        JsonObject again = server.next("tasks/result");
        assertThat(again.get("params")).isEqualTo(refused.get("params"));
        assertThat(again.integer("id")).isGreaterThan(refused.integer("id"));
        assertThat(server.connections).hasValue(2);
        server.notifyClient(
                "notifications/progress",
                "{\"progressToken\": %s, \"progress\": 0.7}".formatted(progressToken));
        assertThat(nextEvent()).isEqualTo(0.7);
        server.answer(again, TaskCallsTest.SUNNY);
        assertThat(waiting.result()).isEqualTo("sunny");
    }

    @Test
    void aConnectionThatIsLostForAWhileCostsTheCallerTimeOnly() throws Exception {
        TaskHandle<String> handle = start();
        Background<String> waiting = Background.call(handle::await);
        JsonObject result = server.next("tasks/result");
        timers.awaitTimers(1); // that of the request
        timers.untilNextTimer(() -> server.fail(result, new ConnectionException("no route")));
        timers.advance(Duration.ofMillis(500));
        server.answer(server.next("tasks/result"), TaskCallsTest.SUNNY);
        assertThat(waiting.result()).isEqualTo("sunny");
    }

    @Test
    void aServerThatHasEndedIsNotWaitedFor() throws Exception {
        TaskHandle<String> handle = start();
        Background<String> waiting = Background.call(handle::await);
        server.next("tasks/result");
        server.vanish();
        assertThatThrownBy(waiting::result)
                .isInstanceOf(ConnectionException.class)
                .hasMessage(
                        "the connection is lost, so that task t-1 cannot be watched any more; it"
                                + " may go on");
    }

    @Test
    void closingTheClientEndsAllWaits() throws Exception {
        TaskHandle<String> handle = start();
        Background<String> waiting = Background.call(handle::await);
        server.next("tasks/result");
        client.close();
        assertThatThrownBy(waiting::result).isInstanceOf(ConnectionException.class);
    }

    // ---- as it is on the wire

    @Test
    @Requirement({"TASK-007", "TASK-008", "TASK-065", "TASK-078"})
    void theFourMethodsAsTheyAre() throws Exception {
        TaskId id = new TaskId("t-1");
        Background<Task> get = Background.call(() -> client.getTask(id));
        server.answer(server.next("tasks/get"), task(1, "working"));
        assertThat(get.result().pollInterval()).isEqualTo(2_000L);
        Background<Object> result = Background.call(() -> client.taskResult(id).toObject());
        JsonObject request = server.next("tasks/result");
        assertThat(request.object("params")).isEqualTo(json("{\"taskId\": \"t-1\"}"));
        server.answer(request, "{\"content\": [], \"_meta\": %s}".formatted(RELATED));
        assertThat(result.result())
                .isEqualTo(json("{\"content\": [], \"_meta\": %s}".formatted(RELATED)));
        Background<Task> cancel = Background.call(() -> client.cancelTask(id));
        server.answer(server.next("tasks/cancel"), task(1, "cancelled"));
        assertThat(cancel.result().status()).isEqualTo(TaskStatus.CANCELLED);
        server.on(
                "tasks/list",
                params ->
                        params.has("cursor")
                                ? "{\"tasks\": [%s]}".formatted(task(2, "failed"))
                                : "{\"tasks\": [%s], \"nextCursor\": \" ?\"}"
                                        .formatted(task(1, "working")));
        assertThat(client.tasks())
                .extracting(Task::status)
                .containsExactly(TaskStatus.WORKING, TaskStatus.FAILED);
        assertThat(client.taskPage(" ?").tasks()).hasSize(1);
    }

    @Test
    @Requirement({"TASK-007", "TASK-008"})
    void whatTheServerDidNotDeclareIsNotAskedFor() throws Exception {
        TaskId id = new TaskId("t-1");
        server.greet(
                "2025-11-25",
                "{\"tools\": {}, \"tasks\": {\"requests\": {\"tools\": {\"call\": {}}}}}");
        try (McpClient some = McpClient.connect(server)) {
            assertThatThrownBy(some::tasks)
                    .isInstanceOf(CapabilityException.class)
                    .hasMessage("tasks/list needs the capability tasks.list of the peer");
            assertThatThrownBy(() -> some.cancelTask(id)).isInstanceOf(CapabilityException.class);
            Background<Task> get = Background.call(() -> some.getTask(id));
            server.answer(server.next("tasks/get"), task(1, "working"));
            get.result();
        }
        server.greet("2025-11-25", FakeServer.ALL_CAPABILITIES);
        try (McpClient none = McpClient.connect(server)) {
            assertThatThrownBy(() -> none.getTask(id)).isInstanceOf(CapabilityException.class);
            assertThatThrownBy(() -> none.taskResult(id)).isInstanceOf(CapabilityException.class);
            assertThatThrownBy(() -> none.task(id, String.class).await())
                    .isInstanceOf(CapabilityException.class);
            server.expectNothing();
        }
    }
}
