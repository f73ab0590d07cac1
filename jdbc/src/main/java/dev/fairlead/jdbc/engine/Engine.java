package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * An open database. Calls block until a thread of the engine has done the work; an interrupt does
 * not end the wait and stays set. A failure says in its message what an operator has to know.
 */
public sealed interface Engine extends AutoCloseable permits SqliteEngine, PostgresEngine {
    /** Which of the two databases this is, for statements that differ. */
    Dialect dialect();

    /** Reads what is committed. */
    <T extends @Nullable Object> T read(Work<T> work) throws SQLException;

    /** One statement that changes something; committed when this returns. */
    <T extends @Nullable Object> T write(Work<T> statement) throws SQLException;

    /** Statements that take effect together or not at all; committed when this returns. */
    <T extends @Nullable Object> T transact(Work<T> statements) throws SQLException;

    /** Connections past the queue, for sweeps alone. */
    DataSource sweeping();

    /** Finishes what waits, then closes the connections. May be called twice. */
    @Override
    void close();
}
