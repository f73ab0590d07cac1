package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The nodes that own sessions in a PostgreSQL. */
@Tag("proof") // starts a PostgreSQL
class EventNodeTest {
    private static final Duration BEAT = Duration.ofMillis(50);

    private String url;
    private Database database;

    @BeforeEach
    void open() {
        url = TestPostgres.database();
        database =
                Database.postgres(
                        url, DatabaseOptions.DEFAULT.withLiveness(BEAT, Duration.ofHours(1)));
    }

    @AfterEach
    void close() {
        database.close();
    }

    private SessionStore begun() {
        SessionStore sessions = JdbcEvents.on(database).sessions().orElseThrow();
        sessions.open(new StoredSession("key", "s", Caller.anonymous(), JsonObject.EMPTY, 0));
        return sessions;
    }

    private long number(String sql) throws SQLException {
        return TestPostgres.number(url, sql);
    }

    @Test
    void aHeartbeatRenewsTheLease() throws Exception {
        begun();
        long begun = number("select beat from mcp_node");

        await().until(() -> number("select beat from mcp_node") > begun + BEAT.toMillis());
    }

    @Test
    void theLeasesOfSessionsAndTasksAreRenewedTogether() throws Exception {
        begun();
        TaskStore tasks = JdbcTasks.on(database).parts().store();
        tasks.open(new TestNode("node"), TestNode.CLOCK);
        long begun = number("select max(beat) from mcp_node");

        await().until(() -> number("select min(beat) from mcp_node") > begun);
        assertThat(number("select count(*) from mcp_node")).isEqualTo(2);
        assertThat(number("select count(distinct beat) from mcp_node")).isOne();
        tasks.close();
        assertThat(number("select count(*) from mcp_node where died is null")).isOne();
        long alone = number("select max(beat) from mcp_node");
        await().until(() -> number("select max(beat) from mcp_node") > alone);
    }

    @Test
    void aNodeThatWasDeclaredDeadReportsItAndJoinsAsANewOne() throws Exception {
        SessionStore sessions = begun();
        CountDownLatch fenced = new CountDownLatch(1);
        try (SessionStore.Membership node = sessions.join(fenced::countDown)) {
            assertThat(node).isNotNull();
            database.engine().write(s -> s.update("update mcp_node set died = 1"));

            fenced.await();
            await().until(() -> number("select count(*) from mcp_node where died is null") == 1);
        }
    }

    @Test
    void aNodeLeavesWithItsLastServerAndJoinsAgain() throws Exception {
        SessionStore sessions = JdbcEvents.on(database).sessions().orElseThrow();
        SessionStore.Membership first = sessions.join(() -> {});
        SessionStore.Membership second = sessions.join(() -> {});
        sessions.open(new StoredSession("key", "s", Caller.anonymous(), JsonObject.EMPTY, 0));

        first.close();
        assertThat(number("select count(*) from mcp_node where died is null")).isOne();
        second.close();
        assertThat(number("select count(*) from mcp_node where died is null")).isZero();

        assertThat(sessions.take("key", 0, Duration.ofHours(1))).isPresent();
        assertThat(number("select count(*) from mcp_node where died is null")).isOne();
    }

    @Test
    void aDatabaseThatIsClosedTakesItsNodesWithIt() throws Exception {
        begun();

        database.close();

        assertThat(number("select count(*) from mcp_node where died is null")).isZero();
    }
}
