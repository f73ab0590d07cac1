package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/** The current row of a result. Columns are called by name. */
public final class Row {
    private final ResultSet result;
    private String column = "";

    Row(ResultSet result) {
        this.result = result;
    }

    public String text(String column) throws SQLException {
        return Objects.requireNonNull(textOrNull(column), column);
    }

    public @Nullable String textOrNull(String column) throws SQLException {
        return result.getString(read(column));
    }

    public long number(String column) throws SQLException {
        return result.getLong(read(column));
    }

    public @Nullable Long numberOrNull(String column) throws SQLException {
        long value = number(column);
        return result.wasNull() ? null : value;
    }

    public @Nullable Double realOrNull(String column) throws SQLException {
        double value = result.getDouble(read(column));
        return result.wasNull() ? null : value;
    }

    public byte[] bytes(String column) throws SQLException {
        return Objects.requireNonNull(result.getBytes(read(column)), column);
    }

    public boolean flag(String column) throws SQLException {
        return result.getBoolean(read(column));
    }

    private String read(String named) {
        column = named;
        return named;
    }

    /** Returns the column that was read last. */
    public String column() {
        return column;
    }
}
