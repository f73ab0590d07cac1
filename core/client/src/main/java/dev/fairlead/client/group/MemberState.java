package dev.fairlead.client.group;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.time.Backoff;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.WaitDeadline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The state of the connection to one server of a group, and the waits for it. Connections are
 * counted: a report about an earlier one changes nothing. Thread-safe.
 */
final class MemberState {
    /** How long a request waits for an attempt to connect that it has begun. */
    static final Duration ATTEMPT = Duration.ofSeconds(2);

    private static final String REMOVED = "it is in the group no longer";

    private final String name;
    private final Backoff backoff;
    private final Timers timers;
    private final Consumer<ServerStatus> listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // guarded by lock
    private ServerStatus status;
    private @Nullable McpClient client;
    private int connections; // events of an earlier one do not count
    private int decided; // the newest connection that was made, or could not be made
    private Instant attempted = Instant.MIN; // when the newest one began
    private boolean wanted; // by a request, without waiting longer
    private @Nullable String loss;
    private boolean settled;
    private boolean closed;

    /**
     * @param listener receives each new status; must not block
     */
    MemberState(String name, Backoff backoff, Timers timers, Consumer<ServerStatus> listener) {
        this.name = name;
        this.backoff = backoff;
        this.timers = timers;
        this.listener = listener;
        this.status = new ServerStatus(name, ServerState.CONNECTING, null);
    }

    // ---- the life of the connection, for the thread of the member

    /** Begins a connection, and returns its number. */
    int begin() {
        int connection;
        lock.lock();
        try {
            loss = null;
            wanted = false;
            attempted = timers.clock().instant();
            connection = ++connections;
        } finally {
            lock.unlock();
        }
        become(connection, ServerState.CONNECTING, null, null);
        return connection;
    }

    /** Waits until the connection is lost or the state closed, and returns why. */
    String awaitLoss() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (loss == null && !closed) {
                changed.await();
            }
            return loss == null ? REMOVED : loss;
        } finally {
            lock.unlock();
        }
    }

    /** Waits before the next connection, unless a request wants one now. */
    void pause(Duration delay) throws InterruptedException {
        try (WaitDeadline over = new WaitDeadline(timers, delay, lock, changed)) {
            lock.lockInterruptibly();
            try {
                while (!over.hasPassed() && !closed && !wanted) {
                    changed.await();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Notes that a connection is lost.
     *
     * @return false if that is known, or an earlier connection was meant
     */
    boolean lose(int connection, String why) {
        lock.lock();
        try {
            if (connection != connections || loss != null) {
                return false;
            }
            loss = why;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes the state, unless its connection is over already: a report about an earlier
     * connection may come after a new one has begun, which it does not concern.
     */
    boolean become(
            int connection, ServerState state, @Nullable String reason, @Nullable McpClient now) {
        ServerStatus next = new ServerStatus(name, state, reason);
        boolean news;
        lock.lock();
        try {
            if (closed
                    || connection != connections
                    || (state == ServerState.CONNECTED && loss != null)) {
                return false;
            }
            news = !next.equals(status) || (!settled && state != ServerState.CONNECTING);
            status = next;
            client = now;
            if (state != ServerState.CONNECTING) {
                settled = true;
                decided = connection;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (news) {
            listener.accept(next);
        }
        return true;
    }

    /**
     * Ends all waits; there is no further connection.
     *
     * @return false if that was done before
     */
    boolean close() {
        ServerStatus last = new ServerStatus(name, ServerState.FAILED, REMOVED);
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            status = last;
            client = null;
            settled = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        listener.accept(last);
        return true;
    }

    // ---- for requests

    /** The client of a connection; null if it is not in use, or not any more. */
    @Nullable McpClient clientOf(int connection) {
        lock.lock();
        try {
            return connection == connections ? client : null;
        } finally {
            lock.unlock();
        }
    }

    /** The number of the newest connection. */
    int newest() {
        lock.lock();
        try {
            return connections;
        } finally {
            lock.unlock();
        }
    }

    /** The client in use; null if there is none. */
    @Nullable McpClient newestClient() {
        lock.lock();
        try {
            return client;
        } finally {
            lock.unlock();
        }
    }

    /** The number of the connection with this client; 0 if it is not in use any more. */
    int connectionOf(McpClient used) {
        lock.lock();
        try {
            return used.equals(client) ? connections : 0;
        } finally {
            lock.unlock();
        }
    }

    ServerStatus status() {
        lock.lock();
        try {
            return status;
        } finally {
            lock.unlock();
        }
    }

    boolean isSettled() {
        lock.lock();
        try {
            return settled;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** The client of the connection that there is. */
    McpClient client() {
        lock.lock();
        try {
            if (client == null) {
                String why = status.reason();
                throw new ServerUnavailableException(
                        name, why == null ? "it is being connected to" : why, null);
            }
            return client;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Connects at once to a server that could not be reached, unless that was tried a moment ago:
     * it may be back since. An attempt that has just begun is waited for as well.
     */
    void awaitAttempt() throws InterruptedException {
        Duration left = timeForAttempt();
        if (!left.isPositive()) {
            return;
        }
        try (WaitDeadline over = new WaitDeadline(timers, left, lock, changed)) {
            lock.lockInterruptibly();
            try {
                int awaited = connections;
                if (decided == connections) {
                    awaited++;
                    wanted = true;
                    changed.signalAll();
                }
                while (decided < awaited && !over.hasPassed() && !closed) {
                    changed.await();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns how long a request waits for an attempt to connect; zero or less if it does not. */
    private Duration timeForAttempt() {
        lock.lock();
        try {
            Duration since = Duration.between(attempted, timers.clock().instant());
            if (decided < connections) { // since is negative where the clock was set back
                return since.isNegative() ? ATTEMPT : ATTEMPT.minus(since);
            }
            return since.compareTo(backoff.first()) < 0 ? Duration.ZERO : ATTEMPT;
        } finally {
            lock.unlock();
        }
    }
}
