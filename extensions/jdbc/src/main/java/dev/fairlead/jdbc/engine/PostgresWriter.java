package dev.fairlead.jdbc.engine;

import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * A thread that writes to a PostgreSQL. Up to {@link #GROUP} waiting operations go into one
 * transaction, so that they share a commit. They run in the order of their keys: all threads and
 * nodes lock in that order, so that there is no deadlock. When one of them fails, none has taken
 * effect, and each is tried alone.
 */
final class PostgresWriter implements Runnable {
    static final int GROUP = 32;

    private final OperationQueue queue;
    private final ThreadSession session;

    PostgresWriter(OperationQueue queue, ThreadSession session) {
        this.queue = queue;
        this.session = session;
    }

    @Override
    public void run() {
        queue.drain(GROUP, this::writeSorted);
        session.drop();
    }

    private void writeSorted(List<Operation<?>> group) {
        group.sort(Comparator.comparing(Operation::key)); // stable: as they came for one key
        write(group);
        if (queue.isEmpty()) {
            session.drop(); // the pool looks after connections that rest
        }
    }

    private void write(List<Operation<?>> group) {
        if (!isConnected(group)) {
            return;
        }
        if (group.size() == 1 || !begun(group)) {
            eachAlone(group);
            return;
        }
        try {
            Connection connection = session.get().connection();
            connection.commit();
            connection.setAutoCommit(true);
        } catch (Throwable unknown) {
            session.drop();
            group.forEach(operation -> operation.fail(unknown));
            return;
        }
        group.forEach(Operation::complete);
    }

    /** Fails operations that would wait for the same session if there is none. */
    private boolean isConnected(Collection<Operation<?>> waiting) {
        try {
            session.get();
            return true;
        } catch (Throwable away) {
            waiting.forEach(operation -> operation.fail(away));
            return false;
        }
    }

    private void eachAlone(List<Operation<?>> group) {
        Deque<Operation<?>> left = new ArrayDeque<>(group);
        while (!left.isEmpty() && isConnected(left)) {
            alone(left.remove());
        }
    }

    /** Runs all in a transaction that is not committed yet; false if that did not work. */
    private boolean begun(List<Operation<?>> group) {
        try {
            SqlSession open = session.get();
            open.connection().setAutoCommit(false);
            for (Operation<?> operation : group) {
                operation.run(open);
            }
            return true;
        } catch (Throwable e) { // an operation that is at fault fails alone, with any failure
            session.drop(); // undoes it
            return false;
        }
    }

    private void alone(Operation<?> operation) {
        try {
            SqlSession open = session.get();
            if (operation.isSingle()) {
                operation.run(open);
            } else {
                open.connection().setAutoCommit(false);
                operation.run(open);
                open.connection().commit();
                open.connection().setAutoCommit(true);
            }
        } catch (Throwable failure) {
            session.drop();
            operation.fail(failure);
            return;
        }
        operation.complete();
    }
}
