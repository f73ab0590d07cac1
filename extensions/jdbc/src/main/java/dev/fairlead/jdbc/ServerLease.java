package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.jdbc.engine.ThreadSession;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The lease of this process on the streams that it serves, among the servers that share a
 * PostgreSQL. It begins when it is first used. Heartbeats renew it, on a connection of its own so
 * that a full pool does not let it expire, and by the clock of the database. A server whose lease
 * has expired may renew it later: it has lost only the streams that another has taken over.
 */
final class ServerLease {
    private static final Logger LOG = System.getLogger(ServerLease.class.getName());

    /** The clock of the database. */
    private static final @Nullable Long NOW = null;

    private static final String BEAT =
            "insert into mcp_server (id, steady, beat) select ?, t.now, t.now"
                    + " from (select {now} as now) t on conflict (id) do update"
                    + " set beat = excluded.beat, steady = case when excluded.beat -"
                    + " mcp_server.beat > ? then excluded.beat else mcp_server.steady end";

    /**
     * Removes servers whose leases have expired, unless this one has not been steady for as long
     * itself: after an outage of the database no server has renewed its lease.
     */
    private static final String EXPIRE =
            "delete from mcp_server where id in (select s.id from mcp_server s,"
                    + " (select {now} as now) t where s.beat < t.now - ? and exists (select 1 from"
                    + " mcp_server me where me.id = ? and me.steady <= t.now - ?)"
                    + " for update of s skip locked)";

    private static final String LEAVE = "delete from mcp_server where id = ?";

    private final PostgresEngine engine;
    private final Duration length;
    private final String id = UUID.randomUUID().toString();
    private final ThreadSession session;
    private final HeartbeatThread beats;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean begun;

    /**
     * Prepares a lease.
     *
     * @param interval of its heartbeats
     * @param length after which time without a heartbeat it expires
     */
    ServerLease(PostgresEngine engine, Duration interval, Duration length) {
        this.engine = engine;
        this.length = length;
        this.session = new ThreadSession(() -> engine.connect(length.dividedBy(2)));
        this.beats =
                new HeartbeatThread("fairlead-server-beat", interval, this::beat, session::drop);
    }

    /** The name of this server in the rows of streams; another one at each start of the process. */
    String id() throws SQLException {
        if (!begun) {
            engine.write(this::renew);
            begun = true;
            if (started.compareAndSet(false, true)) {
                beats.start(true);
            }
        }
        return id;
    }

    private int renew(SqlSession s) throws SQLException {
        return s.update(BEAT, id, NOW, length.dividedBy(2).toMillis());
    }

    private void beat() throws SQLException {
        renew(session.get());
        session.get().update(EXPIRE, NOW, length.toMillis(), id, length.toMillis());
    }

    /** Gives the lease up: others may take over the streams of this server at once. */
    void close() {
        if (!begun) {
            return;
        }
        beats.stop();
        try {
            engine.write(s -> s.update(LEAVE, id));
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "The lease of this server stays until it expires", e);
        }
    }
}
