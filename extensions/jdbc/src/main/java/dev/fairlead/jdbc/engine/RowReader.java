package dev.fairlead.jdbc.engine;

import java.sql.SQLException;

/** Makes a value of the current row. */
@FunctionalInterface
public interface RowReader<T> {
    T read(Row row) throws SQLException;
}
