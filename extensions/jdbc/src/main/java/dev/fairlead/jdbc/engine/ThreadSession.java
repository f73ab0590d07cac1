package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;

/** The session of one thread: opened when it is first needed, and again after a failure. */
public final class ThreadSession {
    private static final Logger LOG = System.getLogger(ThreadSession.class.getName());

    private final SqlCall<SqlSession> opening;
    private @Nullable SqlSession session;

    public ThreadSession(SqlCall<SqlSession> opening) {
        this.opening = opening;
    }

    public SqlSession get() throws SQLException {
        SqlSession open = session;
        if (open == null) {
            open = opening.make();
            session = open;
        }
        return open;
    }

    /** Closes it, which rolls uncommitted changes back. */
    public void drop() {
        SqlSession open = session;
        session = null;
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (SQLException | RuntimeException e) { // else the thread would end
            LOG.log(Level.DEBUG, "a connection did not close", e);
        }
    }
}
