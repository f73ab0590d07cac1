package dev.fairlead.protocol.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A request of this side while its caller waits. Progress and the response meet here: the waiting
 * thread itself calls the listener for progress, so that it never runs beside its call or after it.
 */
final class PendingRequest {
    /**
     * The number of reports that may wait for a slow listener; beyond it, the oldest are dropped.
     */
    static final int PROGRESS_LIMIT = 64;

    /** The time until the transport is asked once more to free the calling thread. */
    static final Duration AGAIN = Duration.ofMillis(100);

    /** By the clock of the system, whichever the timeout has: only the thread is in question. */
    private static final Executor ONCE_MORE =
            CompletableFuture.delayedExecutor(AGAIN.toMillis(), TimeUnit.MILLISECONDS);

    private static final System.Logger LOGGER = System.getLogger(PendingRequest.class.getName());

    private final RequestId id;
    private final OutgoingRequest request;
    private final Timers timers;
    private final BooleanSupplier peerWaits;
    private volatile @Nullable Runnable stop;
    private volatile boolean isSending; // the calling thread is in the transport
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Progress> reports = new ArrayDeque<>();
    private Instant giveUp;
    private Instant lastSign;
    private @Nullable Instant pausedAt;
    private Timers.@Nullable Timer timer;

    private final Runnable timerFired = this::checkTime;
    private boolean isSilent; // no sign of life came in time
    private boolean isTooLate; // the time for all of it is over
    private @Nullable RawJson result;
    private @Nullable Supplier<CallException> failure;

    /**
     * @param peerWaits whether the peer waits for this side just now, and so cannot answer
     */
    PendingRequest(
            RequestId id, OutgoingRequest request, Timers timers, BooleanSupplier peerWaits) {
        this.id = id;
        this.request = request;
        this.timers = timers;
        this.peerWaits = peerWaits;
        this.lastSign = now();
        this.giveUp = Timers.later(lastSign, request.maximum());
    }

    /** Returns the time, which does not change when the clock of the machine is set. */
    private Instant now() {
        return Instant.EPOCH.plusNanos(timers.nanoTime());
    }

    RequestId id() {
        return id;
    }

    OutgoingRequest request() {
        return request;
    }

    /** Completes with a result; only the first completion counts. */
    void complete(RawJson value) {
        end(value, null);
    }

    /**
     * Completes with a failure; only the first completion counts.
     *
     * @param exception creates the exception on the thread of the caller
     */
    void fail(Supplier<CallException> exception) {
        end(null, exception);
    }

    private void end(@Nullable RawJson value, @Nullable Supplier<CallException> exception) {
        lock.lock();
        try {
            if (!isDone()) {
                result = value;
                failure = exception;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isDone() {
        return result != null || failure != null || isSilent || isTooLate;
    }

    /** Restarts the timeout, since the peer has shown that it is alive. */
    void signOfLife() {
        lock.lock();
        try {
            lastSign = now();
        } finally {
            lock.unlock();
        }
    }

    /** Pauses the timeout until {@link #resumeTimeout}. */
    void pauseTimeout() {
        lock.lock();
        try {
            Instant now = now();
            addPause(now);
            pausedAt = now;
        } finally {
            lock.unlock();
        }
    }

    /** Resumes the timeout; the time of the pause does not count. */
    void resumeTimeout() {
        lock.lock();
        try {
            addPause(now());
            pausedAt = null;
        } finally {
            lock.unlock();
        }
    }

    /** Moves the deadlines by the pause so far. */
    private void addPause(Instant now) {
        if (pausedAt != null) {
            Duration pause = Duration.between(pausedAt, now);
            lastSign = Timers.later(lastSign, pause);
            giveUp = Timers.later(giveUp, pause);
            pausedAt = now;
        }
    }

    /** Takes a report: it restarts the timeout, and is kept if there is a listener. */
    void progress(Progress report) {
        lock.lock();
        try {
            lastSign = now();
            if (request.listener() != null && !isDone()) {
                if (reports.size() == PROGRESS_LIMIT) {
                    reports.removeFirst();
                }
                reports.addLast(report);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The calling thread is about to be in the transport, until {@link #sent}.
     *
     * @param stop frees the thread; called on that of the timers when the time is over, and again
     *     as long as the thread is not free: the transport may not know the request yet
     */
    void sending(Runnable stop) {
        this.stop = stop;
        isSending = true;
    }

    void sent() {
        isSending = false;
    }

    /** Starts the clock. */
    void startTimer() {
        lock.lock();
        try {
            scheduleTimer();
        } finally {
            lock.unlock();
        }
    }

    private void scheduleTimer() {
        Instant due = Timers.later(lastSign, request.timeout());
        Instant first = due.isBefore(giveUp) ? due : giveUp;
        Duration delay = Duration.between(now(), first);
        timer = timers.schedule(delay.isPositive() ? delay : Duration.ZERO, timerFired);
    }

    /**
     * Checks the time again, since progress may have come after the timer was set. The waiting
     * thread creates the exception: a timeout ends the wait also where there is no memory. Without
     * memory the timers repeat all of this.
     */
    private void checkTime() {
        Runnable known = stop;
        if (!isOver() || known == null) {
            return;
        }
        known.run();
        if (isSending) {
            ONCE_MORE.execute(timerFired);
        }
    }

    /** Returns whether the time is over, or a response came while the request was being sent. */
    private boolean isOver() {
        lock.lock();
        try {
            if (timer == null) { // its caller has returned
                return false;
            }
            if (isDone()) {
                return isTooLate || isSilent || isSending;
            }
            Instant now = now();
            addPause(now);
            if (peerWaits.getAsBoolean()) {
                lastSign = now;
            }
            isTooLate = !now.isBefore(giveUp);
            isSilent = !now.isBefore(Timers.later(lastSign, request.timeout()));
            if (isDone()) {
                changed.signalAll();
                return true;
            }
            scheduleTimer();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private RequestTimeoutException timeout(String what) {
        return new RequestTimeoutException(request.method() + ": " + what);
    }

    /**
     * Waits for the end, and passes the progress that comes before it to the listener.
     *
     * @throws CallException the failure
     */
    RawJson await() throws InterruptedException {
        while (true) {
            Progress report = next();
            if (report == null) {
                return outcome();
            }
            if (request.listener() instanceof ProgressListener listener) {
                notify(listener, report);
            }
        }
    }

    /** Calls a listener, whose failure must not leave the request running at the peer. */
    private static void notify(ProgressListener listener, Progress report) {
        try {
            listener.progress(report);
        } catch (RuntimeException | Error e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "A progress listener failed");
        }
    }

    /** Returns the next report, or null when the request has ended and all reports were handled. */
    private @Nullable Progress next() throws InterruptedException {
        lock.lock(); // an interrupt counts only as long as there is something to wait for
        try {
            while (reports.isEmpty() && !isDone()) {
                changed.await();
            }
            return reports.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private RawJson outcome() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure.get();
            }
            if (isTooLate) {
                throw timeout("no answer within " + Durations.text(request.maximum()));
            }
            if (isSilent) {
                throw timeout("no response or progress for " + Durations.text(request.timeout()));
            }
            return java.util.Objects.requireNonNull(result);
        } finally {
            lock.unlock();
        }
    }

    /** Stops the clock. */
    void stopTimer() {
        lock.lock();
        try {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
