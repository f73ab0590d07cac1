package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.client.FakeServer.withoutToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of tools as tasks, which the caller of a plain call does not notice. */
final class TaskCallsTest {
    record Query(String city) {}

    static final String WORKING =
            """
            {"task": {"taskId": "t-1", "status": "working", "createdAt": "2025-11-25T00:00:00Z",
             "lastUpdatedAt": "2025-11-25T00:00:00Z", "ttl": 60000, "pollInterval": 2000}}\
            """;
    static final String SUNNY = "{\"content\": [{\"type\": \"text\", \"text\": \"sunny\"}]}";

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger lists = new AtomicInteger();
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        server.greet("2025-11-25", FakeServer.TASKS);
        define("required");
        client = McpClient.named("desk", "1").connect(server, timers);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void define(String support) {
        server.on(
                "tools/list",
                params -> {
                    lists.incrementAndGet();
                    return """
                    {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
                      "execution": {"taskSupport": "%s"}}]}\
                    """
                            .formatted(support);
                });
    }

    private RemoteTool<Query, String> forecast() {
        return client.tool("forecast", Query.class, String.class);
    }

    @CheckReturnValue
    private Background<String> calling(RemoteTool<Query, String> tool) {
        return Background.call(() -> tool.call(new Query("Oslo")));
    }

    private static JsonObject plain() {
        return json("{\"name\": \"forecast\", \"arguments\": {\"city\": \"Oslo\"}}");
    }

    private static JsonObject asTask(String task) {
        return plain().with("task", json(task));
    }

    // ---- which way

    @Test
    @Requirement({"TASK-015", "TASK-017", "TASK-065"})
    void aToolThatRequiresItIsCalledAsATask() throws Exception {
        Background<String> calling = calling(forecast());
        JsonObject call = server.next("tools/call");
        assertThat(call.object("params")).isEqualTo(asTask("{}"));
        server.answer(call, WORKING);
        JsonObject result = server.next("tasks/result");
        assertThat(result.object("params")).isEqualTo(json("{\"taskId\": \"t-1\"}"));
        server.answer(result, SUNNY);
        assertThat(calling.result()).isEqualTo("sunny");
        server.expectNothing();
    }

    @Test
    @Requirement({"TASK-005", "TASK-006", "TASK-011"})
    void aServerThatTakesNoTasksIsNeverAskedForOne() throws Exception {
        server.greet("2025-11-25", FakeServer.ALL_CAPABILITIES);
        try (McpClient other = McpClient.connect(server)) {
            RemoteTool<Query, String> tool = other.tool("forecast", Query.class, String.class);
            Background<String> calling = calling(tool);
            JsonObject call = server.next("tools/call");
            assertThat(withoutToken(call.object("params"))).isEqualTo(plain());
            server.answer(call, SUNNY);
            assertThat(calling.result()).isEqualTo("sunny");
            assertThatThrownBy(() -> tool.start(new Query("Oslo")))
                    .isInstanceOf(CapabilityException.class)
                    .hasMessage(
                            "a call as a task needs the capability tasks.requests.tools.call of the"
                                    + " peer");
            server.expectNothing();
        }
    }

    @Test
    @Requirement({"TASK-006", "TASK-011"})
    void anOlderRevisionHasNoTasksWhateverTheServerDeclares() throws Exception {
        server.greet("2025-06-18", FakeServer.TASKS);
        try (McpClient other = McpClient.connect(server)) {
            Background<String> calling = calling(other.tool("forecast", Query.class, String.class));
            JsonObject call = server.next("tools/call");
            assertThat(withoutToken(call.object("params"))).isEqualTo(plain());
            server.answer(call, SUNNY);
            calling.result();
        }
    }

    @Test
    @Requirement("TASK-012")
    void aToolThatForbidsTasksIsNotCalledAsOne() throws Exception {
        define("forbidden");
        assertThatThrownBy(() -> forecast().start(new Query("Oslo")))
                .isInstanceOf(CapabilityException.class)
                .hasMessage("Tool forecast may not be called as a task");
        server.on("tools/list", "{\"tools\": []}");
        assertThatThrownBy(
                        () ->
                                client.tool("unknown", Query.class, String.class)
                                        .start(new Query("Oslo")))
                .isInstanceOf(CapabilityException.class)
                .hasMessage("Tool unknown may not be called as a task");
        server.expectNothing();
    }

    @Test
    @Requirement({"TASK-012", "TASK-014"})
    void aToolThatMayBeATaskIsCalledPlainly() throws Exception {
        define("optional");
        Background<String> calling = calling(forecast());
        JsonObject call = server.next("tools/call");
        assertThat(withoutToken(call.object("params"))).isEqualTo(plain());
        server.answer(call, SUNNY);
        assertThat(calling.result()).isEqualTo("sunny");
    }

    @Test
    @Requirement("TASK-019")
    void aTaskIsKeptAsLongAsTheCallerAsks() throws Exception {
        Background<String> calling = calling(forecast().withTaskTtl(Duration.ofMinutes(2)));
        JsonObject call = server.next("tools/call");
        assertThat(call.object("params")).isEqualTo(asTask("{\"ttl\": 120000}"));
        server.answer(call, SUNNY); // a server that passes the task over
        assertThat(calling.result()).isEqualTo("sunny");
        assertThatThrownBy(() -> forecast().withTaskTtl(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ttl must be positive but was 0");
    }

    @Test
    @Requirement("TASK-015")
    void aRawCallIsATaskTooWhereItIsKnownOrSaid() throws Exception {
        client.tools();
        Background<Object> known =
                Background.call(() -> client.callTool("forecast", JsonObject.EMPTY));
        JsonObject call = server.next("tools/call");
        assertThat(call.object("params").object("task")).isEqualTo(JsonObject.EMPTY);
        server.answer(call, SUNNY);
        known.result();
    }

    // ---- definitions without a declaration

    @Test
    @Requirement("TASK-017")
    void definitionsAreForgottenWhenTheServerSaysThatTheyChanged() throws Exception {
        define("forbidden");
        server.on("tools/call", SUNNY);
        forecast().call(new Query("Oslo"));
        define("required");
        server.keep("tools/call");
        server.notifyClient("notifications/tools/list_changed", "{}");
        JsonObject call = null;
        while (call == null || !call.object("params").has("task")) { // until it is notified
            Background<String> calling = calling(forecast());
            call = server.next("tools/call");
            server.answer(call, SUNNY);
            calling.result();
        }
        assertThat(lists).hasValue(2);
    }

    @Test
    @Requirement({"ROOM-001", "TASK-017"})
    void aRefusalForWantOfATaskIsUnderstoodWhenTheDefinitionsWereOutOfDate() throws Exception {
        define("forbidden");
        server.on("tools/call", SUNNY);
        forecast().call(new Query("Oslo"));
        server.keep("tools/call");
        define("required"); // and says nothing
        Background<String> calling = calling(forecast());
        server.refuse(server.next("tools/call"), -32601, "Tool forecast needs a task");
        JsonObject call = server.next("tools/call");
        assertThat(call.object("params")).isEqualTo(asTask("{}"));
        server.answer(call, SUNNY);
        assertThat(calling.result()).isEqualTo("sunny");
        assertThat(lists).hasValue(2);
    }

    @Test
    @Requirement("ROOM-001")
    void aServerThatWantsATaskForEveryCallGetsOne() throws Exception {
        define("optional");
        Background<String> calling = calling(forecast());
        server.refuse(server.next("tools/call"), -32600, "Task augmentation required");
        JsonObject call = server.next("tools/call");
        assertThat(call.object("params")).isEqualTo(asTask("{}"));
        server.answer(call, SUNNY);
        assertThat(calling.result()).isEqualTo("sunny");
    }

    @Test
    @Requirement({"ROOM-001", "TASK-012"})
    void aRefusalOfAToolThatForbidsTasksStaysOne() throws Exception {
        define("forbidden");
        Background<String> calling = calling(forecast());
        server.refuse(server.next("tools/call"), -32601, "Method not found");
        assertThatThrownBy(calling::result)
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("Method not found");
        server.expectNothing();
    }

    @Test
    @Requirement({"ROOM-001", "TASK-014"})
    void whatAToolItselfAnswersIsTheAnswerAndItDoesNotRunASecondTime() throws Exception {
        define("optional");
        Background<String> unknown = calling(forecast());
        server.refuse(server.next("tools/call"), -32601, "No such method at the other side");
        assertThatThrownBy(unknown::result)
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("No such method at the other side");
        Background<String> invalid = calling(forecast());
        server.refuse(server.next("tools/call"), -32600, "No such city");
        assertThatThrownBy(invalid::result)
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("No such city");
        server.expectNothing();
    }

    // ---- the end of the wait

    @Test
    @Requirement({"CANC-005", "CANC-006"})
    void anInterruptCancelsTheTask() throws Exception {
        Background<String> calling = calling(forecast());
        server.answer(server.next("tools/call"), WORKING);
        server.next("tasks/result");
        calling.interrupt();
        assertThatThrownBy(calling::result).isInstanceOf(InterruptedException.class);
        assertThat(server.next("tasks/cancel").object("params"))
                .isEqualTo(json("{\"taskId\": \"t-1\"}"));
    }

    @Test
    @Requirement({"ROOM-013", "CANC-005"})
    void anInterruptBeforeTheTaskIsCreatedCancelsItAfterwards() throws Exception {
        Background<String> calling = calling(forecast());
        JsonObject call = server.next("tools/call");
        calling.interrupt();
        assertThatThrownBy(calling::result).isInstanceOf(InterruptedException.class);
        server.expectNothing();
        server.answer(call, WORKING);
        assertThat(server.next("tasks/cancel").object("params"))
                .isEqualTo(json("{\"taskId\": \"t-1\"}"));
    }

    @Test
    void aCallAsATaskEndsWithTheMaximum() throws Exception {
        Background<String> calling =
                calling(forecast().withTimeout(Duration.ofSeconds(5), Duration.ofMinutes(1)));
        server.answer(server.next("tools/call"), WORKING);
        server.next("tasks/result");
        timers.advance(Duration.ofMinutes(1));
        assertThatThrownBy(calling::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("task t-1 did not end within 60 s; it continues");
        server.next("tasks/cancel");
    }

    @Test
    void aServerThatDoesNotAnswerIsNotWaitedForLongerThanForAnyOther() throws Exception {
        Background<String> calling = calling(forecast());
        server.next("tools/call");
        timers.awaitTimers(2); // that of the caller, and that of the request
        timers.advance(Duration.ofSeconds(30));
        assertThatThrownBy(calling::result)
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("no answer within 30 s");
        server.expectNothing();
    }

    // ---- around it

    @Test
    @Requirement("PROG-013")
    void progressReachesTheCallerAfterTheTaskWasCreated() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Background<String> calling =
                calling(
                        forecast()
                                .withProgress(
                                        report ->
                                                heard.add(
                                                        report.message()
                                                                + " "
                                                                + Thread.currentThread()
                                                                        .getName())));
        JsonObject call = server.next("tools/call");
        String progress = "{\"progressToken\": %s, \"progress\": %s, \"message\": \"%s\"}";
        Object token = call.object("params").object("_meta").get("progressToken");
        server.notifyClient("notifications/progress", progress.formatted(token, 1, "before"));
        server.answer(call, WORKING);
        server.notifyClient("notifications/progress", progress.formatted(token, 2, "after"));
        JsonObject result = server.next("tasks/result");
        server.notifyClient("notifications/progress", progress.formatted(token, 3, "later"));
        server.answer(result, SUNNY);
        calling.result();
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("before test-call");
        assertThat(heard).containsExactly("after test-call", "later test-call");
    }

    @Test
    @Requirement("TASK-053")
    void aToolThatFailsAsATaskFailsAsAnyOther() throws Exception {
        Background<String> calling = calling(forecast());
        server.answer(server.next("tools/call"), WORKING);
        server.answer(
                server.next("tasks/result"),
                "{\"content\": [{\"type\": \"text\", \"text\": \"no station\"}],"
                        + " \"isError\": true}");
        assertThatThrownBy(calling::result)
                .isInstanceOf(ToolFailedException.class)
                .hasMessage("no station");
    }

    @Test
    void interceptorsSeeTheTaskOnTheThreadOfTheCaller() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (McpClient watched =
                McpClient.named("desk", "1")
                        .intercept(
                                (call, next) -> {
                                    Outcome<?> outcome = next.proceed(call);
                                    if (call.params() instanceof CallToolRequest request) {
                                        seen.add(
                                                request.task()
                                                        + " "
                                                        + outcome.getClass().getSimpleName()
                                                        + " "
                                                        + Thread.currentThread().getName());
                                    }
                                    return outcome;
                                })
                        .connect(server)) {
            Background<String> calling =
                    calling(watched.tool("forecast", Query.class, String.class));
            server.answer(server.next("tools/call"), WORKING);
            server.answer(server.next("tasks/result"), SUNNY);
            calling.result();
        }
        assertThat(seen)
                .containsExactly("TaskMetadata[ttl=null, otherMembers={}] TaskCreated test-call");
    }

    @Test
    void aTaskThatAnInterceptorKeepsFromTheCallerIsCancelled() throws Exception {
        try (McpClient strict =
                McpClient.named("desk", "1")
                        .intercept(
                                (call, next) -> {
                                    Outcome<?> outcome = next.proceed(call);
                                    if (outcome instanceof Outcome.TaskCreated<?>) {
                                        throw new IllegalStateException("no tasks here");
                                    }
                                    return outcome;
                                })
                        .connect(server)) {
            Background<String> calling =
                    calling(strict.tool("forecast", Query.class, String.class));
            server.answer(server.next("tools/call"), WORKING);
            assertThatThrownBy(calling::result)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no tasks here");
            JsonObject cancel = server.next("tasks/cancel");
            assertThat(cancel.object("params").string("taskId")).isEqualTo("t-1");
        }
    }
}
