package dev.fairlead.jdbc.engine;

import dev.fairlead.protocol.platform.UserFiles;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * A database file that this process alone has open: one thread writes, grouping the waiting
 * operations, and a few threads read.
 */
public final class SqliteEngine implements Engine {
    private static final Logger LOG = System.getLogger(SqliteEngine.class.getName());

    private static final int READERS = 3;

    private final StoreLock lock;
    private final SqliteFile file;
    private final OperationQueue writes;
    private final OperationQueue reads;
    private final SqliteWriter writer;
    private final Threads threads = new Threads();

    private SqliteEngine(StoreLock lock, SqliteFile file, int maxWaiting) {
        this.lock = lock;
        this.file = file;
        this.writes = new OperationQueue(maxWaiting);
        this.reads = new OperationQueue(maxWaiting);
        this.writer = new SqliteWriter(file, lock, writes);
    }

    /**
     * Opens the file, which is created if need be, and brings its schema up to date.
     *
     * @param maxWaiting how many operations may wait for the writer, and as many for the readers
     */
    public static SqliteEngine open(Path path, int maxWaiting) throws SQLException {
        try {
            Path database = inRealFolder(path);
            StoreLock lock = StoreLock.of(database);
            try {
                NativeLibrary.load(database);
                SqliteFile file = SqliteFile.at(database);
                if (lock.isFresh() && Files.size(database) > 0) {
                    file.requireUnused();
                }
                prepare(file);
                return new SqliteEngine(lock, file, maxWaiting).started();
            } catch (SQLException | IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new SQLException(path + " cannot be opened: " + UserFiles.reason(e), e);
        } catch (SQLiteException e) {
            throw SqliteFailure.explained(e, path + " cannot be opened");
        }
    }

    /** The one name that the file has, whichever way it is called: its lock goes by it. */
    private static Path inRealFolder(Path path) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        Path folder = absolute.getParent();
        if (folder == null) {
            throw new IOException("it is a folder");
        }
        Files.createDirectories(folder);
        Path real = folder.toRealPath();
        if (UserFiles.hasPermissions(real) && !OwnFiles.isProtected(real)) {
            LOG.log(
                    Level.WARNING,
                    "Other users can replace {0}: {1}, or a folder above it, belongs to another"
                            + " user or is writable by others; keep the database in a folder that"
                            + " only this user can change",
                    absolute.getFileName(),
                    real);
        }
        return real.resolve(absolute.getFileName());
    }

    private static void prepare(SqliteFile file) throws SQLException {
        try (SqlSession session = file.openForWriting()) {
            Schema.migrate(session.connection(), Dialect.SQLITE);
            // The lock is held, so the process that had the file before is dead.
            session.update(
                    "update mcp_node set died = {now} where died is null",
                    System.currentTimeMillis());
        }
    }

    private SqliteEngine started() {
        threads.start("fairlead-sqlite-writer", 1, () -> writer);
        threads.start("fairlead-sqlite-reader", READERS, () -> new SqliteReader(file, reads));
        return this;
    }

    @Override
    public DataSource sweeping() {
        return file.source();
    }

    @Override
    public Dialect dialect() {
        return Dialect.SQLITE;
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) throws SQLException {
        return reads.call(new Operation<>(work, true));
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> statement) throws SQLException {
        return writes.call(new Operation<>(statement, true));
    }

    @Override
    public <T extends @Nullable Object> T write(String key, Work<T> statement) throws SQLException {
        return write(statement);
    }

    @Override
    public <T extends @Nullable Object> T transactLocked(String name, Work<T> statements)
            throws SQLException {
        return transact(statements);
    }

    @Override
    public <T extends @Nullable Object> T transactLockedAside(String name, Work<T> statements)
            throws SQLException {
        return transact(statements);
    }

    @Override
    public <T extends @Nullable Object> T transact(Work<T> statements) throws SQLException {
        return writes.call(new Operation<>(statements, false));
    }

    @Override
    public <T extends @Nullable Object> T transactRepeatable(Work<T> statements)
            throws SQLException {
        return transact(statements); // there is no connection that could break
    }

    /** Returns how many groups of changes were committed. */
    public long commits() {
        return writer.commits();
    }

    int waitingWrites() {
        return writes.size();
    }

    @Override
    public void close() {
        writes.close();
        reads.close();
        threads.join();
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the lock of " + file.path() + " was not closed", e);
        }
    }
}
