package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class DatabaseTest {
    @TempDir Path folder;

    @Test
    void aUrlNamesAFileOrAPostgres() throws Exception {
        try (Database file = Database.open("file:" + folder.resolve("deep/down/tasks.db"));
                Database server = Database.open(TestPostgres.database())) {
            assertThat(folder.resolve("deep/down/tasks.db")).exists();
            assertThat(server.options()).isEqualTo(file.options());
        }
        assertThatThrownBy(() -> Database.open("mysql://root:secret@host/db"))
                .hasMessage(
                        "a database is named by file:PATH or jdbc:postgresql:…, not by mysql:…");
    }

    @Test
    void aDataSourceIsPooledHere() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(TestPostgres.database());
        try (Database database = Database.postgres(source, TestPostgres.LASTING);
                TaskStore store = store(database)) {
            store.create(task("task", true), 1);
            assertThat(store.find(OWNER, new TaskId("task"))).isPresent();
        }
    }

    private static TaskStore store(Database database) {
        TaskStore store = JdbcTasks.on(database).parts().store();
        store.open(new TestNode("node"), Clock.systemUTC());
        return store;
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

    @Test
    void oneOperationMoreThanMayWaitIsRefused() throws Exception {
        DatabaseOptions two = DatabaseOptions.DEFAULT.withMaxWaiting(2);
        CountDownLatch go = new CountDownLatch(1);
        try (Database database = Database.sqlite(folder.resolve("tasks.db"), two);
                TaskStore store = store(database);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                occupyWriter(database, callers, go);
                var creations = new ExecutorCompletionService<Boolean>(callers);
                for (int i = 0; i < 3; i++) {
                    String id = "task-" + i;
                    creations.submit(() -> creates(store, id, 100));
                }

                Future<Boolean> refused = creations.poll(30, TimeUnit.SECONDS);
                assertThat(refused).isNotNull();
                assertThatThrownBy(refused::get)
                        .hasCauseInstanceOf(TaskStoreException.class)
                        .rootCause()
                        .hasMessage("the database is busy: 2 operations wait for it");

                go.countDown();
                assertThat(creations.take().get()).isTrue();
                assertThat(creations.take().get()).isTrue();
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
                                            await().until(() -> go.getCount() == 0);
                                            return true;
                                        }));
        running.await();
    }

    @Test
    void theLimitOfAnOwnerHoldsOnAllNodesTogether() throws Exception {
        String url = TestPostgres.database();
        try (Database one = TestPostgres.open(url);
                Database other = TestPostgres.open(url);
                TaskStore first = store(one);
                TaskStore second = store(other);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> creating = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                TaskStore store = i % 2 == 0 ? first : second;
                String id = "task-" + i;
                creating.add(callers.submit(() -> creates(store, id, 20)));
            }

            int created = 0;
            for (Future<Boolean> attempt : creating) {
                created += attempt.get() ? 1 : 0;
            }
            assertThat(created).isEqualTo(20);
        }
    }

    /** Another node counts the tasks of an owner, and takes its time. */
    @Test
    void callersWaitingForTheTaskCountOfAnOwnerDoNotBlockReaders() throws Exception {
        String url = TestPostgres.database();
        DatabaseOptions few = TestPostgres.LASTING.withConnections(4);
        try (Database database = Database.postgres(url, few);
                Database other = TestPostgres.open(url);
                TaskStore store = store(database);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            store.create(task("there", true), 100);
            CountDownLatch locked = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            callers.submit(() -> holdCount(other, locked, go));
            locked.await();
            for (int i = 0; i < 50; i++) {
                String id = "task-" + i;
                callers.submit(() -> creates(store, id, 100));
            }
            try {
                for (int i = 0; i < 50; i++) {
                    Future<?> found =
                            callers.submit(() -> store.find(OWNER, new TaskId("there")).get());
                    found.get(30, TimeUnit.SECONDS);
                }
            } finally {
                go.countDown();
            }
            await().until(() -> store.list(OWNER, null, 100).tasks().size() == 51);
        }
    }

    /** Holds the lock under which tasks of the owner of this test are counted. */
    private static boolean holdCount(Database database, CountDownLatch locked, CountDownLatch go)
            throws Exception {
        String owner = new StoreAccess(database.engine(), "tasks").owner(OWNER);
        return database.engine()
                .transact(
                        s -> {
                            s.first(TaskTable.LOCK, row -> true, owner);
                            locked.countDown();
                            while (go.getCount() > 0) {
                                s.first("select 1 as alive", row -> true); // not idle
                            }
                            return true;
                        });
    }

    private static boolean creates(TaskStore store, String id, int limit) {
        try {
            store.create(task(id, true), limit);
            return true;
        } catch (TooManyTasksException e) {
            return false;
        }
    }

    @Test
    void aStoreWhoseDatabaseIsGoneFailsAndRecoversWithoutARestart() throws Exception {
        String url = TestPostgres.database();
        try (Database database = TestPostgres.open(url);
                TaskStore store = store(database)) {
            store.create(task("before", true), 10);
            TestPostgres.allowConnections(url, false);

            AtomicInteger attempts = new AtomicInteger();
            await().until(
                            () -> {
                                // A connection that is being opened is dropped by the next attempt.
                                TestPostgres.dropConnections(url);
                                return fails(store, "meanwhile-" + attempts.incrementAndGet());
                            });

            TestPostgres.allowConnections(url, true);
            await().until(() -> !fails(store, "after"));
            assertThat(store.find(OWNER, new TaskId("before"))).isPresent();
        }
    }

    private static boolean fails(TaskStore store, String id) {
        try {
            assertThat(creates(store, id, 1_000)).isTrue();
            return false;
        } catch (TaskStoreException gone) {
            return true;
        }
    }
}
