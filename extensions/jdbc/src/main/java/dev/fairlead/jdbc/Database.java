package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.PlatformThread;
import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.jdbc.engine.SqlCall;
import dev.fairlead.jdbc.engine.SqliteEngine;
import dev.fairlead.json.slf4j.Slf4jNotice;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.OneTimeValues;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.StateKeySource;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.tasks.ServerStore;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.sql.DataSource;

/**
 * An open database: an SQLite file, or a PostgreSQL that several nodes share. Opening one creates
 * its tables or brings them up to date. A change is on the disk when its call returns.
 *
 * {@snippet :
 * McpServer.named("shop", "2.0.0").store(database)
 * }
 *
 * <p>Thread-safe. Statements run on threads of the database, so an interrupted caller neither
 * disturbs them nor loses its interrupt. Close a database after the servers and clients that use
 * it.
 */
public final class Database implements ServerStore, AutoCloseable {
    private static final String FILE = "file:";
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final String STATE_KEYS = "state-keys";
    private static final String ONE_TIME = "one-time";
    private static final String OWNED_VALUES = "owned-values";

    private final Engine engine;
    private final DatabaseOptions options;
    private final SharedSignals.Hub hub = new SharedSignals.Hub();
    private final Map<String, ChangeBus> changes = new ConcurrentHashMap<>();
    private final EventSweeps eventSweeps;
    private final Heartbeat heartbeat;
    private final Queue<Runnable> beforeClose = new ConcurrentLinkedQueue<>();

    private Database(Engine engine, DatabaseOptions options) {
        this.engine = engine;
        this.options = options;
        this.eventSweeps = new EventSweeps(engine);
        this.heartbeat = new Heartbeat(engine, options);
    }

    /**
     * Opens a file, with default options.
     *
     * @see #sqlite(Path, DatabaseOptions)
     */
    public static Database sqlite(Path file) {
        return sqlite(file, DatabaseOptions.DEFAULT);
    }

    /**
     * Opens an SQLite file; creates it, with its folders, if it is absent. It belongs to this
     * process until it is closed or the process ends, however that happens; beside it are a lock
     * file and SQLite's own files. All are readable by their owner only: permissions that are wider
     * are reduced. SQLite's native library is loaded from a folder that no other user can change,
     * which is deleted at once.
     *
     * @throws DatabaseException if another process has the file open, even one that is frozen; if
     *     it or a file beside it is a symbolic link or belongs to another user; if a newer version
     *     of this program has changed its tables; or if it cannot be used
     */
    public static Database sqlite(Path file, DatabaseOptions options) {
        Objects.requireNonNull(file, "file");
        return open(() -> SqliteEngine.open(file, options.maxWaiting()), options);
    }

    /**
     * Opens a PostgreSQL, with default options.
     *
     * @see #postgres(String, DatabaseOptions)
     */
    public static Database postgres(String url) {
        return postgres(url, DatabaseOptions.DEFAULT);
    }

    /**
     * Opens a PostgreSQL, version 15 or newer, which any number of nodes may share.
     *
     * @param url of its JDBC driver, {@code jdbc:postgresql:…}, with user and password
     * @throws DatabaseException if it cannot be reached or used, or if a newer version of this
     *     program has changed its tables
     */
    public static Database postgres(String url, DatabaseOptions options) {
        return postgresAt(url, null, options);
    }

    /**
     * Opens a PostgreSQL, version 15 or newer, with a password that its URL does not contain.
     *
     * @param url of its JDBC driver, {@code jdbc:postgresql:…}, with a user; a password in it is
     *     not used
     * @throws DatabaseException if it cannot be reached or used, or if a newer version of this
     *     program has changed its tables
     */
    public static Database postgres(String url, String password, DatabaseOptions options) {
        return postgresAt(url, Objects.requireNonNull(password, "password"), options);
    }

    private static Database postgresAt(
            String url, @Nullable String password, DatabaseOptions options) {
        if (!url.startsWith(POSTGRES)) {
            throw new IllegalArgumentException("url must begin with " + POSTGRES);
        }
        return open(
                () ->
                        PostgresEngine.open(
                                url,
                                password,
                                options.connections(),
                                options.maxWaiting(),
                                frozen(options)),
                options);
    }

    /**
     * Opens a PostgreSQL, with default options.
     *
     * @see #postgres(DataSource, DatabaseOptions)
     */
    public static Database postgres(DataSource source) {
        return postgres(source, DatabaseOptions.DEFAULT);
    }

    /**
     * Opens a PostgreSQL, version 15 or newer, which any number of nodes may share.
     *
     * @param source gives new connections, such as {@code PGSimpleDataSource}; they are kept and
     *     pooled here
     * @throws DatabaseException if it cannot be reached or used, or if a newer version of this
     *     program has changed its tables
     */
    public static Database postgres(DataSource source, DatabaseOptions options) {
        Objects.requireNonNull(source, "source");
        return open(
                () ->
                        PostgresEngine.open(
                                source,
                                options.connections(),
                                options.maxWaiting(),
                                frozen(options)),
                options);
    }

    /**
     * Opens the database of a URL, with default options.
     *
     * @see #open(String, DatabaseOptions)
     */
    public static Database open(String url) {
        return open(url, DatabaseOptions.DEFAULT);
    }

    /**
     * Opens the database of a URL.
     *
     * @param url {@code file:PATH} or {@code jdbc:postgresql:…}
     * @throws DatabaseException if it cannot be used
     */
    public static Database open(String url, DatabaseOptions options) {
        if (url.startsWith(POSTGRES)) {
            return postgres(url, options);
        }
        if (url.startsWith(FILE) && url.length() > FILE.length()) {
            return sqlite(Path.of(url.substring(FILE.length())), options);
        }
        throw new IllegalArgumentException(
                "a database is named by file:PATH or " + POSTGRES + "…, not by " + scheme(url));
    }

    /** The database frees a frozen node's locks before others take over its tasks. */
    private static Duration frozen(DatabaseOptions options) {
        return options.lease().multipliedBy(3).dividedBy(4);
    }

    /** The text up to the first colon: the rest may contain a password. */
    private static String scheme(String url) {
        int colon = url.indexOf(':');
        return colon < 0 ? url : url.substring(0, colon + 1) + "…";
    }

    private static Database open(SqlCall<Engine> opening, DatabaseOptions options) {
        Slf4jNotice.suppress();
        try {
            return new Database(PlatformThread.call(opening), options);
        } catch (SQLException e) {
            throw new DatabaseException(String.valueOf(e.getMessage()), e);
        }
    }

    /** {@inheritDoc} The same as {@link JdbcTasks#on(Database)}. */
    @Override
    public Tasks tasks() {
        return JdbcTasks.on(this);
    }

    /** {@inheritDoc} The same as {@link JdbcEvents#on(Database)}. */
    @Override
    public EventStore events() {
        return JdbcEvents.on(this);
    }

    /** {@inheritDoc} The same as {@link JdbcChanges#on(Database)}. */
    @Override
    public ChangeBus changes() {
        return JdbcChanges.on(this);
    }

    /**
     * Returns the keys of request states in a table. The first node that reads them makes the
     * first; each day a node adds one, which seals a minute later, when all nodes have it. The one
     * before opens for another day and the validity of a state. Each program that can read the
     * database has the keys, unless a {@linkplain DatabaseOptions#withWrappingKey key of the
     * operator} wraps them.
     */
    @Override
    public StateKeySource stateKeys() {
        return stateKeys(STATE_KEYS);
    }

    private StateKeySource stateKeys(String space) {
        return new StateKeyTable(engine, space, options.wrappingKey());
    }

    /**
     * Returns one-time values in a table, which all processes with this database share, such as the
     * proofs of keys that clients have used. Each use is a transaction.
     */
    public OneTimeValues oneTimeValues() {
        return new OneTimeTable(engine, ONE_TIME);
    }

    /** {@inheritDoc} They are in a table, which all processes with this database share. */
    @Override
    public OwnedValues.Source ownedValues() {
        return ownedValues(OWNED_VALUES);
    }

    private OwnedValues.Source ownedValues(String space) {
        return (name, share, kept) ->
                new OwnedValueTable(engine, space, name, share, kept, System::nanoTime);
    }

    /**
     * Returns a store in a space of this database. Different servers that share a database take
     * different ones; the methods of this object use spaces named {@code tasks}, {@code events},
     * {@code changes}, {@code state-keys}, {@code one-time} and {@code owned-values}.
     *
     * @param name 1 to 64 characters from {@code A-Z a-z 0-9 _ - .}
     * @throws IllegalArgumentException if the name of the space is invalid
     */
    public ServerStore space(String name) {
        Space.check(name);
        return new ServerStore() {
            @Override
            public Tasks tasks() {
                return JdbcTasks.on(Database.this, name);
            }

            @Override
            public EventStore events() {
                return JdbcEvents.on(Database.this, name, EventLimits.DEFAULT);
            }

            @Override
            public ChangeBus changes() {
                return JdbcChanges.on(Database.this, name);
            }

            @Override
            public StateKeySource stateKeys() {
                return Database.this.stateKeys(name);
            }

            @Override
            public OwnedValues.Source ownedValues() {
                return Database.this.ownedValues(name);
            }
        };
    }

    Engine engine() {
        return engine;
    }

    /** Carries signals between the users of this database in this process. */
    SharedSignals.Hub hub() {
        return hub;
    }

    /** Carries the changes of a space between the users of this database in this process. */
    ChangeBus changes(String space) {
        return changes.computeIfAbsent(space, name -> ChangeBus.inProcess());
    }

    /** Runs an action before the database is closed, while it can still be used. */
    void beforeClose(Runnable action) {
        beforeClose.add(action);
    }

    /** The sweeps of events on a PostgreSQL, which end with this database. */
    EventSweeps eventSweeps() {
        return eventSweeps;
    }

    /** Renews the leases of the nodes that use this database in this process. */
    Heartbeat heartbeat() {
        return heartbeat;
    }

    DatabaseOptions options() {
        return options;
    }

    /**
     * Returns how many transactions were committed to an SQLite file: each is one write to the disk
     * for all changes that came at the same time. Always 0 for PostgreSQL, which counts for itself.
     */
    public long commits() {
        return engine instanceof SqliteEngine sqlite ? sqlite.commits() : 0;
    }

    /** Finishes the operations that have begun and closes all connections. May be called twice. */
    @Override
    public void close() {
        eventSweeps.close();
        for (Runnable action = beforeClose.poll(); action != null; action = beforeClose.poll()) {
            action.run();
        }
        heartbeat.close();
        engine.close();
    }
}
