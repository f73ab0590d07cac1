package dev.fairlead.client.link;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.requestor.RemoteTasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One call of a user, over all its requests: rounds, repetitions, and requests in between. Together
 * they have the time that the call may take in all; time that is not spent on the server, as that
 * of handlers, does not count. One thread at a time sends for it.
 */
public final class OngoingCall {
    private final Duration maximum;
    private final Timers timers;
    private final AtomicLong spent; // nanoseconds
    private volatile long lastSign;
    private volatile @Nullable Thread asking; // handlers; written under this
    private boolean isAbandoned; // guarded by this
    private volatile Round first = Round.FIRST;
    private volatile Round current = Round.FIRST;
    private volatile boolean hasFailedHere;

    public OngoingCall(Duration maximum, Timers timers) {
        this(maximum, timers, new AtomicLong());
    }

    private OngoingCall(Duration maximum, Timers timers, AtomicLong spent) {
        this.maximum = maximum;
        this.timers = timers;
        this.spent = spent;
        this.lastSign = timers.nanoTime();
    }

    /** Returns another request that takes its time from this call. */
    public OngoingCall inBetween() {
        return new OngoingCall(maximum, timers, spent);
    }

    // ---- the time

    /**
     * Returns how much time is left.
     *
     * @param method for the message
     * @throws RequestTimeoutException if none is
     */
    public Duration left(String method) {
        Duration left = maximum.minusNanos(spent.get());
        if (!left.isPositive()) {
            throw new RequestTimeoutException(
                    method + ": no answer within " + Durations.text(maximum));
        }
        return left;
    }

    /** Counts time, which may be below zero where too much was counted. */
    public void spend(Duration time) {
        spent.addAndGet(time.toNanos());
    }

    /** Something that takes time. */
    @FunctionalInterface
    public interface Wait<T> {
        T end() throws InterruptedException;
    }

    /** Waits, and counts the time of it. */
    public <T> T counted(Wait<T> wait) throws InterruptedException {
        long started = timers.nanoTime();
        try {
            return wait.end();
        } finally {
            spent.addAndGet(timers.nanoTime() - started);
        }
    }

    /** Sends a request and waits for its result within the time that is left. */
    public RawJson request(Connection connection, OutgoingRequest request)
            throws InterruptedException {
        OutgoingRequest limited = request.within(left(request.method()));
        signOfLife();
        long started = lastSign;
        try {
            return connection.request(limited);
        } finally {
            spent.addAndGet(timers.nanoTime() - started);
        }
    }

    /** The server has shown that it is alive. */
    public void signOfLife() {
        lastSign = timers.nanoTime();
    }

    /**
     * Waits for handlers, whose time does not count.
     *
     * @throws InterruptedException also if the caller no longer waits
     */
    public <T> T asked(Wait<T> answers) throws InterruptedException {
        setAsking(Thread.currentThread());
        try {
            return answers.end();
        } catch (RuntimeException | Error e) {
            hasFailedHere = true;
            throw e;
        } finally {
            signOfLife();
            setAsking(null);
        }
    }

    /**
     * Returns whether handlers have ended the call: their exceptions say nothing about the server,
     * even if a request to it might fail with the same.
     */
    public boolean hasFailedHere() {
        return hasFailedHere;
    }

    private synchronized void setAsking(@Nullable Thread thread) throws InterruptedException {
        asking = thread;
        if (isAbandoned) {
            Thread.interrupted(); // that of abandon()
            throw new InterruptedException("the caller no longer waits");
        }
    }

    /**
     * The caller waits no longer while another thread sends: its handlers are interrupted, which a
     * request must not be.
     */
    public synchronized void abandon() {
        isAbandoned = true;
        if (asking != null) {
            asking.interrupt();
        }
    }

    /** Returns how long a caller waits without a sign of life while another thread sends. */
    public RemoteTasks.Patience patience(Duration timeout) {
        signOfLife();
        return new RemoteTasks.Patience() {
            @Override
            public Duration left() {
                return asking != null ? timeout : timeout.minusNanos(timers.nanoTime() - lastSign);
            }

            @Override
            public Duration limit() {
                return timeout;
            }
        };
    }

    // ---- the rounds

    /** Returns the round to begin with. */
    public Round first() {
        return first;
    }

    /** A round is sent from now on. */
    public void begin(Round round) {
        current = round;
    }

    /** Returns whether the round that was sent last is the first, so that no handler has run. */
    public boolean isInFirstRound() {
        return current.isFirst();
    }

    /** Has the round that was sent last sent first, where the call is sent in another way. */
    public void continueInThisRound() {
        first = current;
    }
}
