package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;

/** The session of one thread: opened when it is first needed, and again after a failure. */
public final class OwnSession {
    private static final Logger LOG = System.getLogger(OwnSession.class.getName());

    private final SqlCall<Session> opening;
    private @Nullable Session session;

    public OwnSession(SqlCall<Session> opening) {
        this.opening = opening;
    }

    public Session get() throws SQLException {
        Session open = session;
        if (open == null) {
            open = opening.make();
            session = open;
        }
        return open;
    }

    /** Closes it, which rolls uncommitted changes back. */
    public void drop() {
        Session open = session;
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
