package dev.fairlead.console.watch;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** A request of a client: its sender, its target and its end. It keeps no payload. */
final class ObservedCall {
    /** The state of a call. */
    enum State {
        RUNNING("running"),
        CANCELLING("cancelling"),
        COMPLETED("completed"),
        FAILED("failed"),
        TASK("task"),
        ASKED("asked"),
        CANCELLED("cancelled"),
        /** It completed before it could be cancelled. */
        TOO_LATE("too-late");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** Returns the name for pages. */
        String label() {
            return label;
        }
    }

    private static final int MAX_ERROR = 300;

    private final long number;
    private final String method;
    private final String target;
    private final String client;
    private final String caller;
    private final String session;
    private final String transport;
    private final long began = System.currentTimeMillis();
    private final long beganNanos = System.nanoTime();

    private volatile @Nullable MethodCall running;
    private volatile long cancelSeen; // in milliseconds; 0 as long as it was not seen
    private volatile long nanos;
    private volatile State end = State.RUNNING;
    private volatile String error = "";

    ObservedCall(long number, MethodCall call) {
        this.number = number;
        this.method = Texts.start(call.name());
        this.target = Texts.start(targetOf(call.params()));
        this.client = Texts.start(call.client().map(Implementation::displayName).orElse(""));
        this.caller = call.caller().isAnonymous() ? "" : Texts.start(call.caller().toString());
        this.session = call.session().map(SessionInfo::name).orElse("");
        this.transport = call.transport().orElse("");
        this.running = call;
    }

    private static String targetOf(Object params) {
        return switch (params) {
            case CallToolRequest tool -> tool.name();
            case GetPromptRequest prompt -> prompt.name();
            case ReadResourceRequest resource -> resource.uri();
            default -> "";
        };
    }

    /** Records an end without an error. */
    void ended(Outcome<?> outcome) {
        State state =
                switch (outcome) {
                    case Outcome.TaskCreated<?> task -> State.TASK;
                    case Outcome.InputRequired<?> input -> State.ASKED;
                    case Outcome.Complete<?> complete ->
                            complete.result() instanceof CallToolResult result && result.isError()
                                    ? State.FAILED
                                    : State.COMPLETED;
                };
        end(isCancelled() && state != State.FAILED ? State.TOO_LATE : state, "");
    }

    /** Records an end with an error. */
    void failed(Throwable cause) {
        if (isCancelled()) {
            end(State.CANCELLED, "");
        } else if (cause instanceof JsonRpcException known) {
            end(State.FAILED, Texts.shortened(known.code() + " " + known.getMessage(), MAX_ERROR));
        } else {
            end(State.FAILED, cause.getClass().getSimpleName());
        }
    }

    private void end(State state, String reason) {
        nanos = System.nanoTime() - beganNanos;
        error = reason;
        end = state;
        running = null; // which holds the payload
    }

    private boolean isCancelled() {
        MethodCall call = running;
        return call != null && call.isCancelled();
    }

    /** Returns the state now. */
    State state() {
        if (end == State.RUNNING && isCancelled()) {
            if (cancelSeen == 0) {
                cancelSeen = System.currentTimeMillis();
            }
            return State.CANCELLING;
        }
        return end;
    }

    boolean isRunning() {
        return end == State.RUNNING;
    }

    boolean hasFailed() {
        return end == State.FAILED;
    }

    long number() {
        return number;
    }

    String method() {
        return method;
    }

    String target() {
        return target;
    }

    String client() {
        return client;
    }

    String caller() {
        return caller;
    }

    String session() {
        return session;
    }

    String transport() {
        return transport;
    }

    String error() {
        return error;
    }

    long began() {
        return began;
    }

    /** Returns how long it has run, or ran, in nanoseconds. */
    long nanos() {
        return isRunning() ? System.nanoTime() - beganNanos : nanos;
    }

    /** Returns how long a running call has been seen as cancelled, in milliseconds. */
    long cancellingFor() {
        return cancelSeen == 0 ? 0 : System.currentTimeMillis() - cancelSeen;
    }

    /** Returns the latest progress of a running call; empty for none. */
    Optional<Progress> progress() {
        MethodCall call = running;
        return call == null ? Optional.empty() : call.progress();
    }
}
