package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * An open database. Calls block until a thread of the engine has done the work; an interrupt does
 * not end the wait and stays set. The message of a failure contains the cause and the remedy for an
 * operator.
 */
public sealed interface Engine extends AutoCloseable permits SqliteEngine, PostgresEngine {
    /** The kind of the database, for statements that differ. */
    Dialect dialect();

    /** Reads committed rows; once more, on a new connection, if the first one breaks. */
    <T extends @Nullable Object> T read(Work<T> work) throws SQLException;

    /** One statement that changes something; committed when this returns. */
    <T extends @Nullable Object> T write(Work<T> statement) throws SQLException;

    /**
     * One statement that changes something and may share its transaction with others. Those run in
     * the order of their keys, so that no two transactions ever wait for each other.
     *
     * @param key names the locked rows: all statements with the same key, and only those, lock rows
     *     of one task, session or stream. If it locks several of them, {@link #write(Work)} it
     *     alone
     */
    <T extends @Nullable Object> T write(String key, Work<T> statement) throws SQLException;

    /** Statements that take effect together or not at all; committed when this returns. */
    <T extends @Nullable Object> T transact(Work<T> statements) throws SQLException;

    /**
     * Runs statements like {@link #transact}; they detect by themselves whether an earlier attempt
     * took effect: if their connection breaks, they run once more on a new one.
     */
    <T extends @Nullable Object> T transactRepeatable(Work<T> statements) throws SQLException;

    /**
     * Statements that begin by locking a name in the database, and take effect together or not at
     * all; committed when this returns. Those that wait for locks keep only others of this kind
     * waiting, and those of one process share locks and commits.
     */
    <T extends @Nullable Object> T transactLocked(String name, Work<T> statements)
            throws SQLException;

    /**
     * Runs statements like {@link #transactLocked}, for names whose changes any client may cause:
     * however many there are, on PostgreSQL they keep only others of this kind waiting.
     */
    <T extends @Nullable Object> T transactLockedAside(String name, Work<T> statements)
            throws SQLException;

    /** Connections past the queue, for sweeps alone. */
    DataSource sweeping();

    /** Finishes the waiting operations, then closes the connections. May be called twice. */
    @Override
    void close();
}
