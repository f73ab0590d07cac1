package dev.fairlead.jdbc.engine;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one thread that writes to a database file. It takes all that waits, up to {@link #GROUP}
 * operations, into one transaction, so that they share one write to the disk, and notifies their
 * callers after the commit. An operation that fails is undone alone: a statement by itself, several
 * by a savepoint. Nothing is committed once the file or its lock was deleted or replaced. When the
 * transaction fails, as on a full disk, all of its operations fail, and the next group starts with
 * a fresh connection.
 */
final class SqliteWriter implements Runnable {
    static final int GROUP = 256;

    private final SqliteFile file;
    private final StoreLock lock;
    private final OperationQueue queue;
    private final ThreadSession session;
    private boolean alone = true; // used by the thread only
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
            for (Operation<?> operation : group) {
                writeOne(operation, open);
            }
            requireAlone();
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
                    file.path() + " is no longer written, since it or its lock was replaced");
        }
        alone = false;
        file.require();
        lock.require();
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
