package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.SqlCall;
import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** How the tables of a store of tasks reach their database. */
final class StoreAccess extends TableAccess {
    private final UnreadableRows rows;
    private volatile @Nullable Clock clock;
    private volatile long ahead;
    private volatile boolean closed;

    StoreAccess(Engine engine, String space) {
        super(engine, space);
        this.rows = new UnreadableRows(space);
    }

    void useClock(Clock given) {
        clock = given;
    }

    void close() {
        closed = true;
    }

    /** The reader of rows of tasks where several tasks are read. */
    UnreadableRows rows() {
        return rows;
    }

    /** Nodes that share a PostgreSQL go by its clock, unless they were given another one. */
    @Override
    @Nullable Long millis() {
        Clock given = clock;
        return given == null || given.equals(Clock.systemUTC())
                ? super.millis()
                : Long.valueOf(given.millis());
    }

    @Override
    void databaseTimeIs(long millis) {
        ahead = millis - System.currentTimeMillis();
    }

    /** The time of the database, as far as known; the clock of this node may be wrong. */
    Instant databaseTime() {
        return Instant.now().plusMillis(ahead);
    }

    /** The column by which lists and limits go. */
    String owner(Owner owner) {
        return Texts.key(space() + '|' + owner.key());
    }

    /** The column by which access goes. */
    String access(Owner owner) {
        return Texts.key(space() + '|' + owner.access());
    }

    /** Runs statements as {@link Engine#transactLocked}. */
    <T extends @Nullable Object> T transactLocked(String name, Work<T> statements) {
        return call(() -> engine().transactLocked(name, statements));
    }

    /** The values of a condition for id and access. */
    List<Object> owned(Owner owner, TaskId id) {
        return List.of(Texts.encode(id.value()), access(owner));
    }

    /** The values of {@link TaskRows#IN_RUN} and {@link TaskRows#HELD}. */
    List<Object> inRun(TaskRun run) {
        return List.of(owned(run.owner(), run.id()), run.number(), now());
    }

    /** Runs one statement that locks a task, its questions and recorded values. */
    <T extends @Nullable Object> T write(TaskId task, Work<T> statement) {
        return write("task " + task.value(), statement);
    }

    /** Runs such a statement; whether it changed anything. */
    boolean change(TaskId task, String sql, @Nullable Object... values) {
        return write(task, s -> s.update(sql, values) > 0);
    }

    @Override
    <T extends @Nullable Object> T call(SqlCall<T> call) {
        if (closed) {
            throw new TaskStoreException("The store of tasks is closed");
        }
        return super.call(call);
    }

    @Override
    RuntimeException failed(SQLException e) {
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
