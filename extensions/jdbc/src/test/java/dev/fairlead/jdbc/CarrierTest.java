package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Virtual threads open and use stores, but no statement runs on one: a driver would pin its
 * carrier. Sessions of the database assert that, which is on in tests.
 */
class CarrierTest {
    @TempDir Path folder;

    private static <T> T onVirtualThread(Callable<T> work) throws Exception {
        try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            return virtual.submit(work).get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void assertionsAreOn() {
        assertThat(Database.class.desiredAssertionStatus()).isTrue();
    }

    @Test
    void noStatementRunsOnAVirtualThread() throws Exception {
        assertThat(onVirtualThread(() -> use(open()))).isTrue();
    }

    Database open() throws SQLException {
        return Database.sqlite(folder.resolve("a.db"));
    }

    /** Uses a database as servers do: start, tasks, sessions, events, sweeps, end. */
    private static boolean use(Database opened) throws Exception {
        try (Database database = opened;
                TaskStore tasks = JdbcTasks.on(database).parts().store()) {
            tasks.open(new TestNode("node"), TestNode.CLOCK);
            TaskRun run = tasks.create(task("task", true), 10).key();
            TaskRun uncounted = tasks.create(task("other", true), 10_000).key();
            tasks.update(run, "at work", 0.5);
            tasks.ask(run, new TaskQuestion(1, "digest", "ping", RawJson.EMPTY_OBJECT, null));
            tasks.deliver(OWNER, run.id(), 1, null, new TaskQuestion.Delivery("way", true));
            tasks.questions(OWNER, run.id());
            tasks.record(run, "key", RawJson.EMPTY_OBJECT);
            tasks.recorded(run, "key");
            tasks.list(OWNER, null, 10);
            tasks.park(uncounted, "job", Duration.ofSeconds(1));
            tasks.cancel(OWNER, run.id(), null);
            tasks.release(run);
            tasks.sweep();

            EventStore events = JdbcEvents.on(database);
            SessionStore sessions = events.sessions().orElseThrow();
            StoredSession session =
                    new StoredSession("key", "name", Caller.anonymous(), JsonObject.EMPTY, 0);
            sessions.open(session);
            sessions.save(session);
            sessions.find("key");
            sessions.touch(List.of("key"));
            events.append(
                    new EventStore.Stream("name", "stream", List.of()),
                    "event".getBytes(StandardCharsets.UTF_8));
            events.open("name", "stream");
            events.append(
                    new EventStore.Stream("name", "call", List.of(RequestId.of(1))),
                    "event".getBytes(StandardCharsets.UTF_8));
            sessions.give("key", 0);
            sessions.take("key", 0, Duration.ofHours(1));
            sessions.remove("key", 1);
            events.sweep();
            sessions.purge(Duration.ofHours(1));
            events.forget("name");
            return true;
        }
    }
}
