package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

/**
 * A call that reaches a database.
 *
 * @param <T> the type of its result
 */
@FunctionalInterface
public interface SqlCall<T extends @Nullable Object> {
    T make() throws SQLException;
}
