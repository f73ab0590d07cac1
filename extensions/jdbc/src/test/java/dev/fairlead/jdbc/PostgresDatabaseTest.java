package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

@Tag("proof")
class PostgresDatabaseTest {
    private static final String WAITING =
            "select count(*) from pg_locks where locktype = 'advisory' and not granted";

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

    @Test
    void aServerThatIsSlowToAnswerAProcessThatStartsIsWaitedFor() throws Exception {
        String url = TestPostgres.database();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        HalfOpenProxy.Step slow =
                () ->
                        Thread.sleep(
                                isFirst.getAndSet(false) ? Duration.ofSeconds(6) : Duration.ZERO);
        try (HalfOpenProxy proxy = new HalfOpenProxy(TestPostgres.port(), slow);
                Database database = TestPostgres.open(TestPostgres.through(url, proxy.port()));
                TaskStore store = store(database)) {
            store.create(task("task", true), 1);
            assertThat(store.find(OWNER, new TaskId("task"))).isPresent();
        }
    }

    @Test
    void aServerThatNeverAnswersAProcessThatStartsIsReported() throws Exception {
        String url = TestPostgres.database();
        try (HalfOpenProxy proxy =
                new HalfOpenProxy(TestPostgres.port(), new CountDownLatch(1)::await)) {
            assertThatThrownBy(() -> TestPostgres.open(TestPostgres.through(url, proxy.port())))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessage("PostgreSQL cannot be reached: Connection attempt timed out.");
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
                    found.get(30, SECONDS);
                }
            } finally {
                go.countDown();
            }
            await().until(() -> store.list(OWNER, null, 100).tasks().size() == 51);
        }
    }

    /** Another node adds values of the kind, and takes its time. */
    @Test
    void ownedValuesThatWaitForTheirLockDoNotBlockNewTasks() throws Exception {
        String url = TestPostgres.database();
        try (Database database = Database.postgres(url, TestPostgres.LASTING.withMaxWaiting(50));
                Database other = TestPostgres.open(url);
                TaskStore store = store(database);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            OwnedValues values =
                    database.ownedValues()
                            .open("clients", new OwnedValues.Share(9, 9), Duration.ofHours(1));
            CountDownLatch locked = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            callers.submit(() -> hold("values:owned-values:clients", other, locked, go));
            locked.await();
            Future<Boolean> first = callers.submit(() -> values.put("a", 9, "0", new byte[1]));
            try {
                await().until(() -> TestPostgres.number(url, WAITING) == 1);
                List<Future<Boolean>> others = new ArrayList<>();
                for (int i = 1; i <= 51; i++) { // 50 wait, and one is refused
                    String key = "key" + i;
                    others.add(callers.submit(() -> values.put("a", 9, key, new byte[1])));
                }
                await().until(() -> others.stream().anyMatch(Future::isDone));
                assertThat(callers.submit(() -> creates(store, "task", 10)).get(30, SECONDS))
                        .isTrue();
                assertThat(first).isNotDone();
            } finally {
                go.countDown();
            }
            assertThat(first.get(30, SECONDS)).isTrue();
        }
    }

    /** Holds the lock under which tasks of the owner of this test are counted. */
    private static boolean holdCount(Database database, CountDownLatch locked, CountDownLatch go)
            throws Exception {
        String owner = new StoreAccess(database.engine(), "tasks").owner(OWNER);
        return hold(owner, database, locked, go);
    }

    private static boolean hold(
            String name, Database database, CountDownLatch locked, CountDownLatch go)
            throws Exception {
        return database.engine()
                .transact(
                        s -> {
                            s.first(TaskTable.LOCK, row -> true, name);
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
