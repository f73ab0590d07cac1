package dev.fairlead.jdbc.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A PostgreSQL that several processes may share: a small pool of connections, each used by a thread
 * of the engine.
 */
public final class PostgresEngine implements Engine {
    /** How long an operation waits for a connection before the database counts as gone. */
    private static final long CONNECT_MILLIS = 5_000;

    private final HikariDataSource pool;
    private final OperationQueue queue;
    private final Threads threads = new Threads();

    private PostgresEngine(HikariDataSource pool, int maxWaiting) {
        this.pool = pool;
        this.queue = new OperationQueue(maxWaiting);
    }

    /** Connects by a URL of its driver, and brings the schema up to date. */
    public static PostgresEngine open(String url, int connections, int maxWaiting)
            throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.addDataSourceProperty("ApplicationName", "fairlead");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("connectTimeout", "5");
        config.addDataSourceProperty("socketTimeout", "30");
        return open(config, connections, maxWaiting);
    }

    /** Takes connections from a source, keeps them, and brings the schema up to date. */
    public static PostgresEngine open(DataSource source, int connections, int maxWaiting)
            throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        return open(config, connections, maxWaiting);
    }

    private static PostgresEngine open(HikariConfig config, int connections, int maxWaiting)
            throws SQLException {
        config.setPoolName("fairlead");
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setConnectionInitSql(
                // What is acknowledged is on the disk; a node that is frozen inside a transaction
                // loses it, with its locks, before others take its tasks over.
                "set synchronous_commit = on; set idle_in_transaction_session_timeout = '3s'");
        HikariDataSource pool;
        try {
            pool = new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new SQLException("PostgreSQL cannot be reached: " + e.getMessage(), e);
        }
        try {
            try (Connection connection = pool.getConnection()) {
                Schema.migrate(connection, Dialect.POSTGRES);
            }
            return new PostgresEngine(pool, maxWaiting).started(connections);
        } catch (SQLException | RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private PostgresEngine started(int connections) {
        threads.start("fairlead-postgres", connections, () -> this::run);
        return this;
    }

    private void run() {
        var taken = queue.take(1);
        while (!taken.isEmpty()) {
            taken.forEach(this::run);
            taken = queue.take(1);
        }
    }

    private void run(Operation<?> operation) {
        try (Session session = new Session(pool.getConnection())) {
            operation.run(session);
        } catch (Throwable failure) {
            operation.fail(failure);
            return;
        }
        operation.complete();
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRES;
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) throws SQLException {
        return queue.call(new Operation<>(work, true));
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> statement) throws SQLException {
        return queue.call(new Operation<>(statement, true));
    }

    @Override
    public <T extends @Nullable Object> T transact(Work<T> statements) throws SQLException {
        return queue.call(new Operation<>(session -> inTransaction(session, statements), false));
    }

    private static <T extends @Nullable Object> T inTransaction(Session session, Work<T> statements)
            throws SQLException {
        Connection connection = session.connection();
        connection.setAutoCommit(false);
        try {
            T value = statements.on(session);
            connection.commit();
            return value;
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
    }

    @Override
    public void close() {
        queue.close();
        threads.join();
        pool.close();
    }
}
