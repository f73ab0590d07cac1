package dev.fairlead.protocol.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RunningRequest;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A request of the peer while it runs, on a thread of its own.
 *
 * <p>Cancelling interrupts that thread, except inside {@link #shielded}: there the interrupt waits,
 * so that it never hits a connection or a store. The lock guards the state and is never held while
 * anything else runs.
 */
public final class IncomingRequest implements RunningRequest {
    private static final System.Logger LOGGER = System.getLogger(IncomingRequest.class.getName());

    private final JsonRpcRequest request;
    private final Exchange exchange;
    private final ReentrantLock lock = new ReentrantLock();
    private final ShieldedThread thread = new ShieldedThread();
    private boolean ended;
    private boolean answered;
    private @Nullable Cancellation cancellation;
    private @Nullable Runnable afterAnswer; // confined to the thread of the request
    private @Nullable Runnable whenOver; // of a request that stays open
    private @Nullable Runnable whenFinished; // likewise
    private boolean endsWhenStanding; // guarded by lock
    private @Nullable Runnable finishDue; // when its handler returns
    private @Nullable Standing standing; // once its thread has ended; null before

    /** Ends a request that has no thread any more. */
    @FunctionalInterface
    interface Standing {
        /**
         * @param result null if the request was cancelled
         */
        void end(@Nullable RawJson result, @Nullable Cancellation why);
    }

    IncomingRequest(JsonRpcRequest request, Exchange exchange) {
        this.request = request;
        this.exchange = exchange;
    }

    JsonRpcRequest request() {
        return request;
    }

    public RequestId id() {
        return request.id();
    }

    public String method() {
        return request.method();
    }

    public @Nullable RawJson params() {
        return request.params();
    }

    public Exchange exchange() {
        return exchange;
    }

    /** Returns the reason to stop this request; empty as long as it may run. */
    public Optional<Cancellation> cancellation() {
        lock.lock();
        try {
            return Optional.ofNullable(cancellation);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether the response is still to come, so that progress and other messages of this
     * request may be sent.
     */
    public boolean isOpen() {
        lock.lock();
        try {
            return !ended && cancellation == null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends a message that belongs to this request, unless it has ended or was cancelled.
     *
     * @return whether it was sent
     */
    public boolean send(JsonRpcMessage message) {
        return isOpen()
                && shielded(
                        () -> {
                            exchange.send(message);
                            return true;
                        });
    }

    /**
     * Runs an action that must not be interrupted by a cancellation, see {@link
     * ShieldedThread#shielded}.
     */
    public <T extends @Nullable Object> T shielded(Supplier<T> action) {
        return thread.shielded(action);
    }

    /** Runs an action of users, {@linkplain #shielded shielded} from interrupts. */
    public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        return thread.uninterrupted(action);
    }

    /**
     * Cancels the request. Only the first cancellation counts, and none does once the request has
     * ended; one that finds no memory does not count either.
     *
     * @return whether this call did it
     */
    public boolean cancel(Cancellation why) {
        Standing over;
        Runnable release = null;
        lock.lock();
        try {
            if (ended || cancellation != null) {
                return false;
            }
            cancellation = why;
            over = standing;
            if (over != null) {
                ended = true;
            } else {
                interrupt();
                release = whenOver; // its resources are free at once, not when its handler returns
                whenOver = null;
            }
        } finally {
            lock.unlock();
        }
        if (release != null) {
            release.run();
        }
        if (over != null) {
            end(over, null, why, () -> {});
        }
        return true;
    }

    private void interrupt() {
        try {
            thread.interrupt();
        } catch (OutOfMemoryError e) {
            cancellation = null;
            throw e;
        }
    }

    /**
     * Keeps the request open when its handler returns, without a thread, until it is cancelled or
     * {@link #finish finished}: the result of the handler is not sent. To be called by the handler,
     * once.
     *
     * @param action runs once when the request is over, for any reason; must return at once
     * @param finishing ends the request by {@link #finish}; must return at once
     */
    public void stayOpen(Runnable action, Runnable finishing) {
        boolean due;
        lock.lock();
        try {
            whenOver = action;
            whenFinished = finishing;
            due = endsWhenStanding;
        } finally {
            lock.unlock();
        }
        if (due) {
            finishing.run();
        }
    }

    /**
     * Records that the handler has returned.
     *
     * @return false if the request ends with it
     */
    boolean stands(Standing end) {
        lock.lock();
        try {
            thread.end();
            if (whenOver == null || ended || cancellation != null) {
                return false;
            }
            standing = end;
            exchange.staysOpen(id());
            Thread.interrupted();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Runs the action given to {@link #stayOpen}, if any, unless it ran before. */
    void over() {
        Runnable release;
        lock.lock();
        try {
            release = whenOver;
            whenOver = null;
        } finally {
            lock.unlock();
        }
        if (release != null) {
            release.run();
        }
    }

    /**
     * Ends a request that stays open with its result, once its handler has returned. Without effect
     * if it has ended.
     *
     * @param afterwards runs once the result was handed to the transport; must return at once
     */
    public void finish(RawJson result, Runnable afterwards) {
        Standing over;
        lock.lock();
        try {
            if (ended || cancellation != null) {
                return;
            }
            over = standing;
            if (over == null) {
                finishDue = () -> finish(result, afterwards);
                return;
            }
            ended = true;
        } finally {
            lock.unlock();
        }
        end(over, result, null, afterwards);
    }

    private void end(
            Standing over,
            @Nullable RawJson result,
            @Nullable Cancellation why,
            Runnable afterwards) {
        try {
            over.end(result, why);
            afterwards.run();
        } finally {
            exchange.over(id());
        }
    }

    /** Ends a request that stays open if that was due before its handler had returned. */
    void finishIfDue() {
        Runnable due;
        lock.lock();
        try {
            due = finishDue;
        } finally {
            lock.unlock();
        }
        if (due != null) {
            due.run();
        }
    }

    @Override
    public void endIfStanding() {
        Runnable end;
        lock.lock();
        try {
            endsWhenStanding = true;
            end = whenFinished;
        } finally {
            lock.unlock();
        }
        if (end != null) {
            end.run();
        }
    }

    @Override
    public void cancel(String reason) {
        cancel(new Cancellation(Cancellation.Cause.PEER, reason));
    }

    /**
     * Answers in place of a handler that continues although it was interrupted because its time is
     * over; its later result is dropped. Until it ends it still counts as running.
     *
     * @return false, and nothing sent, if the handler has ended, or was stopped for another reason
     */
    public boolean answerInstead(JsonRpcMessage response) {
        lock.lock();
        try {
            if (ended
                    || answered
                    || cancellation == null
                    || cancellation.cause() != Cancellation.Cause.DEADLINE) {
                return false;
            }
            answered = true;
        } finally {
            lock.unlock();
        }
        exchange.respondEarly(response);
        return true;
    }

    /**
     * Runs an action once the response was passed to the transport, or could not be, or none was
     * due since the request was cancelled: no message of the action can overtake the response. It
     * runs on the thread of the request, which nothing interrupts any more; an exception is logged.
     * To be called by that thread, once.
     */
    public void afterAnswer(Runnable action) {
        afterAnswer = action;
    }

    /** Runs the action that is due after the response. */
    void answered() {
        if (afterAnswer != null) {
            try {
                afterAnswer.run();
            } catch (RuntimeException e) {
                LimitedLog.failed(
                        LOGGER, Level.ERROR, "", e, "The action after {0} failed", method());
            }
        }
    }

    /**
     * Returns whether {@link #answerInstead} has answered, so that the result of the handler is
     * ignored.
     */
    public boolean isAnsweredEarly() {
        lock.lock();
        try {
            return answered;
        } finally {
            lock.unlock();
        }
    }

    /** Starts the handler on the current thread. */
    void begin() {
        thread.begin();
    }

    /**
     * Ends the handler; nothing interrupts the thread any more.
     *
     * @return the reason why no ordinary answer is due, or null if the handler came first
     */
    @Nullable Cancellation end() {
        lock.lock();
        try {
            ended = true;
            thread.end();
            Thread.interrupted();
            return cancellation;
        } finally {
            lock.unlock();
        }
    }
}
