package dev.fairlead.jdbc.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

/**
 * A PostgreSQL that several processes may share: a small pool of connections, each used by a thread
 * of the engine.
 */
public final class PostgresEngine implements Engine {
    /** How long a connection is waited for before the database counts as gone. */
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** How long the first connection is waited for, by a process that starts on a busy machine. */
    private static final Duration FIRST = Duration.ofSeconds(30);

    /** How long a statement is waited for before its connection counts as lost. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** One connection in so many is for single statements that write, which share commits. */
    private static final int WRITING_PART = 4;

    /** One connection in so many is for statements that begin with a lock, which share commits. */
    private static final int LOCKING_PART = 4;

    /** One thread of each kind. */
    private static final int FEWEST = 3;

    /** Connections beside those of other operations: for sweeps, and for locks aside. */
    private static final int BESIDE = 2;

    private static final System.Logger LOG = System.getLogger(PostgresEngine.class.getName());

    private final DataSource source;
    private final String settings;
    private final HikariDataSource pool;
    private final OperationQueue writes;
    private final OperationQueue others;
    private final List<OperationQueue> locking;
    private final OperationQueue aside;
    private final Threads threads = new Threads();

    private PostgresEngine(
            DataSource source,
            String settings,
            HikariDataSource pool,
            int maxWaiting,
            int locking) {
        this.source = source;
        this.settings = settings;
        this.pool = pool;
        this.writes = new OperationQueue(maxWaiting);
        this.others = new OperationQueue(maxWaiting);
        this.locking =
                Stream.generate(() -> new OperationQueue(maxWaiting)).limit(locking).toList();
        this.aside = new OperationQueue(maxWaiting);
    }

    /**
     * Connects by a URL of its driver, and brings the schema up to date.
     *
     * @param password null if the URL, or the file of passwords of the driver, has it
     * @param frozen after how long inside a transaction a process counts as frozen, which undoes it
     */
    public static PostgresEngine open(
            String url, @Nullable String password, int connections, int maxWaiting, Duration frozen)
            throws SQLException {
        return open(
                source(url, password, FIRST.plus(CONNECT)), // the login ends before that
                source(url, password, CONNECT),
                connections,
                maxWaiting,
                frozen);
    }

    /**
     * @param handshake how long each answer may take before the login itself
     */
    private static DataSource source(String url, @Nullable String password, Duration handshake) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setApplicationName("fairlead");
        source.setTcpKeepAlive(true);
        source.setConnectTimeout((int) CONNECT.toSeconds());
        source.setSslResponseTimeout((int) handshake.toMillis());
        source.setGssResponseTimeout((int) handshake.toMillis());
        source.setSocketTimeout((int) ANSWER.toSeconds());
        source.setUrl(url);
        if (password != null) {
            source.setPassword(password);
        }
        return source;
    }

    /** Takes connections from a source, keeps them, and brings the schema up to date. */
    public static PostgresEngine open(
            DataSource source, int connections, int maxWaiting, Duration frozen)
            throws SQLException {
        return open(source, source, connections, maxWaiting, frozen);
    }

    private static PostgresEngine open(
            DataSource first, DataSource source, int connections, int maxWaiting, Duration frozen)
            throws SQLException {
        // An acknowledged change is on the disk, with any setting of the server; a node that is
        // frozen inside a transaction loses it, with its locks, before others take its tasks over.
        String settings =
                "set synchronous_commit = on; set idle_in_transaction_session_timeout = "
                        + frozen.toMillis();
        migrate(first, settings);
        HikariDataSource pool;
        try {
            pool = new HikariDataSource(pooling(source, settings, connections));
        } catch (RuntimeException e) { // it is away again
            throw unreachable(e);
        }
        return new PostgresEngine(
                        source, settings, pool, maxWaiting, part(connections, LOCKING_PART))
                .started(connections);
    }

    private static void migrate(DataSource source, String settings) throws SQLException {
        try (Connection connection = first(source);
                Statement statement = connection.createStatement()) {
            statement.execute(settings);
            Schema.migrate(connection, Dialect.POSTGRES);
        }
    }

    private static Connection first(DataSource source) throws SQLException {
        try {
            source.setLoginTimeout((int) FIRST.toSeconds());
        } catch (SQLException | UnsupportedOperationException e) {
            LOG.log(Level.DEBUG, "The source of connections has a limit of its own", e);
        }
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw unreachable(e);
        }
    }

    private static SQLException unreachable(Exception cause) {
        return new SQLException("PostgreSQL cannot be reached: " + cause.getMessage(), cause);
    }

    private static HikariConfig pooling(DataSource source, String settings, int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName("fairlead");
        config.setMaximumPoolSize(Math.max(connections, FEWEST) + BESIDE);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECT.toMillis());
        config.setInitializationFailTimeout(FIRST.toMillis());
        config.setConnectionInitSql(settings);
        return config;
    }

    private PostgresEngine started(int connections) {
        int writers = part(connections, WRITING_PART);
        threads.start("fairlead-postgres-writer", writers, () -> writer(writes));
        threads.start(
                "fairlead-postgres",
                Math.max(1, connections - writers - locking.size()),
                () -> () -> others.drain(1, taken -> taken.forEach(this::run)));
        for (OperationQueue queue : locking) {
            threads.start("fairlead-postgres-locking", 1, () -> writer(queue));
        }
        threads.start("fairlead-postgres-aside", 1, () -> writer(aside));
        return this;
    }

    private PostgresWriter writer(OperationQueue queue) {
        return new PostgresWriter(queue, new ThreadSession(() -> queue.open(this::pooled)));
    }

    private static int part(int connections, int of) {
        return Math.max(1, connections / of);
    }

    private SqlSession pooled() throws SQLException {
        return new SqlSession(pool.getConnection(), Dialect.POSTGRES);
    }

    private void run(Operation<?> operation) {
        try (SqlSession session = others.open(this::pooled)) {
            operation.run(session);
        } catch (Throwable failure) {
            operation.fail(failure);
            return;
        }
        operation.complete();
    }

    /**
     * A new session past the pool and its queue, for the calling thread, which no code interrupts;
     * its statements fail when they are not answered in time.
     */
    public SqlSession connect(Duration answer) throws SQLException {
        Connection connection = source.getConnection();
        try {
            connection.setNetworkTimeout(Runnable::run, (int) answer.toMillis());
            try (Statement statement = connection.createStatement()) {
                statement.execute(settings);
            }
            return new SqlSession(connection, Dialect.POSTGRES);
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
        return repeatable(() -> others.call(new Operation<>(work, true)));
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> statement) throws SQLException {
        return others.call(new Operation<>(statement, true));
    }

    @Override
    public <T extends @Nullable Object> T write(String key, Work<T> statement) throws SQLException {
        return writes.call(new Operation<>(key, statement, true));
    }

    /** A name has its thread: one that waits for its lock keeps the other threads free. */
    @Override
    public <T extends @Nullable Object> T transactLocked(String name, Work<T> statements)
            throws SQLException {
        return locking.get(Math.floorMod(name.hashCode(), locking.size()))
                .call(new Operation<>(name, statements, false));
    }

    @Override
    public <T extends @Nullable Object> T transactLockedAside(String name, Work<T> statements)
            throws SQLException {
        return aside.call(new Operation<>(name, statements, false));
    }

    @Override
    public <T extends @Nullable Object> T transact(Work<T> statements) throws SQLException {
        return others.call(new Operation<>(session -> inTransaction(session, statements), false));
    }

    @Override
    public <T extends @Nullable Object> T transactRepeatable(Work<T> statements)
            throws SQLException {
        return repeatable(() -> transact(statements));
    }

    /**
     * Repeats a call whose connection broke. The others of the pool are then likely to be broken
     * too, and are replaced. A database that was waited for is away, and is not waited for twice.
     */
    private <T extends @Nullable Object> T repeatable(SqlCall<T> call) throws SQLException {
        long begun = System.nanoTime();
        try {
            return call.make();
        } catch (SQLException e) {
            boolean away = System.nanoTime() - begun >= CONNECT.toNanos();
            if (away || !isDisconnection(e)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "A connection to PostgreSQL broke; trying another one", e);
            pool.getHikariPoolMXBean().softEvictConnections();
            return call.make();
        }
    }

    /** Returns whether the connection broke, or the server ended it. */
    static boolean isDisconnection(SQLException failure) {
        String state = failure.getSQLState();
        return state != null
                && (state.startsWith("08") || state.equals("57P01") || state.equals("57P02"));
    }

    private static <T extends @Nullable Object> T inTransaction(
            SqlSession session, Work<T> statements) throws SQLException {
        Connection connection = session.connection();
        connection.setAutoCommit(false);
        try {
            T value = statements.on(session);
            connection.commit();
            return value;
        } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
        }
    }

    private static void rollback(Connection connection, Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException e) { // it is broken, which undoes the transaction too
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        writes.close();
        others.close();
        locking.forEach(OperationQueue::close);
        aside.close();
        threads.join();
        pool.close();
    }
}
