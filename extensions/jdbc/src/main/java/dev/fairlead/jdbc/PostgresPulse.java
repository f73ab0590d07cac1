package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.jdbc.engine.ThreadSession;
import dev.fairlead.jdbc.engine.Work;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The beat of the nodes of a process on PostgreSQL, on a connection of its own: a full pool must
 * not look like death. An answer that takes as long as half a lease counts as none.
 */
final class PostgresPulse implements Heartbeat.Pulse {
    /**
     * Renews the leases of the nodes of this process: one that comes later than a gap after the
     * last may be the first after an outage. Declares dead the nodes of others without a sign of
     * life for a lease, unless no node of this process has been steady for as long: after an outage
     * of the database none is, and all are given the time to come back. A dead node may have made
     * changes that it did not announce any more, so all buses of changes are notified in the same
     * transaction, whatever their space. A row that is locked is not waited for: its node beats.
     * {@code {own}} stands for the nodes of this process.
     */
    private static final String BEAT =
            "with t as materialized (select {now} as now), me as (update mcp_node set beat = t.now,"
                    + " steady = case when t.now - beat > ? then t.now else steady end from t where"
                    + " id in (select id from mcp_node where id in {own} and died is null order by"
                    + " id for update) returning id, beat, steady), dead as (update mcp_node set"
                    + " died = t.now from t where id in (select n.id from mcp_node n, t where"
                    + " n.died is null and n.id not in {own} and n.beat < t.now - ? and exists"
                    + " (select 1 from me where me.steady <= t.now - ?) for update of n skip"
                    + " locked) returning 1), sent as materialized (select pg_notify(?, ?) where"
                    + " exists (select 1 from dead)) select id, beat, (select count(*) from sent)"
                    + " as sent from me";

    private final Duration lease;
    private final ThreadSession session;

    PostgresPulse(PostgresEngine engine, Duration lease) {
        this.lease = lease;
        this.session = new ThreadSession(() -> engine.connect(lease.dividedBy(2)));
    }

    @Override
    public Map<Long, Long> beat(Set<Long> incarnations) throws SQLException {
        SqlSession own = session.get();
        List<Long> ids = List.copyOf(incarnations);
        Map<Long, Long> alive = new HashMap<>();
        own.list(
                sql(ids.size()),
                row -> alive.put(row.number("id"), row.number("beat")),
                (Object) null, // the clock of the database
                lease.dividedBy(2).toMillis(),
                ids,
                ids,
                lease.toMillis(),
                lease.toMillis(),
                NotifyChangeBus.CHANNEL,
                NotifyQueue.anyOf("a dead node"));
        return alive;
    }

    private static String sql(int nodes) {
        return BEAT.replace(
                "{own}", "(" + String.join(", ", Collections.nCopies(nodes, "?")) + ")");
    }

    @Override
    public <T> T read(Work<T> work) throws SQLException {
        return work.on(session.get());
    }

    @Override
    public <T> T write(Work<T> statement) throws SQLException {
        return statement.on(session.get());
    }

    @Override
    public void reset() {
        session.drop();
    }
}
