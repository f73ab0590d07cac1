package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.EventStoreException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

/**
 * How the tables of events and sessions reach their database: its clock, its space, and the one
 * place where failures of the database become those of a store.
 */
record EventAccess(Engine engine, String space, @Nullable ServerLease lease) {
    /** The time that statements take: null for the clock of a database that is shared. */
    @Nullable Long now() {
        return engine.dialect() == Dialect.POSTGRES ? null : System.currentTimeMillis();
    }

    /** What streams name this process by; null where no other process can serve them. */
    @Nullable String server() {
        ServerLease held = lease;
        return held == null ? null : call(held::id);
    }

    <T extends @Nullable Object> T read(Work<T> work) {
        return call(() -> engine.read(work));
    }

    <T extends @Nullable Object> T write(Work<T> statement) {
        return call(() -> engine.write(statement));
    }

    /** As {@link Engine#write(String, Work)}. */
    <T extends @Nullable Object> T write(String key, Work<T> statement) {
        return call(() -> engine.write(key, statement));
    }

    <T extends @Nullable Object> T transact(Work<T> statements) {
        return call(() -> engine.transact(statements));
    }

    <T extends @Nullable Object> T transactRepeatable(Work<T> statements) {
        return call(() -> engine.transactRepeatable(statements));
    }

    /** A call of the engine. */
    @FunctionalInterface
    private interface EngineCall<T extends @Nullable Object> {
        T call() throws SQLException;
    }

    private static <T extends @Nullable Object> T call(EngineCall<T> call) {
        try {
            return call.call();
        } catch (SQLException e) {
            throw new EventStoreException("The store of events failed: " + e.getMessage(), e);
        }
    }
}
