package dev.fairlead.jdbc.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import javax.sql.DataSource;

/**
 * A PostgreSQL that several processes may share: a small pool of connections, each used by a thread
 * of the engine.
 */
public final class PostgresEngine implements Engine {
    /** How long a connection is waited for before the database counts as gone. */
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** How long a statement is waited for before its connection counts as lost. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** One connection in so many is for single statements that write, which share commits. */
    private static final int WRITING_PART = 4;

    /** Connections beside those of the operations, for sweeps. */
    private static final int SWEEPS = 2;

    private final DataSource source;
    private final String settings;
    private final HikariDataSource pool;
    private final OperationQueue writes;
    private final OperationQueue others;
    private final Threads threads = new Threads();

    private PostgresEngine(
            DataSource source, String settings, HikariDataSource pool, int maxWaiting) {
        this.source = source;
        this.settings = settings;
        this.pool = pool;
        this.writes = new OperationQueue(maxWaiting);
        this.others = new OperationQueue(maxWaiting);
    }

    /**
     * Connects by a URL of its driver, and brings the schema up to date.
     *
     * @param frozen after how long inside a transaction a process counts as frozen, which undoes it
     */
    public static PostgresEngine open(String url, int connections, int maxWaiting, Duration frozen)
            throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setApplicationName("fairlead");
        source.setTcpKeepAlive(true);
        source.setConnectTimeout((int) CONNECT.toSeconds());
        source.setSocketTimeout((int) ANSWER.toSeconds());
        source.setUrl(url);
        return open(source, connections, maxWaiting, frozen);
    }

    /** Takes connections from a source, keeps them, and brings the schema up to date. */
    public static PostgresEngine open(
            DataSource source, int connections, int maxWaiting, Duration frozen)
            throws SQLException {
        // What is acknowledged is on the disk, whatever the server is set to; a node that is frozen
        // inside a transaction loses it, with its locks, before others take its tasks over.
        String settings =
                "set synchronous_commit = on; set idle_in_transaction_session_timeout = "
                        + frozen.toMillis();
        HikariDataSource pool;
        try {
            pool = new HikariDataSource(pooling(source, settings, connections));
        } catch (RuntimeException e) {
            throw new SQLException("PostgreSQL cannot be reached: " + e.getMessage(), e);
        }
        try {
            try (Connection connection = pool.getConnection()) {
                Schema.migrate(connection, Dialect.POSTGRES);
            }
            return new PostgresEngine(source, settings, pool, maxWaiting).started(connections);
        } catch (SQLException | RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private static HikariConfig pooling(DataSource source, String settings, int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName("fairlead");
        config.setMaximumPoolSize(connections + SWEEPS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECT.toMillis());
        config.setConnectionInitSql(settings);
        return config;
    }

    private PostgresEngine started(int connections) {
        int writers = Math.max(1, connections / WRITING_PART);
        threads.start(
                "fairlead-postgres-writer",
                writers,
                () -> new PostgresWriter(writes, new OwnSession(this::pooled)));
        threads.start(
                "fairlead-postgres", Math.max(1, connections - writers), () -> this::runOthers);
        return this;
    }

    private Session pooled() throws SQLException {
        return new Session(pool.getConnection(), Dialect.POSTGRES);
    }

    private void runOthers() {
        var taken = others.take(1);
        while (!taken.isEmpty()) {
            taken.forEach(this::run);
            taken = others.take(1);
        }
    }

    private void run(Operation<?> operation) {
        try (Session session = pooled()) {
            operation.run(session);
        } catch (Throwable failure) {
            operation.fail(failure);
            return;
        }
        operation.complete();
    }

    /**
     * A new session past the pool and its queue, for the thread that calls, whom nobody interrupts;
     * its statements fail when they are not answered in time.
     */
    public Session connect(Duration answer) throws SQLException {
        Connection connection = source.getConnection();
        try {
            connection.setNetworkTimeout(Runnable::run, (int) answer.toMillis());
            try (Statement statement = connection.createStatement()) {
                statement.execute(settings);
            }
            return new Session(connection, Dialect.POSTGRES);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public DataSource sweeping() {
        return pool;
    }

    @Override
    public Dialect dialect() {
        return Dialect.POSTGRES;
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) throws SQLException {
        return others.call(new Operation<>(work, true));
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> statement) throws SQLException {
        return writes.call(new Operation<>(statement, true));
    }

    @Override
    public <T extends @Nullable Object> T transact(Work<T> statements) throws SQLException {
        return others.call(new Operation<>(session -> inTransaction(session, statements), false));
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
        writes.close();
        others.close();
        threads.join();
        pool.close();
    }
}
