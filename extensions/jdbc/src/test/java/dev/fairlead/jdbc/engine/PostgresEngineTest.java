package dev.fairlead.jdbc.engine;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jdbc.TestPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

@Tag("proof")
class PostgresEngineTest {
    private static final Duration FROZEN = Duration.ofMinutes(1);
    private static final String WAITING =
            "select count(*) from pg_locks where locktype = 'advisory' and not granted";

    private String url;
    private PostgresEngine engine;
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @BeforeEach
    void open() throws SQLException {
        url = TestPostgres.database();
        engine = PostgresEngine.open(url, null, 4, 100, FROZEN);
        engine.write(session -> session.update("create table item(id bigint primary key)"));
    }

    @AfterEach
    void close() {
        engine.close();
        callers.close();
    }

    private int insert(int id) throws SQLException {
        return engine.write(s -> s.update("insert into item(id) values (?)", id));
    }

    private List<Long> items() throws SQLException {
        return engine.read(s -> s.list("select id from item order by id", row -> row.number("id")));
    }

    @Test
    void aTransactionThatFailsLeavesNothing() throws Exception {
        insert(1);

        assertThatThrownBy(
                        () ->
                                engine.transact(
                                        s -> {
                                            s.update("insert into item(id) values (2)");
                                            return s.update("insert into item(id) values (1)");
                                        }))
                .hasMessageContaining("duplicate key");

        assertThat(items()).containsExactly(1L);
    }

    @Test
    void anInterruptInTheMiddleOfAStatementDisturbsNothing() throws Exception {
        Thread[] thread = new Thread[1];
        Future<Boolean> caller;
        try (SqlSession holding = engine.connect(Duration.ofMinutes(1))) {
            holding.first("select pg_advisory_lock(1)", row -> true);
            caller =
                    callers.submit(
                            () -> {
                                thread[0] = Thread.currentThread();
                                engine.write(PostgresEngineTest::insertAfterTheLock);
                                return Thread.interrupted();
                            });
            await().until(() -> TestPostgres.number(url, WAITING) == 1);
            await().until(() -> isParked(thread[0]));
            thread[0].interrupt();
            await().until(() -> isParked(thread[0]));
        }

        assertThat(caller.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(items()).containsExactly(1L);
    }

    private static Optional<Long> insertAfterTheLock(SqlSession session) throws SQLException {
        return session.first(
                "insert into item(id) select 1 from (select pg_advisory_xact_lock(1)) locked"
                        + " returning id",
                row -> row.number("id"));
    }

    /** Waits, and has noticed when it was interrupted. */
    private static boolean isParked(Thread thread) {
        return thread.getState() == Thread.State.WAITING && !thread.isInterrupted();
    }

    @Test
    void nodesThatStartAtOnceMakeTheTablesOnce() throws Exception {
        String empty = TestPostgres.database();
        List<Future<PostgresEngine>> opening = new ArrayList<>();
        for (int node = 0; node < 6; node++) {
            opening.add(callers.submit(() -> PostgresEngine.open(empty, null, 1, 10, FROZEN)));
        }

        for (Future<PostgresEngine> one : opening) {
            one.get().close();
        }
    }

    @Test
    void aDatabaseThatCameBackIsUsedAgain() throws Exception {
        insert(1);
        TestPostgres.dropConnections(url);

        await().until(() -> succeeds(() -> insert(2)));

        assertThat(items()).containsExactly(1L, 2L);
    }

    private static boolean succeeds(Callable<?> call) {
        try {
            call.call();
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    @Test
    void aServerThatIsNotThereIsSaidToBeUnreachable() {
        assertThatThrownBy(
                        () ->
                                PostgresEngine.open(
                                        "jdbc:postgresql://127.0.0.1:1/none", null, 1, 1, FROZEN))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("PostgreSQL cannot be reached")
                .hasMessageContaining("127.0.0.1:1", Duration.ofSeconds(3));
    }
}
