package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jdbc.SignalsTest.RecordingListener;
import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

@Tag("proof")
class PostgresSignalsTest {
    private static final TaskId TASK = new TaskId("task");

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private TaskSignals signals(Database database, TaskSignals.Listener listener) {
        TaskSignals signals = JdbcTasks.on(database).parts().signals();
        signals.open(listener);
        open.push(signals);
        return signals;
    }

    private Database opened(Database database) {
        open.push(database);
        return database;
    }

    private TaskSignals onPostgres(String url, RecordingListener ear) {
        return signals(opened(TestPostgres.open(url)), ear);
    }

    /** Two nodes that receive each other's signals. */
    private List<TaskSignals> pair(String url, RecordingListener one, RecordingListener other) {
        TaskSignals first = onPostgres(url, one);
        TaskSignals second = onPostgres(url, other);
        await().until(
                        () -> {
                            first.changed(new TaskId("to second"));
                            second.changed(new TaskId("to first"));
                            return other.changed.contains(new TaskId("to second"))
                                    && one.changed.contains(new TaskId("to first"));
                        });
        one.any.set(0); // when it began to listen
        other.any.set(0);
        return List.of(first, second);
    }

    @Test
    void everyNodeIsNotifiedOfAChange() throws Exception {
        RecordingListener one = new RecordingListener();
        RecordingListener other = new RecordingListener();
        List<TaskSignals> nodes = pair(TestPostgres.database(), one, other);

        nodes.getFirst().changed(TASK);

        assertThat(one.changed).contains(TASK);
        await().until(() -> other.changed.contains(TASK));
    }

    @Test
    void whatANodeSaysDoesNotComeBackToIt() throws Exception {
        RecordingListener one = new RecordingListener();
        RecordingListener other = new RecordingListener();
        List<TaskSignals> nodes = pair(TestPostgres.database(), one, other);

        nodes.getFirst().changed(TASK);
        await().until(() -> other.changed.contains(TASK));
        nodes.getLast().changed(new TaskId("later"));
        await().until(() -> one.changed.contains(new TaskId("later")));

        assertThat(one.changed.stream().filter(TASK::equals)).hasSize(1);
    }

    @Test
    void afterItsConnectionWasLostANodeKnowsThatAnythingMayHaveChanged() throws Exception {
        String url = TestPostgres.database();
        RecordingListener one = new RecordingListener();
        RecordingListener other = new RecordingListener();
        List<TaskSignals> nodes = pair(url, one, other);

        TestPostgres.dropConnections(url);

        await().until(() -> one.any.get() > 0 && other.any.get() > 0);
        await().until(
                        () -> {
                            nodes.getFirst().changed(TASK);
                            return other.changed.contains(TASK);
                        });
    }

    private static void fail(Class<? extends Throwable> kind) {
        if (kind == OutOfMemoryError.class) {
            throw new OutOfMemoryError("expected by this test");
        }
        throw new IllegalStateException("expected by this test");
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, IllegalStateException.class})
    void aNodeWhoseListenerFailsListensAgain(Class<? extends Throwable> kind) throws Exception {
        String url = TestPostgres.database();
        PostgresEngine engine = PostgresEngine.open(url, null, 4, 10, Duration.ofSeconds(3));
        open.push(engine);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        Queue<String> received = new ConcurrentLinkedQueue<>();
        NotifyChannel listening = new NotifyChannel(engine, "attacked", "tests");
        open.push(listening);
        listening.open(
                new NotifyChannel.Receiver() {
                    @Override
                    public void changed(String text) {
                        if (text.equals("bad") && failures.getAndIncrement() == 0) {
                            fail(kind);
                        }
                        received.add(text);
                    }

                    @Override
                    public void anyChanged() {
                        if (begun.getAndIncrement() == 0) {
                            fail(kind);
                        }
                    }
                });
        NotifyChannel sending = new NotifyChannel(engine, "attacked", "tests");
        open.push(sending);
        sending.open(new Ignoring());

        await().until(() -> begun.get() > 1);
        await().until(
                        () -> {
                            sending.changed("bad");
                            return failures.get() > 0;
                        });
        await().until(
                        () -> {
                            sending.changed("good");
                            return received.contains("good");
                        });
        assertThat(begun).as("it may have missed texts").hasValueGreaterThan(2);
    }

    /** Does nothing with texts. */
    private static final class Ignoring implements NotifyChannel.Receiver {
        @Override
        public void changed(String text) {}

        @Override
        public void anyChanged() {}
    }

    @Test
    void aNodeWhoseConnectionIsDeadUnnoticedFindsOut() throws Exception {
        String url = TestPostgres.database();
        RecordingListener ear = new RecordingListener();
        TaskSignals other = onPostgres(url, new RecordingListener());
        HalfOpenProxy proxy = new HalfOpenProxy(TestPostgres.port());
        open.push(proxy);
        PostgresEngine engine =
                PostgresEngine.open(
                        TestPostgres.through(url, proxy.port()),
                        null,
                        4,
                        10,
                        Duration.ofSeconds(3));
        open.push(engine);
        TaskSignals signals =
                new NotifySignals(engine, Duration.ofMillis(100), Duration.ofSeconds(1));
        open.push(signals);
        signals.open(ear);
        await().until(
                        () -> {
                            other.changed(TASK);
                            return ear.changed.contains(TASK);
                        });

        ear.any.set(0);
        proxy.cut();

        await().until(() -> ear.any.get() > 0);
        ear.changed.clear();
        await().until(
                        () -> {
                            other.changed(TASK);
                            return ear.changed.contains(TASK);
                        });
    }

    @Test
    void aListenerThatFailsOnAnyChangeDoesNotMakeItsNodeDeaf() throws Exception {
        String url = TestPostgres.database();
        RecordingListener ear =
                new RecordingListener() {
                    @Override
                    public void anyChanged() {
                        super.anyChanged();
                        throw new AssertionError("on purpose");
                    }
                };
        List<TaskSignals> nodes = pair(url, ear, new RecordingListener());
        TestPostgres.dropConnections(url);
        await().until(() -> ear.any.get() > 0);

        await().until(
                        () -> {
                            nodes.getLast().changed(TASK);
                            return ear.changed.contains(TASK);
                        });
    }
}
