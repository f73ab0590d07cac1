package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Changes of tasks that come on the stream of changes, by a clock that stands still. */
@Timeout(60)
final class TaskListeningTest {
    private static final Duration POLL = Duration.ofSeconds(30);

    /** So long that no request ends while {@link #resultOfPolls} moves the clock beside it. */
    private static final Duration NO_LIMIT = Duration.ofDays(10_000);

    private static final String COMPLETED =
            "\"result\": {\"content\": [{\"type\": \"text\", \"text\": \"done\"}]}";

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final Semaphore looks = new Semaphore(0);
    private volatile String state = task("working", "");
    private McpClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        server.on(
                "tasks/get",
                params -> {
                    looks.release();
                    return state;
                });
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities":
                 {"tools": {"listChanged": true}, "extensions": {"io.modelcontextprotocol/tasks": {}}}}\
                """);
        client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .requestTimeout(NO_LIMIT)
                        .maxTotalTimeout(NO_LIMIT)
                        .connect(server, timers);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static String task(String status, String more) {
        return """
        {"resultType": "complete", "taskId": "t1", "status": "%s", "ttlMs": null,
         "pollIntervalMs": 30000, "createdAt": "2026-07-28T00:00:00Z",
         "lastUpdatedAt": "2026-07-28T00:00:00Z"%s}\
        """
                .formatted(status, more.isEmpty() ? "" : ", " + more);
    }

    @CheckReturnValue
    private Background<String> awaited() {
        return Background.call(() -> client.task(new TaskId("t1"), String.class).await());
    }

    private JsonObject listen(String filter) throws Exception {
        JsonObject listen = server.next("subscriptions/listen");
        assertThat(listen.object("params").object("notifications")).isEqualTo(json(filter));
        return listen;
    }

    private void acknowledge(JsonObject listen, String filter) {
        onStream(
                listen,
                "notifications/subscriptions/acknowledged",
                json("{\"notifications\": %s}".formatted(filter)));
    }

    private void onStream(JsonObject listen, String method, JsonObject params) {
        JsonObject meta = JsonObject.of("io.modelcontextprotocol/subscriptionId", listen.get("id"));
        server.notifyClient(method, params.with("_meta", meta).toJson());
    }

    private void taskChanged(JsonObject listen, String status, String more) {
        JsonObject told = ((JsonObject) JsonValue.parse(task(status, more))).without("resultType");
        onStream(listen, "notifications/tasks", told);
    }

    /** The server sends changes of the task from here on. */
    private JsonObject begin() throws Exception {
        JsonObject listen = listen("{\"taskIds\": [\"t1\"]}");
        looks.drainPermits();
        acknowledge(listen, "{\"taskIds\": [\"t1\"]}");
        // for changes before the acknowledgement
        assertThat(looks.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        return listen;
    }

    @Test
    @Requirement({"N26-TASK-025", "N26-TASK-026", "N26-TASK-024"})
    void aChangeEndsTheWaitForTheNextPoll() throws Exception {
        Background<String> result = awaited();
        JsonObject listen = begin();
        assertThat(
                        listen.object("params")
                                .object("_meta")
                                .object("io.modelcontextprotocol/clientCapabilities")
                                .object("extensions")
                                .names())
                .containsExactly("io.modelcontextprotocol/tasks");

        state = task("completed", COMPLETED);
        taskChanged(listen, "completed", COMPLETED);

        assertThat(result.result()).isEqualTo("done");
        assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                .isEqualTo(listen.get("id")); // no task is awaited any more
    }

    @Test
    void whatChangedBeforeTheAcknowledgementIsSeen() throws Exception {
        Background<String> result = awaited();
        JsonObject listen = listen("{\"taskIds\": [\"t1\"]}");
        state = task("completed", COMPLETED);
        acknowledge(listen, "{\"taskIds\": [\"t1\"]}");

        assertThat(result.result()).isEqualTo("done");
    }

    @Test
    void aListenerOfTheStatusGetsTheChangeAtOnce() throws Exception {
        BlockingQueue<Task> changes = new LinkedBlockingQueue<>();
        client.task(new TaskId("t1"), String.class).onStatus(changes::add);
        assertThat(changes.poll(30, TimeUnit.SECONDS)).isNotNull();
        JsonObject listen = begin();

        taskChanged(listen, "working", "\"statusMessage\": \"half\"");

        assertThat(changes.poll(30, TimeUnit.SECONDS).statusMessage()).isEqualTo("half");
    }

    @Test
    void aNotificationOutsideOfTheStreamIsDropped() throws Exception {
        BlockingQueue<Task> changes = new LinkedBlockingQueue<>();
        client.task(new TaskId("t1"), String.class).onStatus(changes::add);
        assertThat(changes.poll(30, TimeUnit.SECONDS)).isNotNull();
        JsonObject listen = begin();

        server.notifyClient(
                "notifications/tasks", task("working", "\"statusMessage\": \"forged\""));
        taskChanged(listen, "working", "\"statusMessage\": \"half\"");

        assertThat(changes.poll(30, TimeUnit.SECONDS).statusMessage()).isEqualTo("half");
    }

    @Test
    void aServerThatDoesNotAcknowledgeTheTaskIsPolled() throws Exception {
        Background<String> result = awaited();
        acknowledge(listen("{\"taskIds\": [\"t1\"]}"), "{\"taskIds\": [\"\", \"other\"]}");
        state = task("completed", COMPLETED);

        assertThat(resultOfPolls(result)).isEqualTo("done");
    }

    /** Advances the clock until there is a result. */
    private String resultOfPolls(Background<String> result) throws Exception {
        await().until(
                        () -> {
                            timers.advance(POLL);
                            return !result.thread.isAlive();
                        });
        return result.result();
    }

    @Test
    void aServerThatRefusesTheTaskKeepsTheOtherChanges() throws Exception {
        client.close();
        BlockingQueue<Object> lists = new LinkedBlockingQueue<>();
        server.on("tools/list", "{\"tools\": []}");
        client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .requestTimeout(NO_LIMIT)
                        .maxTotalTimeout(NO_LIMIT)
                        .onToolsChanged(lists::add)
                        .connect(server, timers);
        JsonObject first = listen("{\"toolsListChanged\": true}");
        acknowledge(first, "{\"toolsListChanged\": true}");
        Background<String> result = awaited();
        server.refuse(
                listen("{\"toolsListChanged\": true, \"taskIds\": [\"t1\"]}"), -32602, "no tasks");
        JsonObject listen = listen("{\"toolsListChanged\": true}");
        acknowledge(listen, "{\"toolsListChanged\": true}");
        assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                .isEqualTo(first.get("id"));
        onStream(listen, "notifications/tools/list_changed", JsonObject.EMPTY);
        assertThat(lists.poll(30, TimeUnit.SECONDS)).isNotNull();
        state = task("completed", COMPLETED);

        assertThat(resultOfPolls(result)).isEqualTo("done");
    }

    @Test
    void aStreamThatIsLostIsOpenedAgainAndTheTaskLookedAt() throws Exception {
        Background<String> result = awaited();
        JsonObject listen = begin();
        server.answer(listen, "{\"resultType\": \"complete\"}");
        await().until(
                        () -> { // the watch sets a timer at the same time
                            timers.advance(Duration.ofMillis(500));
                            return server.hasNext();
                        });
        JsonObject again = listen("{\"taskIds\": [\"t1\"]}");
        state = task("completed", COMPLETED);
        acknowledge(again, "{\"taskIds\": [\"t1\"]}");

        assertThat(result.result()).isEqualTo("done");
    }

    @Test
    void aTaskThatEndsWithTheFirstLookNeedsNoStream() throws Exception {
        state = task("completed", COMPLETED);

        assertThat(awaited().result()).isEqualTo("done");
        server.expectNothing();
    }
}
