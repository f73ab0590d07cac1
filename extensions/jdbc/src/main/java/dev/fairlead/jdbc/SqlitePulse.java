package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Work;

import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
    public Map<Long, Long> beat(Set<Long> incarnations) {
        long now = System.currentTimeMillis();
        return incarnations.stream().collect(Collectors.toMap(each -> each, each -> now));
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
