package dev.fairlead.server.call;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;

/**
 * The time that a request may take from its start. Set by the thread of the request, read by all.
 */
public final class CallTimeout {
    private static final System.Logger LOGGER = System.getLogger(CallTimeout.class.getName());

    /** How long a handler may take to end after it was interrupted because its time is over. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    private final IncomingRequest request;
    private final Timers timers;
    private final Instant start;
    private volatile Instant deadline;
    private Timers.@Nullable Timer timer;
    private boolean overdue; // for the thread of the timers

    CallTimeout(IncomingRequest request, Timers timers) {
        this.request = request;
        this.timers = timers;
        this.start = timers.clock().instant();
        this.deadline = start;
    }

    Instant start() {
        return start;
    }

    /** Sets the time from the start of the request, in place of an earlier one. */
    void set(Duration timeout) {
        stop();
        deadline = Timers.later(start, timeout);
        timer = timers.schedule(timeout, () -> expire(timeout));
    }

    void remove() {
        stop();
        deadline = Instant.MAX;
    }

    /** Stops the timer. */
    void stop() {
        if (timer != null) {
            timer.cancel();
        }
    }

    Instant deadline() {
        return deadline;
    }

    /** Interrupts the handler, and answers in its place if it ignores that. */
    private void expire(Duration timeout) {
        String reason = "it did not end within " + Durations.text(timeout);
        overdue |= request.cancel(new Cancellation(Cancellation.Cause.DEADLINE, reason));
        if (overdue) { // also when this is repeated since there was no memory for the rest
            JsonRpcError error =
                    new JsonRpcError(
                            ErrorCode.INTERNAL_ERROR, "The request was given up: " + reason);
            timers.schedule(
                    GRACE,
                    () -> Thread.ofVirtual().name("mcp-given-up").start(() -> giveUp(error)));
        }
    }

    private void giveUp(JsonRpcError error) {
        try {
            if (request.answerInstead(new JsonRpcErrorResponse(request.id(), error))) {
                LimitedLog.log(
                        LOGGER,
                        Level.WARNING,
                        "",
                        "Handler for {0} ignored interruption after its timeout",
                        request.method());
            }
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "A response was not delivered: {0}", e.getMessage());
        }
    }
}
