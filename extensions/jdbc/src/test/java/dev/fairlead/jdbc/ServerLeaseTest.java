package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStore.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The servers that count as dead, of those that share a PostgreSQL. */
@Tag("proof")
class ServerLeaseTest {
    private static final Stream CALL = new Stream("s", "p1", List.of(RequestId.of(1)));
    private static final Duration BEAT = Duration.ofMillis(100);

    @TempDir Path folder;

    private final List<Database> databases = new ArrayList<>();
    private String url;

    @BeforeEach
    void create() {
        url = TestPostgres.database();
    }

    @AfterEach
    void close() {
        databases.forEach(Database::close);
    }

    private Database open(Duration beat, Duration lease) {
        Database database =
                Database.postgres(url, DatabaseOptions.DEFAULT.withLiveness(beat, lease));
        databases.add(database);
        return database;
    }

    /** A server that takes others for dead soon. */
    private Database watching() {
        return open(BEAT, BEAT.multipliedBy(8));
    }

    /** A server that takes no other for dead. */
    private Database patient() {
        return open(BEAT, Duration.ofHours(1));
    }

    /** A server that seems dead to others soon after it began: its next heartbeat never comes. */
    private Database silent() {
        return open(Duration.ofHours(1), Duration.ofHours(4));
    }

    private static EventStore serving(Database database) {
        EventStore store = JdbcEvents.on(database);
        store.append(CALL, new byte[1]);
        return store;
    }

    private static boolean takesOver(EventStore store) {
        return store.takeOver(CALL.session(), CALL.name());
    }

    private void set(Database of, String change) throws SQLException {
        String id = of.lease().id();
        of.engine().write(s -> s.update("update mcp_server set " + change + " where id = ?", id));
    }

    private long servers() {
        return TestPostgres.number(url, "select count(*) from mcp_server");
    }

    @Test
    void aServerWithoutHeartbeatsIsDeadWhenItsLeaseHasExpired() {
        serving(silent());
        EventStore other = JdbcEvents.on(watching());

        await().until(() -> takesOver(other));
        assertThat(servers()).isOne();
    }

    @Test
    void aHeartbeatRenewsTheLease() throws Exception {
        Database living = patient();
        EventStore store = serving(living);
        Database other = patient();
        JdbcEvents.on(other).takeOver("s", "p1");
        long begun = beat(living);

        await().until(() -> beat(living) > begun + BEAT.toMillis());
        assertThat(takesOver(JdbcEvents.on(other))).isFalse();
        assertThat(takesOver(store)).isTrue();
    }

    private long beat(Database of) {
        try {
            return TestPostgres.number(
                    url, "select beat from mcp_server where id = '" + of.lease().id() + "'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aServerThatWasNotSteadyItselfTakesNoOtherForDead() throws Exception {
        Database dead = silent();
        serving(dead);
        set(dead, "beat = 0");
        Database other = patient();
        EventStore store = JdbcEvents.on(other);
        assertThat(takesOver(store)).isFalse();
        long begun = beat(other);
        await().until(() -> beat(other) > begun + 2 * BEAT.toMillis());
        assertThat(takesOver(store)).isFalse();

        set(other, "steady = 0");

        await().until(() -> takesOver(store));
    }

    @Test
    void aServerIsNoLongerSteadyAfterAGap() throws Exception {
        Database server = patient();
        server.lease().id();
        set(server, "beat = 0, steady = 0");

        await().until(
                        () ->
                                TestPostgres.number(
                                                url,
                                                "select count(*) from mcp_server where steady > 0")
                                        == 1);
    }

    @Test
    void aServerThatIsClosedGivesItsLeaseUp() {
        Database closed = patient();
        serving(closed);
        EventStore other = JdbcEvents.on(patient());
        assertThat(takesOver(other)).isFalse();

        closed.close();

        assertThat(takesOver(other)).isTrue();
    }

    @Test
    void aServerWhoseLeaseHadExpiredRenewsIt() throws Exception {
        Database server = patient();
        EventStore store = serving(server);
        server.engine().write(s -> s.update("delete from mcp_server"));
        await().until(() -> servers() == 1);

        assertThat(takesOver(JdbcEvents.on(patient()))).isFalse();
        assertThat(store.append(CALL, new byte[1]).number()).isEqualTo(2);
    }

    @Test
    void aStreamOfAnEarlierVersionHasNoOwner() throws Exception {
        Database before = patient();
        serving(before);
        before.engine().write(s -> s.update("update mcp_stream set server = null"));

        EventStore first = JdbcEvents.on(patient());
        EventStore second = JdbcEvents.on(patient());
        assertThat(takesOver(first)).isTrue();
        assertThat(takesOver(second)).isFalse();
    }

    @Test
    void aServerWithoutCallsHasNoLease() {
        Database database = patient();
        JdbcEvents.on(database).append(new Stream("s", "g1", List.of()), new byte[1]);

        assertThat(servers()).isZero();
    }

    @Test
    void onSqliteEachStreamCanBeTakenOver() {
        Database first = Database.sqlite(folder.resolve("events.db"));
        serving(first);
        first.close();
        Database second = Database.sqlite(folder.resolve("events.db"));
        databases.add(second);

        EventStore store = JdbcEvents.on(second);
        assertThat(takesOver(store)).isTrue();
        assertThat(store.append(CALL, new byte[1]).number()).isEqualTo(2);
    }
}
