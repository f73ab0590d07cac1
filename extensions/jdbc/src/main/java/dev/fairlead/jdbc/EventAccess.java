package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.EventStoreException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

/** How the tables of events and sessions reach their database. */
final class EventAccess extends TableAccess {
    EventAccess(Engine engine, String space) {
        super(engine, space);
    }

    <T extends @Nullable Object> T transactRepeatable(Work<T> statements) {
        return call(() -> engine().transactRepeatable(statements));
    }

    @Override
    RuntimeException failed(SQLException e) {
        return new EventStoreException("The store of events failed: " + e.getMessage(), e);
    }
}
