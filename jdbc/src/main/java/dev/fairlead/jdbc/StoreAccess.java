package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;

/**
 * How the tables of one store reach their database: its clock, its space, and the one place where
 * failures of the database become those of a store.
 */
final class StoreAccess {
    private final Engine engine;
    private final String space;
    private volatile @Nullable Clock clock;
    private volatile long ahead;
    private volatile boolean closed;

    StoreAccess(Engine engine, String space) {
        this.engine = engine;
        this.space = space;
    }

    Engine engine() {
        return engine;
    }

    String space() {
        return space;
    }

    void useClock(Clock given) {
        clock = given;
    }

    void close() {
        closed = true;
    }

    /**
     * The time that statements take. Nodes that share a PostgreSQL go by its clock, unless they
     * were given one that is not that of the system.
     */
    @Nullable Long now() {
        Clock given = clock;
        return given == null || given.equals(Clock.systemUTC())
                ? databaseNow()
                : Long.valueOf(given.millis());
    }

    /** The time by which nodes live and die. */
    @Nullable Long databaseNow() {
        return engine.dialect() == Dialect.POSTGRES ? null : System.currentTimeMillis();
    }

    /** The clock of the database shows this time, in milliseconds. */
    void databaseTimeIs(long millis) {
        ahead = millis - System.currentTimeMillis();
    }

    /** What the clock of the database shows, as far as is known; this node's may be wrong. */
    Instant databaseTime() {
        return Instant.now().plusMillis(ahead);
    }

    /** The column by which lists and limits go. */
    String owner(Owner owner) {
        return Texts.key(space + '|' + owner.key());
    }

    /** The column by which access goes. */
    String access(Owner owner) {
        return Texts.key(space + '|' + owner.access());
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

    /** As {@link Engine#transactLocked}. */
    <T extends @Nullable Object> T transactLocked(String name, Work<T> statements) {
        return call(() -> engine.transactLocked(name, statements));
    }

    /** The key of statements that lock a task, its questions and recorded values. */
    static String key(TaskId id) {
        return "task " + id.value();
    }

    /** Starts what uses the database past the engine. */
    void start(EngineCall<?> start) {
        call(start);
    }

    /** A call of the engine. */
    @FunctionalInterface
    interface EngineCall<T extends @Nullable Object> {
        T call() throws SQLException;
    }

    private <T extends @Nullable Object> T call(EngineCall<T> call) {
        if (closed) {
            throw new TaskStoreException("The store of tasks is closed");
        }
        try {
            return call.call();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static RuntimeException failed(SQLException e) {
        return isDuplicate(e)
                ? new DuplicateException(e)
                : new TaskStoreException("The store of tasks failed: " + e.getMessage(), e);
    }

    private static boolean isDuplicate(SQLException e) {
        boolean sqlite = e.getCause() instanceof org.sqlite.SQLiteException;
        return sqlite
                ? String.valueOf(e.getMessage()).contains("SQLITE_CONSTRAINT_UNIQUE")
                : "23505".equals(e.getSQLState());
    }

    /** A row with that key is there already. */
    static final class DuplicateException extends RuntimeException {
        private static final long serialVersionUID = 1;

        DuplicateException(SQLException cause) {
            super(cause);
        }
    }
}
