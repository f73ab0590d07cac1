package dev.fairlead.client.changes;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Monitor;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The versions of the changes that are wanted, each with the answer of the server. The monitor
 * guards the fields, also those of {@link ChangeStream}.
 */
final class WantedVersions {
    private final Monitor monitor;

    // guarded by monitor
    private boolean running;
    private boolean closed;
    private long version;
    private long settled = -1; // the version that was acknowledged or refused last
    private @Nullable NotificationFilter granted;
    private @Nullable CallException refusal;

    WantedVersions(Timers timers) {
        this.monitor = new Monitor(timers);
    }

    Monitor monitor() {
        return monitor;
    }

    /** Returns whether nothing is wanted any more. */
    boolean isClosed() {
        return monitor.read(() -> closed);
    }

    /**
     * Begins the next version. Returns at once.
     *
     * @param start starts the thread that heeds versions, once
     */
    long next(Runnable start) {
        long[] next = new long[1];
        monitor.change(
                () -> {
                    next[0] = ++version;
                    if (!running && !closed) {
                        start.run();
                        running = true; // not where there is no thread: the next change tries again
                    }
                });
        return next[0];
    }

    /** Waits for the answer of the server to a version; see {@link Listening#await}. */
    NotificationFilter await(long mark, Duration limit, Connection connection)
            throws InterruptedException {
        monitor.await(() -> settled >= mark || closed, limit);
        return monitor.read(() -> answer(mark, limit, connection));
    }

    private NotificationFilter answer(long mark, Duration limit, Connection connection) {
        if (closed) {
            throw connection.closedException();
        }
        if (settled < mark) {
            throw new RequestTimeoutException(
                    Methods.LISTEN + ": no answer within " + Durations.text(limit));
        }
        if (refusal != null) {
            throw refusal.withCallerStack();
        }
        return granted == null ? new NotificationFilter() : granted;
    }

    /**
     * Waits until the server has answered for the first time; not if nothing was ever wanted.
     *
     * @return false if it has not answered in time
     */
    boolean awaitFirst(Duration limit) throws InterruptedException {
        return monitor.await(() -> settled >= 0 || version == 0 || closed, limit);
    }

    /** Returns the version of now. */
    long mark() {
        return monitor.read(() -> version);
    }

    /** Notes the answer of the server to a version. */
    void settle(long mark, @Nullable NotificationFilter given, @Nullable CallException why) {
        monitor.change(
                () -> {
                    settled = mark;
                    granted = given;
                    refusal = why;
                });
    }

    /**
     * Waits until something else is wanted or the stream has ended.
     *
     * @return false if there is nothing more to do
     */
    boolean awaitChange(long mark, @Nullable ChangeStream stream) throws InterruptedException {
        monitor.await(
                () -> closed || version != mark || (stream != null && stream.hasEnded()),
                (Duration) null);
        return !isClosed();
    }

    /**
     * Waits for a while, or until something else is wanted.
     *
     * @return false if there is nothing more to do
     */
    boolean pause(long mark, Duration time) throws InterruptedException {
        monitor.await(() -> closed || version != mark, time);
        return !isClosed();
    }

    /** Nothing is wanted any more. */
    void close() {
        monitor.change(() -> closed = true);
    }
}
