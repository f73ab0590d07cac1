package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.EventStoreException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

/** How the tables of events and sessions reach their database. */
final class EventAccess extends TableAccess {
    private final @Nullable ServerLease lease;

    /**
     * @param lease null where no other process can serve the streams of this one
     */
    EventAccess(Engine engine, String space, @Nullable ServerLease lease) {
        super(engine, space);
        this.lease = lease;
    }

    /** The name of this process in the rows of streams; null if no other process can serve them. */
    @Nullable String server() {
        ServerLease held = lease;
        return held == null ? null : call(held::id);
    }

    <T extends @Nullable Object> T transactRepeatable(Work<T> statements) {
        return call(() -> engine().transactRepeatable(statements));
    }

    @Override
    RuntimeException failed(SQLException e) {
        return new EventStoreException("The store of events failed: " + e.getMessage(), e);
    }
}
