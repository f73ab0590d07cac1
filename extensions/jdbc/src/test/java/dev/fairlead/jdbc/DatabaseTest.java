package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

class DatabaseTest {
    @TempDir Path folder;

    @Test
    void aUrlNamesAFile() throws Exception {
        try (Database file = Database.open("file:" + folder.resolve("deep/down/tasks.db"))) {
            assertThat(folder.resolve("deep/down/tasks.db")).exists();
            assertThat(file.options()).isEqualTo(DatabaseOptions.DEFAULT);
        }
        assertThatThrownBy(() -> Database.open("mysql://root:secret@host/db"))
                .hasMessage(
                        "a database is named by file:PATH or jdbc:postgresql:…, not by mysql:…");
    }

    @Test
    void whatCannotBeOpenedSaysWhy() {
        assertThatThrownBy(() -> Database.postgres("jdbc:postgresql://127.0.0.1:1/none"))
                .isInstanceOf(DatabaseException.class)
                .hasMessageStartingWith("PostgreSQL cannot be reached: ");
        try (Database open = Database.sqlite(folder.resolve("tasks.db"))) {
            assertThatThrownBy(() -> Database.sqlite(folder.resolve("./tasks.db")))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageEndingWith("tasks.db is open already in this process");
            assertThat(open.options()).isEqualTo(DatabaseOptions.DEFAULT);
        }
    }

    @Test
    void aLeaseIsAtLeastFourBeats() {
        assertThatThrownBy(
                        () ->
                                DatabaseOptions.DEFAULT.withLiveness(
                                        Duration.ofSeconds(1), Duration.ofMillis(3_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease must be at least four beats of 1 s but was 3.999 s");
    }

    /** The store is not open: its heartbeats and sweeps would wait in the same queue. */
    @Test
    void oneOperationMoreThanMayWaitIsRefused() throws Exception {
        DatabaseOptions two = DatabaseOptions.DEFAULT.withMaxWaiting(2);
        CountDownLatch go = new CountDownLatch(1);
        try (Database database = Database.sqlite(folder.resolve("tasks.db"), two);
                TaskStore store = JdbcTasks.on(database).parts().store();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                occupyWriter(database, callers, go);
                var calls = new ExecutorCompletionService<Boolean>(callers);
                for (int i = 0; i < 3; i++) {
                    calls.submit(() -> store.cancel(OWNER, new TaskId("unknown"), null));
                }

                Future<Boolean> refused = calls.poll(60, TimeUnit.SECONDS);
                assertThat(refused).isNotNull();
                assertThatThrownBy(refused::get)
                        .hasCauseInstanceOf(TaskStoreException.class)
                        .rootCause()
                        .hasMessage("the database is busy: 2 operations wait for it");

                go.countDown();
                assertThat(calls.take().get()).isFalse();
                assertThat(calls.take().get()).isFalse();
            } finally {
                go.countDown();
            }
        }
    }

    /** Has the one thread that writes to an SQLite file wait. */
    private static void occupyWriter(Database database, ExecutorService callers, CountDownLatch go)
            throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        callers.submit(
                () ->
                        database.engine()
                                .transact(
                                        s -> {
                                            running.countDown();
                                            awaitUninterrupted(go);
                                            return true;
                                        }));
        running.await();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
