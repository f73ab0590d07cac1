package dev.fairlead.server.call;

import dev.fairlead.json.JsonException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.ServerOperator.CallState;
import dev.fairlead.protocol.ServerOperator.CallStatus;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.engine.Cancellation;
import dev.fairlead.protocol.engine.RequestSubject;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A request of a client while its handler runs, in the form for logs and for operators. It reads
 * neither parameters nor results, and costs nothing where no operator looks. Thread-safe.
 */
public final class HandledRequest extends RunningHandlers.Entry {
    private static final int MAX_TEXT = 160;
    private static final int MAX_ERROR = 300;

    private final ServerCall call;
    private long number; // guarded by this; 0 as long as no operator has looked

    /** A request that the current thread is about to answer. */
    public HandledRequest(ServerCall call) {
        this.call = call;
    }

    @Override
    String subject() {
        return RequestSubject.of(call.method(), call.request().params());
    }

    /**
     * Returns the status of the request while it runs.
     *
     * @param numbers the last number of a request; gives this one its own, unless it has one
     */
    public CallStatus running(AtomicLong numbers) {
        CallState state = isCancelled() ? CallState.CANCELLING : CallState.RUNNING;
        return status(numbers, state, "", call.latestProgress());
    }

    /**
     * Returns the status of the request at its end; for its thread.
     *
     * @param numbers the last number of a request; gives this one its own, unless it has one
     * @param failure its error; null for none
     */
    public CallStatus ended(AtomicLong numbers, @Nullable Throwable failure) {
        CallState state = failure == null ? state(call.answer()) : CallState.FAILED;
        if (isCancelled()) { // a tool that is interrupted fails
            boolean stopped = state == CallState.FAILED;
            return status(numbers, stopped ? CallState.CANCELLED : CallState.TOO_LATE, "", null);
        }
        return status(numbers, state, failure == null ? "" : error(failure), null);
    }

    /**
     * @param answer null for the plain result of a tool
     */
    private static CallState state(@Nullable Outcome<?> answer) {
        if (answer instanceof Outcome.TaskCreated<?>) {
            return CallState.TASK;
        }
        if (answer instanceof Outcome.InputRequired<?>) {
            return CallState.ASKED;
        }
        return answer instanceof Outcome.Complete<?> complete
                        && complete.result() instanceof CallToolResult result
                        && result.isError()
                ? CallState.FAILED
                : CallState.COMPLETED;
    }

    private static String error(Throwable failure) {
        return failure instanceof JsonRpcException known
                ? start(known.code() + " " + known.getMessage(), MAX_ERROR)
                : failure.getClass().getSimpleName();
    }

    private boolean isCancelled() {
        return call.request()
                .cancellation()
                .filter(cancelled -> cancelled.cause() != Cancellation.Cause.DEADLINE)
                .isPresent();
    }

    private CallStatus status(
            AtomicLong numbers, CallState state, String error, @Nullable Progress progress) {
        Implementation client = call.client().client();
        Caller caller = call.caller();
        return new CallStatus(
                number(numbers),
                start(call.method(), MAX_TEXT),
                start(target(), MAX_TEXT),
                client == null ? "" : start(client.displayName(), MAX_TEXT),
                caller.isAnonymous() ? "" : start(caller.toString(), MAX_TEXT),
                call.channel().sessionName().orElse(""),
                call.channel().transport(),
                state,
                error,
                call.began(),
                Duration.ofNanos(System.nanoTime() - startNanos),
                progress);
    }

    private synchronized long number(AtomicLong numbers) {
        if (number == 0) {
            number = numbers.incrementAndGet();
        }
        return number;
    }

    private String target() {
        try {
            if (call.method().equals(Methods.CALL_TOOL.name())) {
                return call.target().name();
            }
            String target = RequestSubject.target(call.method(), call.request().params());
            return target == null ? "" : target;
        } catch (JsonRpcException | JsonException e) { // its parameters are malformed
            return "";
        }
    }

    /** Returns the beginning of a text, since a record must not keep a long one. */
    private static String start(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max);
    }
}
