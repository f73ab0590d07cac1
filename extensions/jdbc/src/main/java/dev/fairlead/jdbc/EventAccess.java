package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.EventStoreException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;

/** How the tables of events and sessions reach their database. */
final class EventAccess extends TableAccess {
    private volatile long ahead;

    EventAccess(Engine engine, String space) {
        super(engine, space);
    }

    <T extends @Nullable Object> T transactRepeatable(Work<T> statements) {
        return call(() -> engine().transactRepeatable(statements));
    }

    @Override
    void databaseTimeIs(long millis) {
        ahead = millis - System.currentTimeMillis();
    }

    /** Returns the time of the database, as far as known; the clock of this node may be wrong. */
    Instant databaseTime() {
        return Instant.now().plusMillis(ahead);
    }

    @Override
    RuntimeException failed(SQLException e) {
        return new EventStoreException("The store of events failed: " + e.getMessage(), e);
    }
}
