package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Tag("proof")
class PostgresDatabaseTest {
    @Test
    void aUrlNamesAPostgres() throws Exception {
        try (Database server = Database.open(TestPostgres.database())) {
            assertThat(server.options()).isEqualTo(DatabaseOptions.DEFAULT);
        }
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
