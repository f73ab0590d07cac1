package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.platform.UserFiles;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A database file, and how every connection to it is set up. */
final class SqliteFile {
    /** A writer that is not ours (the sweeps of db-scheduler) is waited for so long. */
    static final int BUSY_MILLIS = 10_000;

    /** The size to which a checkpoint cuts the log on disk. */
    private static final int LOG_BYTES = 64 << 20;

    /** How long a process that is just ending is waited for. */
    private static final int PROBE_MILLIS = 1_000;

    private final Path path;
    private final FileIdentity identity;
    private final SQLiteDataSource source;

    private SqliteFile(Path path) throws IOException {
        this.path = path;
        this.identity = FileIdentity.of(path);
        this.source = source(path);
    }

    /**
     * Creates the file if it is absent, readable by its owner only, as SQLite then makes those
     * beside it.
     *
     * @throws IOException if the file, or one that SQLite keeps beside it, is a symbolic link or
     *     belongs to another user, or the file has several names
     */
    static SqliteFile at(Path path) throws IOException {
        try {
            Files.createFile(path, UserFiles.with("rw-------", path));
        } catch (FileAlreadyExistsException exists) {
            OwnFiles.secure(path);
        }
        FileIdentity.requireOneName(path);
        for (String beside : List.of("-wal", "-shm", "-journal")) {
            OwnFiles.secure(path.resolveSibling(path.getFileName() + beside));
        }
        return new SqliteFile(path);
    }

    private static SQLiteDataSource source(Path path) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MILLIS);
        config.setJournalSizeLimit(LOG_BYTES);
        config.enforceForeignKeys(true);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + path);
        return source;
    }

    Path path() {
        return path;
    }

    /**
     * Checks that this is still the file of that path.
     *
     * @throws SQLException if that was deleted or replaced
     */
    void require() throws SQLException {
        identity.require();
    }

    /** Returns the identity of the log, which a connection that writes has open. */
    FileIdentity log() throws IOException {
        return FileIdentity.of(path.resolveSibling(path.getFileName() + "-wal"));
    }

    /**
     * Checks that no other process has the file open, by the lock that SQLite holds on the file
     * itself. To be called before the first connection.
     *
     * @throws SQLException if one has
     */
    void requireUnused() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(PROBE_MILLIS);
        SQLiteDataSource alone = new SQLiteDataSource(config);
        alone.setUrl(source.getUrl());
        try (Connection connection = alone.getConnection();
                Statement statement = connection.createStatement()) {
            // only the one connection to a file may change it; the next one sets it again
            try (ResultSet mode = statement.executeQuery("pragma journal_mode = delete")) {
                if (!mode.next() || !mode.getString(1).equalsIgnoreCase("delete")) {
                    throw inUse(null);
                }
            }
        } catch (SQLiteException e) {
            throw e.getResultCode() == SQLiteErrorCode.SQLITE_BUSY ? inUse(e) : e;
        }
    }

    private SQLException inUse(@Nullable SQLException cause) {
        return new SQLException(
                path
                        + " is open in another process although its lock file is new: the lock file"
                        + " was deleted, or the database moved; end that process first",
                cause);
    }

    /** Connections for writers other than the one writer; they and it wait for each other. */
    SQLiteDataSource source() {
        return source;
    }

    SqlSession openForWriting() throws SQLException {
        Connection connection = source.getConnection();
        try {
            checkDurable(connection);
            return new SqlSession(connection, Dialect.SQLITE);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    SqlSession openForReading() throws SQLException {
        SqlSession session = new SqlSession(source.getConnection(), Dialect.SQLITE);
        session.execute("pragma query_only = on");
        return session;
    }

    /**
     * Checks the settings: they are requests, and a database without them would lose acknowledged
     * changes.
     */
    private void checkDurable(Connection connection) throws SQLException {
        check(connection, "journal_mode", Set.of("wal"));
        check(connection, "synchronous", Set.of("2", "3"));
    }

    private void check(Connection connection, String pragma, Set<String> durable)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                var result = statement.executeQuery("pragma " + pragma)) {
            String value = result.next() ? result.getString(1).toLowerCase(Locale.ROOT) : "unknown";
            if (!durable.contains(value)) {
                throw new SQLException(
                        "%s cannot be a durable store: %s is %s but must be one of %s"
                                .formatted(path, pragma, value, durable));
            }
        }
    }
}
