package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.jdbc.engine.ThreadSession;
import dev.fairlead.jdbc.engine.Work;

import java.sql.SQLException;
import java.time.Duration;

/**
 * The beat of a node on PostgreSQL, on a connection of its own: a full pool must not look like
 * death. An answer that takes as long as half a lease counts as none.
 */
final class PostgresPulse implements Heartbeat.Pulse {
    private final NodeTable nodes;
    private final Duration lease;
    private final ThreadSession session;

    PostgresPulse(PostgresEngine engine, NodeTable nodes, Duration lease) {
        this.nodes = nodes;
        this.lease = lease;
        this.session = new ThreadSession(() -> engine.connect(lease.dividedBy(2)));
    }

    @Override
    public boolean beat(long incarnation) throws SQLException {
        SqlSession own = session.get();
        boolean alive = nodes.beat(own, incarnation, lease.dividedBy(2));
        nodes.markExpiredNodesDead(own, incarnation, lease);
        return alive;
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
