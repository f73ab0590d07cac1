package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

/**
 * Statements that run together. They run on a thread of the engine, never on that of the caller.
 *
 * @param <T> the type of their result
 */
@FunctionalInterface
public interface Work<T extends @Nullable Object> {
    T on(SqlSession session) throws SQLException;
}
