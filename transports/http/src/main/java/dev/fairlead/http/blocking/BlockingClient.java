package dev.fairlead.http.blocking;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Exchanges of HTTP/1.1, and the connections that wait for the next one. It adds nothing of its
 * own: no cookies, credentials, redirects, repetitions and compression. Safe for use by several
 * threads. The lock is not held while anything waits for the network.
 */
public final class BlockingClient implements Closeable {
    /** The time for which a connection waits for its next exchange, at most. */
    static final Duration KEPT = Duration.ofSeconds(30);

    /** The most connections that wait. */
    static final int MAX_KEPT = 1_000;

    private final Connector connector;
    private final Executor threads;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Origin, Deque<SocketConnection>> kept = new HashMap<>();
    private volatile boolean hasAnswers;
    private int count;
    private boolean sweeping;
    private boolean closed;

    /**
     * @param threads looks names up, and closes connections which waited too long
     */
    public BlockingClient(Routes routes, Executor threads) {
        this(routes, threads, System::nanoTime);
    }

    /**
     * @param clock the time in nanoseconds
     */
    BlockingClient(Routes routes, Executor threads, LongSupplier clock) {
        this.clock = clock;
        this.connector = new Connector(routes, threads);
        this.threads = threads;
    }

    /** Creates an exchange, which {@link BlockingExchange#send} begins. */
    public BlockingExchange exchange(OutgoingRequest request) {
        return new BlockingExchange(this, request);
    }

    /** Returns whether a server has answered, so that connections may be kept. */
    public boolean hasAnswers() {
        return hasAnswers;
    }

    void answered() {
        if (!hasAnswers) {
            hasAnswers = true;
        }
    }

    SocketConnection connect(BlockingExchange exchange, URI uri) throws IOException {
        return connector.connect(exchange, uri);
    }

    /** Takes the connection to a server that was used last; null if none can be used. */
    @Nullable SocketConnection kept(Origin origin) {
        for (SocketConnection last = take(origin); last != null; last = take(origin)) {
            boolean usable = false;
            try {
                usable = left(last) > 0 && last.isQuiet();
            } finally { // also without memory
                if (!usable) {
                    last.close();
                }
            }
            if (usable) {
                return last;
            }
        }
        return null;
    }

    private @Nullable SocketConnection take(Origin origin) {
        lock.lock();
        try {
            Deque<SocketConnection> waiting = kept.get(origin);
            SocketConnection last = waiting == null ? null : waiting.pollLast();
            if (last != null) {
                count--;
            }
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the nanoseconds for which a connection may wait yet. */
    private long left(SocketConnection connection) {
        return connection.keptUntil() - clock.getAsLong();
    }

    /** Keeps a connection for the next exchange. */
    void keep(SocketConnection connection, Duration time) {
        boolean begins;
        lock.lock();
        try {
            if (closed || count == MAX_KEPT) {
                connection.close();
                return;
            }
            connection.keepUntil(clock.getAsLong() + time.toNanos());
            kept.computeIfAbsent(connection.origin(), origin -> new ArrayDeque<>())
                    .addLast(connection);
            count++;
            begins = !sweeping;
            sweeping = true;
        } finally {
            lock.unlock();
        }
        if (begins) {
            begin();
        }
    }

    private void begin() {
        try {
            threads.execute(this::sweep);
        } catch (RuntimeException | Error e) { // closed, or no thread: the next one tries again
            lock.lock();
            sweeping = false;
            lock.unlock();
        }
    }

    /** Closes connections that have waited for long, until none waits. */
    private void sweep() {
        lock.lock();
        try {
            while (!closed && count > 0) {
                changed.awaitNanos(closeExpired());
            }
        } catch (InterruptedException e) { // the threads of a client are not interrupted
            Thread.currentThread().interrupt();
        } finally {
            sweeping = false;
            lock.unlock();
        }
    }

    /** Returns the nanoseconds until the next connection has waited for long. */
    private long closeExpired() {
        long next = KEPT.toNanos();
        for (Iterator<Deque<SocketConnection>> all = kept.values().iterator(); all.hasNext(); ) {
            Deque<SocketConnection> waiting = all.next();
            for (Iterator<SocketConnection> each = waiting.iterator(); each.hasNext(); ) {
                SocketConnection connection = each.next();
                long left = left(connection);
                if (left <= 0) {
                    each.remove();
                    connection.close();
                    count--;
                }
                next = left <= 0 ? next : Math.min(next, left);
            }
            if (waiting.isEmpty()) {
                all.remove();
            }
        }
        return Math.max(next, TimeUnit.MILLISECONDS.toNanos(1));
    }

    /** Closes the connections that wait; those of exchanges under way end with these. */
    @Override
    public void close() {
        List<SocketConnection> waiting = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            kept.values().forEach(waiting::addAll);
            kept.clear();
            count = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        waiting.forEach(SocketConnection::close);
    }
}
