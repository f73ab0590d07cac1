package dev.fairlead.benchmarks;

import dev.fairlead.tasks.TaskOutcome;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;

/**
 * The statements of a task's life as the module {@code jdbc} has them, on the tables that it makes,
 * with nothing around them. For one thread at a time.
 */
final class BareStatements implements AutoCloseable {
    private static final String COLUMNS =
            "id, owner_key, method, name, token, state, message, created, updated, ttl, expires,"
                    + " run, rerunnable, job, progress";

    private static final String INSERT =
            "insert into mcp_task (id, space, owner, access, state, run, node, created, updated,"
                    + " ttl, expires, rerunnable, owner_key, method, name_key, name, token, origin)"
                    + " select ?, 'tasks', ?, ?, 'WORKING', 1, n.id, t.now, t.now, 3600000,"
                    + " t.now + 3600000, ?, ?, 'tools/call', 'work', 'work', cast(? as text), ?"
                    + " from mcp_node n, (select {now} as now) t where n.id = ? and n.died is null"
                    + " and (select count(*) from (select 1 from mcp_task a where a.owner = ?"
                    + " and a.state in ('WORKING', 'INPUT_REQUIRED') and a.expires > t.now"
                    + " limit 100) active) < 100 returning "
                    + COLUMNS;

    private static final String END =
            "update mcp_task set state = 'RESULT', outcome = ?, node = null,"
                    + " message = coalesce(cast(? as text), message), job_key = null, job = null,"
                    + " poll_every = null, poll_at = null, updated = {greatest}(updated, {now})"
                    + " where id = ? and access = ? and run = ?"
                    + " and state in ('WORKING', 'INPUT_REQUIRED') and expires > {now}";

    private static final String READ =
            "select state, outcome from mcp_task where id = ? and access = ?"
                    + " and state in ('RESULT', 'FAILURE', 'ERROR') and expires > {now}";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Connection connection;
    private final long node;
    private final PreparedStatement insert;
    private final PreparedStatement end;
    private final PreparedStatement read;

    /**
     * Prepares them.
     *
     * @param node of {@link #join}
     */
    BareStatements(Connection connection, StoreKind kind, long node) throws SQLException {
        this.connection = connection;
        this.node = node;
        this.insert = connection.prepareStatement(translated(INSERT, kind));
        this.end = connection.prepareStatement(translated(END, kind));
        this.read = connection.prepareStatement(translated(READ, kind));
    }

    private static String translated(String sql, StoreKind kind) {
        boolean sqlite = kind == StoreKind.SQLITE;
        return sql.replace("{greatest}", sqlite ? "max" : "greatest")
                .replace(
                        "{now}",
                        sqlite
                                ? "cast(unixepoch('subsec') * 1000 as integer)"
                                : "cast(floor(extract(epoch from clock_timestamp()) * 1000)"
                                        + " as bigint)");
    }

    /** A node that tasks belong to. */
    static long join(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement(
                                "insert into mcp_node (space, name, steady, beat)"
                                        + " values ('tasks', 'bare', 0, 0) returning id");
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    Connection connection() {
        return connection;
    }

    static String newId() {
        byte[] bits = new byte[16];
        RANDOM.nextBytes(bits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    }

    void create(String id, String owner) throws SQLException {
        insert.setString(1, id);
        insert.setString(2, "tasks|" + owner);
        insert.setString(3, "tasks|" + owner);
        insert.setBoolean(4, true);
        insert.setString(5, owner);
        insert.setString(6, null);
        insert.setString(7, OpenEngine.ORIGIN.toJson());
        insert.setLong(8, node);
        insert.setString(9, "tasks|" + owner);
        one(insert);
    }

    void end(String id, String owner) throws SQLException {
        end.setString(1, ((TaskOutcome.Result) OpenEngine.RESULT).value().toJson());
        end.setString(2, null);
        end.setString(3, id);
        end.setString(4, "tasks|" + owner);
        end.setLong(5, 1);
        if (end.executeUpdate() != 1) {
            throw new SQLException("a task did not end");
        }
    }

    void read(String id, String owner) throws SQLException {
        read.setString(1, id);
        read.setString(2, "tasks|" + owner);
        one(read);
    }

    /** Reads the one row that there must be. */
    private static void one(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            if (!result.next()) {
                throw new SQLException("there is no such task");
            }
            for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                result.getString(column);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
