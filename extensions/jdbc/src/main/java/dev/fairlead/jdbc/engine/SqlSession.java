package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One connection with its prepared statements, on the thread that owns it. Values are strings,
 * numbers, booleans, bytes or null, which both databases understand alike; a list stands for its
 * elements, and a supplier for its value when the statement runs. Statements are those of {@link
 * Dialect}.
 */
public final class SqlSession implements AutoCloseable {
    private final Connection connection;
    private final Dialect dialect;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** Statements are kept prepared for as long as the session is open. */
    SqlSession(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    Connection connection() {
        return connection;
    }

    /** Runs an insert, update or delete; how many rows it changed. */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        return prepare(sql, values).executeUpdate();
    }

    /** Runs a statement that gives no rows. */
    public void execute(String sql) throws SQLException {
        prepare(sql).execute();
    }

    /** All rows of a query, or of a change with {@code returning}. */
    public <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... values)
            throws SQLException {
        try (ResultSet result = prepare(sql, values).executeQuery()) {
            List<T> rows = new ArrayList<>();
            Row row = new Row(result);
            while (result.next()) {
                rows.add(reader.read(row));
            }
            return rows;
        }
    }

    /** The first row, if there is one. */
    public <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... values)
            throws SQLException {
        try (ResultSet result = prepare(sql, values).executeQuery()) {
            return result.next() ? Optional.of(reader.read(new Row(result))) : Optional.empty();
        }
    }

    /**
     * Returns the notifications since the last call, and waits at most this long for the first.
     * PostgreSQL only.
     */
    public List<String> notifications(Duration wait) throws SQLException {
        PGConnection listening = connection.unwrap(PGConnection.class);
        PGNotification[] received = listening.getNotifications(Math.max(1, (int) wait.toMillis()));
        return received == null
                ? List.of()
                : Stream.of(received).map(PGNotification::getParameter).toList();
    }

    private PreparedStatement prepare(String sql, @Nullable Object... values) throws SQLException {
        assert !Thread.currentThread().isVirtual() : "a driver would pin the carrier";
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(dialect.sql(sql));
            prepared.put(sql, statement);
        }
        bind(statement, 0, Arrays.asList(values));
        return statement;
    }

    /** Sets the values after those that are set; how many are set then. */
    private static int bind(PreparedStatement statement, int before, List<?> values)
            throws SQLException {
        int set = before;
        for (Object value : values) {
            if (value instanceof List<?> several) {
                set = bind(statement, set, several);
            } else {
                set++;
                statement.setObject(set, value instanceof Supplier<?> late ? late.get() : value);
            }
        }
        return set;
    }

    /** Closes the statements and the connection, or gives it back to its pool. */
    @Override
    public void close() throws SQLException {
        try {
            for (PreparedStatement statement : prepared.values()) {
                statement.close();
            }
        } finally {
            connection.close();
        }
    }
}
