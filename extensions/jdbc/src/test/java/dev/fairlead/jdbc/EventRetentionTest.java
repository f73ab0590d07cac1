package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStore.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cost of a sweep of events, and the events that it removes. */
class EventRetentionTest {
    private static final int EXPIRED = 3_000;
    static final long NOW = 1_800_000_000_000L;
    static final long MINUTE = 60_000;
    private static final long DAY = EventRetention.ORPHANS.toMillis();
    private static final String SPACE = "events";

    /** No test exceeds them, however long it takes. */
    private static final EventLimits ROOMY =
            new EventLimits(1_000, 1 << 20, 1 << 30, Duration.ofDays(1));

    private static final String SQLITE_NUMBERS =
            "(with recursive c (i) as (select 1 union all select i + 1 from c where i < %s)"
                    + " select i from c) n";

    @TempDir Path folder;

    private interface Case {
        void run(Database database) throws Exception;
    }

    Database open() throws SQLException {
        return Database.sqlite(folder.resolve("events.db"));
    }

    private void run(Case test) throws Exception {
        try (Database database = open()) {
            test.run(database);
        }
    }

    private static EventRetention retention(Database database, EventLimits limits, Duration part) {
        return new EventRetention(new EventAccess(database.engine(), SPACE), limits, part);
    }

    private static String numbers(Database database, int to) {
        return switch (database.engine().dialect()) {
            case SQLITE -> SQLITE_NUMBERS.formatted(to);
            case POSTGRES -> "generate_series(1, " + to + ") i";
        };
    }

    /** Streams of a session each; the events of every third are gone. */
    static void fill(Database database, int streams, boolean ended, long created)
            throws SQLException {
        database.engine()
                .transact(
                        s -> {
                            s.update(
                                    "insert into mcp_stream (space, session, name, requests, last,"
                                        + " gone, events, bytes, ended, used, emptied) select"
                                        + " 'events', 's' || i, 'g1', '[]', 1, case when i % 3 = 0"
                                        + " then 1 else 0 end, case when i % 3 = 0 then 0 else 1"
                                        + " end, case when i % 3 = 0 then 0 else 10 end, ?, ?, case"
                                        + " when i % 3 = 0 then cast(? as bigint) end from "
                                            + numbers(database, streams),
                                    ended,
                                    created,
                                    created);
                            s.update(
                                    "insert into mcp_session (key, space, name, caller, state,"
                                        + " restored, used) select 'k' || session, space, session,"
                                        + " '{}', '{}', 0, used from mcp_stream");
                            return s.update(
                                    "insert into mcp_event (stream, number, space, created, size,"
                                            + " data) select seq, 1, space, ? + seq, 10, ? from"
                                            + " mcp_stream where events = 1",
                                    created,
                                    new byte[10]);
                        });
    }

    /** The time of the clock that sweeps follow. */
    private static long now(Database database) throws SQLException {
        return database.engine()
                .read(
                        s ->
                                s.first(
                                                "select {now} as now",
                                                row -> row.number("now"),
                                                (Object) null)
                                        .orElseThrow());
    }

    private static long count(Database database, String table) throws SQLException {
        return database.engine()
                .read(
                        s ->
                                s.first(
                                                "select count(*) as rows from " + table,
                                                row -> row.number("rows"))
                                        .orElseThrow());
    }

    @Test
    void ofTheEventsOfOneMillisecondThatOfTheNewestStreamStays() throws Exception {
        run(
                database -> {
                    EventLimits limits = new EventLimits(1_000, 4_000, 10_000, Duration.ofDays(1));
                    EventStore store = JdbcEvents.on(database, limits);
                    store.append(new Stream("quiet", "a", List.of()), new byte[100]);
                    store.append(new Stream("quiet", "a", List.of()), new byte[100]);
                    store.append(new Stream("large", "a", List.of()), new byte[20_000]);
                    String sql =
                            "update mcp_event set created = (select max(created) from mcp_event)";
                    database.engine().write(s -> s.update(sql));

                    store.sweep();

                    assertThat(count(database, "mcp_event")).isEqualTo(3);
                });
    }

    @Test
    void thousandsOfExpiredStreamsGoInOneSweep() throws Exception {
        run(
                database -> {
                    fill(database, EXPIRED, true, 0);

                    retention(database, ROOMY, Duration.ofMinutes(5)).sweep();

                    assertThat(count(database, "mcp_event")).isZero();
                    assertThat(count(database, "mcp_stream")).isZero();
                });
    }

    @Test
    void aSweepWhoseTimeIsOverIsContinuedByTheNext() throws Exception {
        run(
                database -> {
                    fill(database, EXPIRED, true, 0);
                    long events = count(database, "mcp_event");
                    EventRetention retention = retention(database, ROOMY, Duration.ZERO);

                    retention.sweep();
                    assertThat(count(database, "mcp_event"))
                            .isEqualTo(events - EventRetention.STEP);

                    for (int i = 0; i < EXPIRED / EventRetention.STEP; i++) {
                        retention.sweep();
                    }
                    assertThat(count(database, "mcp_event")).isZero();
                    assertThat(count(database, "mcp_stream")).isZero();
                });
    }

    /** The check of the whole space alone reads all streams. */
    @Test
    void limitsAreNotCheckedAgainUntilMuchIsAppended() throws Exception {
        EventLimits limits = new EventLimits(80, 1 << 20, 1 << 30, Duration.ofDays(1));
        run(
                database -> {
                    EventStore store = JdbcEvents.store(database, SPACE, limits);
                    Stream stream = new Stream("s", "g1", List.of());
                    EventRetention retention = retention(database, limits, Duration.ofMinutes(5));
                    store.append(stream, new byte[1]);
                    assertThat(count(database, "mcp_limit_check")).isOne();

                    retention.sweep();
                    assertThat(count(database, "mcp_limit_check")).isZero();
                    for (int i = 2; i <= 10; i++) {
                        store.append(stream, new byte[1]);
                    }
                    assertThat(count(database, "mcp_limit_check")).isZero();

                    store.append(stream, new byte[1]);
                    assertThat(count(database, "mcp_limit_check")).isOne();
                });
    }

    /** More sessions than a step takes events from. */
    @Test
    void manySessionsWithTooManyBytesAreReducedToTheLimitAndASmallOneStays() throws Exception {
        EventLimits limits = new EventLimits(1_000, 1 << 20, 5_000, Duration.ofDays(365_000));
        run(
                database -> {
                    fill(database, EXPIRED, false, NOW);
                    Engine engine = database.engine();
                    engine.write(s -> s.update("update mcp_stream set bytes = 1 where seq = 1"));
                    engine.write(s -> s.update("update mcp_event set size = 1 where stream = 1"));
                    engine.write(
                            s -> s.update("insert into mcp_limit_check values ('events', '', 1)"));

                    retention(database, limits, Duration.ofMinutes(5)).sweep();

                    assertThat(count(database, "mcp_event")).isEqualTo(500);
                    assertThat(count(database, "mcp_event where stream = 1")).isOne();
                });
    }

    @Test
    void emptyStreamsOfUnknownSessionsAreForgottenAfterADay() throws Exception {
        run(
                database -> {
                    long yesterday = now(database) - DAY;
                    fill(database, 30, false, yesterday - 2 * MINUTE);
                    database.engine()
                            .write(
                                    s ->
                                            s.update(
                                                    "delete from mcp_session where name in ('s3',"
                                                            + " 's4')"));

                    retention(database, ROOMY, Duration.ofMinutes(5)).sweep();

                    assertThat(count(database, "mcp_event")).isZero();
                    // s3 was empty for a day, s4 has just become so, and the others have sessions
                    assertThat(count(database, "mcp_stream")).isEqualTo(29);
                    assertThat(count(database, "mcp_stream where session = 's3'")).isZero();
                    assertThat(count(database, "mcp_stream where emptied is not null"))
                            .isEqualTo(29);
                    assertThat(count(database, "mcp_stream where emptied <= " + yesterday))
                            .isZero();
                });
    }

    private static final Set<String> OF_A_SESSION =
            Set.of(EventRetention.NEWEST, EventRetention.OLDEST);

    /** Statements of a sweep with their values. */
    static Map<String, Object[]> statements() {
        Map<String, Object[]> statements = new LinkedHashMap<>();
        statements.put(EventRetention.OLD, new Object[] {SPACE, NOW, 5 * MINUTE, 500});
        statements.put(EventRetention.OLDEST, new Object[] {"s7", 500});
        statements.put(EventRetention.LAST, new Object[] {SPACE});
        statements.put(EventRetention.LOCK, new Object[] {"[7,9]"});
        statements.put(EventRetention.REQUESTED, new Object[] {SPACE, 500});
        statements.put(EventRetention.STREAMS, new Object[] {"s7"});
        statements.put(EventRetention.NEWEST, new Object[] {"s7", 1_000});
        statements.put(EventRetention.FORGET_ENDED, new Object[] {SPACE, 500});
        statements.put(EventRetention.KEEP, new Object[] {SPACE, NOW, DAY, 500, NOW});
        statements.put(EventRetention.FORGET_ORPHANS, new Object[] {SPACE, NOW, DAY, 500});
        return statements;
    }

    @Test
    void nothingIsReadThatIsNotDue() throws Exception {
        try (Database database = open()) {
            for (Map.Entry<String, Object[]> statement : statements().entrySet()) {
                List<String> plan =
                        database.engine()
                                .read(
                                        s ->
                                                s.list(
                                                        "explain query plan " + statement.getKey(),
                                                        row -> row.text("detail"),
                                                        statement.getValue()));
                assertThat(plan)
                        .as(statement.getKey())
                        .noneMatch(line -> line.matches("SCAN ([tsen]|mcp_.*)\\b.*"));
                if (!OF_A_SESSION.contains(statement.getKey())) {
                    assertThat(plan)
                            .as(statement.getKey())
                            .noneMatch(line -> line.contains("USE TEMP B-TREE FOR ORDER BY"));
                }
            }
        }
    }
}
