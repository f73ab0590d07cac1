package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one thread that writes to a database file. It takes all that waits, up to {@link #GROUP}
 * operations, into one transaction, so that they share one write to the disk, and notifies their
 * callers after the commit. An operation that fails is undone alone: a statement by itself, several
 * by a savepoint. Nothing is committed once the file, its log or its lock was deleted or replaced.
 * When the transaction fails, as on a full disk, all of its operations fail, and the next group
 * starts with a fresh connection.
 */
final class SqliteWriter implements Runnable {
    static final int GROUP = 256;

    private final SqliteFile file;
    private final StoreLock lock;
    private final OperationQueue queue;
    private final ThreadSession session;
    // used by the thread only
    private boolean alone = true;
    private @Nullable SqlSession logged;
    private @Nullable FileIdentity log; // of that session
    private final AtomicLong commits = new AtomicLong();

    SqliteWriter(SqliteFile file, StoreLock lock, OperationQueue queue) {
        this.file = file;
        this.lock = lock;
        this.queue = queue;
        this.session = new ThreadSession(file::openForWriting);
    }

    long commits() {
        return commits.get();
    }

    @Override
    public void run() {
        queue.drain(GROUP, this::write);
        session.drop();
    }

    private void write(List<Operation<?>> group) {
        try {
            requireAlone();
            SqlSession open = session.get();
            open.execute("begin immediate");
            requireLog(open);
            for (Operation<?> operation : group) {
                writeOne(operation, open);
            }
            requireAlone();
            requireLog(open);
            open.execute("commit");
        } catch (Throwable failure) {
            session.drop(); // rolls uncommitted changes back
            Throwable explained = SqliteFailure.explained(failure, file.path());
            group.forEach(operation -> operation.fail(explained));
            return;
        }
        commits.incrementAndGet();
        group.forEach(Operation::complete);
    }

    /**
     * Requires that the file and its lock are still the same; otherwise another process may write
     * too.
     */
    private void requireAlone() throws SQLException {
        if (!alone) { // the number of a deleted file may be that of a new one
            throw new SQLException(
                    file.path()
                            + " is no longer written, since it, its log or its lock was replaced");
        }
        alone = false;
        file.require();
        lock.require();
        alone = true;
    }

    /**
     * Requires that the log is still the one that a connection has open: what is committed to a
     * file without a name is lost with the process.
     */
    private void requireLog(SqlSession open) throws SQLException, IOException {
        if (open != logged) { // the first connection makes the log, and the last one deletes it
            log = file.log();
            logged = open;
            return;
        }
        alone = false;
        try {
            Objects.requireNonNull(log).require();
        } catch (SQLException e) {
            open.execute("rollback");
            open.first("pragma wal_checkpoint(passive)", row -> true); // saves earlier commits
            throw e;
        }
        alone = true;
    }

    private static void writeOne(Operation<?> operation, SqlSession open) throws SQLException {
        if (operation.isSingle()) {
            try {
                operation.run(open);
            } catch (SQLException | RuntimeException failure) {
                SqliteFailure.throwIfOfGroup(failure);
                operation.failed(failure);
            }
            return;
        }
        open.execute("savepoint operation");
        try {
            operation.run(open);
        } catch (SQLException | RuntimeException failure) {
            SqliteFailure.throwIfOfGroup(failure);
            open.execute("rollback to operation");
            operation.failed(failure);
        }
        open.execute("release operation");
    }
}
