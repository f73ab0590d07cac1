package dev.fairlead.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.test.support.Awaiting;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

class SqliteEngineTest {
    private static final int MAX_WAITING = 100;

    @TempDir Path folder;

    private Path path;
    private SqliteEngine engine;
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @BeforeEach
    void open() throws SQLException {
        path = folder.resolve("store.db");
        engine = SqliteEngine.open(path, MAX_WAITING);
        engine.write(
                session -> session.update("create table item(id integer primary key, t text)"));
    }

    @AfterEach
    void close() {
        engine.close();
        callers.close();
    }

    private int insert(int id) throws SQLException {
        return engine.write(s -> s.update("insert into item(id, t) values (?, ?)", id, "item"));
    }

    private List<Long> items() throws SQLException {
        return engine.read(s -> s.list("select id from item order by id", row -> row.number("id")));
    }

    @Test
    void whatWasWrittenIsThereAfterReopening() throws Exception {
        insert(1);
        engine.close();

        engine = SqliteEngine.open(path, MAX_WAITING);

        assertThat(items()).containsExactly(1L);
    }

    @Test
    void aStatementThatFailsInAGroupFailsAlone() throws Exception {
        insert(2);
        List<Future<Integer>> group = inOneGroup(() -> insert(1), () -> insert(2), () -> insert(3));

        assertThat(group.get(0).get()).isOne();
        assertThatThrownBy(() -> group.get(1).get()).hasMessageContaining("UNIQUE");
        assertThat(group.get(2).get()).isOne();
        assertThat(items()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aTransactionThatFailsInAGroupLeavesNothing() throws Exception {
        List<Future<Integer>> group =
                inOneGroup(
                        () -> insert(1),
                        () ->
                                engine.transact(
                                        s -> {
                                            s.update("insert into item(id) values (2)");
                                            return s.update("insert into item(id) values (1)");
                                        }),
                        () -> insert(3));

        assertThatThrownBy(() -> group.get(1).get()).hasMessageContaining("UNIQUE");
        assertThat(group.get(2).get()).isOne();
        assertThat(items()).containsExactly(1L, 3L);
    }

    @Test
    void aFullDiskFailsTheWholeGroupAndTheNextGroupSucceeds() throws Exception {
        limitPages();
        List<Future<Integer>> group = inOneGroup(() -> insert(1), () -> insertMuch(2));

        for (Future<Integer> one : group) {
            assertThatThrownBy(one::get).rootCause().hasMessageContaining("SQLITE_FULL");
            assertThatThrownBy(one::get).hasMessageContaining("the disk is full");
        }
        assertThat(items()).isEmpty();
        insertMuch(3); // on a fresh connection, whose file may grow
        assertThat(items()).containsExactly(3L);
    }

    private void limitPages() throws SQLException {
        engine.write(s -> s.list("pragma max_page_count = 1", row -> row.number("max_page_count")));
    }

    private int insertMuch(int id) throws SQLException {
        return engine.write(
                s -> s.update("insert into item(id, t) values (?, ?)", id, "x".repeat(100_000)));
    }

    @Test
    void anInterruptedCallerGetsItsResultAndKeepsTheInterrupt() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<Boolean> caller =
                callers.submit(
                        () -> {
                            Thread.currentThread().interrupt();
                            engine.write(
                                    s -> {
                                        running.countDown();
                                        await(go);
                                        return s.update("insert into item(id) values (1)");
                                    });
                            return Thread.interrupted();
                        });
        await(running);
        go.countDown();

        assertThat(caller.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(items()).containsExactly(1L);
    }

    @Test
    void beyondTheBoundCallersAreRefusedAtOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Future<Integer> first = blockWriter(go);
        List<Future<Integer>> waiting = new ArrayList<>();
        for (int id = 1; id <= MAX_WAITING; id++) {
            int own = id;
            waiting.add(callers.submit(() -> insert(own)));
        }
        untilWaiting(MAX_WAITING);

        assertThatThrownBy(() -> insert(1_000))
                .isInstanceOf(SQLException.class)
                .hasMessage("the database is busy: 100 operations wait for it");

        go.countDown();
        first.get();
        for (Future<Integer> one : waiting) {
            assertThat(one.get()).isOne();
        }
    }

    @Test
    void closingFinishesWhatWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Future<Integer> first = blockWriter(go);
        Future<Integer> waiting = callers.submit(() -> insert(1));
        untilWaiting(1);
        Future<?> closing = callers.submit(engine::close);
        go.countDown();
        closing.get(30, TimeUnit.SECONDS);

        assertThat(first.get()).isZero();
        assertThat(waiting.get()).isOne();
        assertThatThrownBy(() -> insert(2)).hasMessage("the database is closed");
    }

    @Test
    void aReaderCannotWrite() {
        assertThatThrownBy(() -> engine.read(s -> s.update("insert into item(id) values (1)")))
                .rootCause()
                .hasMessageContaining("SQLITE_READONLY");
    }

    @Test
    void aSecondOpeningIsRefusedAndTakesNothingAway() throws Exception {
        assertThatThrownBy(() -> SqliteEngine.open(path, 1))
                .hasMessage(path.toRealPath() + " is open already in this process");
        insert(1);
        assertThat(items()).containsExactly(1L);
    }

    @Test
    void filesCanOnlyBeReadByTheirOwner() throws Exception {
        insert(1);

        for (String name : List.of("store.db", "store.db-wal", "store.db-shm", "store.db.lock")) {
            assertThat(Files.getPosixFilePermissions(folder.resolve(name)))
                    .as(name)
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedAndCanBeReplaced() throws Exception {
        engine.close();
        Path other = folder.resolve("notes.txt");
        Files.writeString(other, "not a database, but long enough to look at ".repeat(50));

        assertThatThrownBy(() -> SqliteEngine.open(other, 1))
                .hasMessageContaining("not a database");

        Files.delete(other);
        SqliteEngine.open(other, 1).close();
    }

    /** Has the writer take these calls into one transaction. */
    @SafeVarargs
    private List<Future<Integer>> inOneGroup(Callable<Integer>... calls) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Future<Integer> first = blockWriter(go);
        List<Future<Integer>> group = new ArrayList<>();
        for (Callable<Integer> call : calls) {
            group.add(callers.submit(call));
            untilWaiting(group.size());
        }
        go.countDown();
        first.get();
        return group;
    }

    @CheckReturnValue
    private Future<Integer> blockWriter(CountDownLatch go) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        Future<Integer> blocking =
                callers.submit(
                        () ->
                                engine.write(
                                        s -> {
                                            running.countDown();
                                            await(go);
                                            return 0;
                                        }));
        await(running);
        return blocking;
    }

    private void untilWaiting(int operations) {
        Awaiting.await().until(() -> engine.waitingWrites() == operations);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
