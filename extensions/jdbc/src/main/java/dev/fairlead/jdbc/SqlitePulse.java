package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Work;

import java.sql.SQLException;

/**
 * The beat of a node on SQLite: it writes nothing, since the lock of the file shows the death of a
 * process. So an idle store is written by its sweeps only.
 */
final class SqlitePulse implements Heartbeat.Pulse {
    private final Engine engine;

    SqlitePulse(Engine engine) {
        this.engine = engine;
    }

    @Override
    public boolean beat(long incarnation) {
        return true;
    }

    @Override
    public <T> T read(Work<T> work) throws SQLException {
        return engine.read(work);
    }

    @Override
    public <T> T write(Work<T> statement) throws SQLException {
        return engine.write(statement);
    }

    @Override
    public void reset() {}
}
