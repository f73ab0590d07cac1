package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

class SignalsTest {
    private static final TaskId TASK = new TaskId("task");

    @TempDir Path folder;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** Keeps the texts that it gets. */
    private static final class Received implements NotifyChannel.Receiver {
        final Queue<String> changed = new ConcurrentLinkedQueue<>();
        final AtomicInteger any = new AtomicInteger();

        @Override
        public void changed(String text) {
            changed.add(text);
        }

        @Override
        public void anyChanged() {
            any.incrementAndGet();
        }
    }

    /** Records the signals that it receives. */
    static class RecordingListener implements TaskSignals.Listener {
        final Queue<TaskId> changed = new ConcurrentLinkedQueue<>();
        final AtomicInteger any = new AtomicInteger();

        @Override
        public void changed(TaskId id) {
            changed.add(id);
        }

        @Override
        public void anyChanged() {
            any.incrementAndGet();
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

    @Test
    void onSqliteAllListenersOfADatabaseAreNotifiedAtOnce() {
        Database database = opened(Database.sqlite(folder.resolve("tasks.db")));
        RecordingListener one = new RecordingListener();
        RecordingListener other = new RecordingListener();
        signals(database, one).changed(TASK);
        TaskSignals second = signals(database, other);

        second.changed(TASK);

        assertThat(one.changed).containsExactly(TASK, TASK);
        assertThat(other.changed).containsExactly(TASK);
        second.close();
        second.changed(TASK);
        assertThat(one.changed).hasSize(2);
    }

    @Test
    void aFailingListenerDoesNotAffectOthers() {
        Database database = opened(Database.sqlite(folder.resolve("tasks.db")));
        RecordingListener other = new RecordingListener();
        TaskSignals signals =
                signals(
                        database,
                        new TaskSignals.Listener() {
                            @Override
                            public void changed(TaskId id) {
                                throw new IllegalStateException("on purpose");
                            }

                            @Override
                            public void anyChanged() {}
                        });
        signals(database, other);

        signals.changed(TASK);

        assertThat(other.changed).containsExactly(TASK);
        assertThatThrownBy(() -> signals.open(other)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void signalsThatWaitAreSentTogetherAndEachOnce() {
        NotifyQueue queue = new NotifyQueue("self");
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1_000; i++) {
                queue.add("task-" + i);
            }
        }

        List<String> payloads = queue.take(Duration.ZERO);

        Received ear = new Received();
        NotifyQueue receiver = new NotifyQueue("another");
        payloads.forEach(payload -> receiver.deliver(payload, ear));
        assertThat(payloads).hasSize(2).allSatisfy(p -> assertThat(p).hasSizeLessThan(8_000));
        assertThat(ear.changed).hasSize(1_000).doesNotHaveDuplicates();
        assertThat(queue.take(Duration.ZERO)).isEmpty();
    }

    @Test
    void whatDoesNotFitIntoASignalSaysThatAnythingMayHaveChanged() {
        Received ear = new Received();
        NotifyQueue queue = new NotifyQueue("self");
        queue.add("two\nlines");
        NotifyQueue crowded = new NotifyQueue("self");
        for (int i = 0; i <= NotifyQueue.MOST_WAITING; i++) {
            crowded.add("task-" + i);
        }

        for (NotifyQueue each : List.of(queue, crowded)) {
            each.take(Duration.ZERO).forEach(p -> new NotifyQueue("other").deliver(p, ear));
        }

        assertThat(ear.any).hasValue(2);
        assertThat(ear.changed).isEmpty();
    }

    @Test
    void aTextThatCannotBeReadCostsNoOther() {
        Received received = new Received();

        new NotifyQueue("self").deliver("other\n\\\n\\00g0\ntask\n*", received);
        new NotifyQueue("self").deliver("\n", received);

        assertThat(received.changed).contains("task").doesNotContain("\\", "\\00g0");
        assertThat(received.any).hasValue(1);
    }
}
