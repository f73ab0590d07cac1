package dev.fairlead.protocol.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.options.Checks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request of this side.
 *
 * @param params creates the parameters with the given progress token, null for none
 * @param timeout how long to wait without a response or progress; progress restarts it
 * @param maximum how long to wait at most, also with progress
 * @param listener receives the progress; null for none
 * @param exchange the exchange of the peer's request that this one belongs to, on which it is sent;
 *     null for none
 * @param cancellable whether the peer is notified when the caller waits no longer: not for {@code
 *     initialize}, and not for a request that becomes a task
 * @param headers headers of this request and of its cancellation alone, where it belongs to no
 *     exchange
 */
public record OutgoingRequest(
        String method,
        Parameters params,
        Duration timeout,
        Duration maximum,
        @Nullable ProgressListener listener,
        @Nullable Exchange exchange,
        boolean cancellable,
        Map<String, String> headers) {

    /** The methods that may take long. */
    private static final Set<String> SLOW =
            Stream.of(
                            Methods.CALL_TOOL,
                            Methods.READ_RESOURCE,
                            Methods.GET_PROMPT,
                            Methods.COMPLETE,
                            Methods.CREATE_MESSAGE,
                            Methods.ELICIT)
                    .map(Method::name)
                    .collect(Collectors.toUnmodifiableSet());

    public OutgoingRequest {
        Objects.requireNonNull(method, "method");
        headers = Map.copyOf(headers);
        Checks.limits(timeout, maximum);
        timeout = Checks.bounded(timeout);
        maximum = Checks.bounded(maximum);
    }

    /** Creates a request that is cancelled at the peer unless it is {@code initialize}. */
    public OutgoingRequest(
            String method,
            Parameters params,
            Duration timeout,
            Duration maximum,
            @Nullable ProgressListener listener,
            @Nullable Exchange exchange) {
        this(
                method,
                params,
                timeout,
                maximum,
                listener,
                exchange,
                !method.equals("initialize"),
                Map.of());
    }

    /** Creates a request without headers of its own. */
    public OutgoingRequest(
            String method,
            Parameters params,
            Duration timeout,
            Duration maximum,
            @Nullable ProgressListener listener,
            @Nullable Exchange exchange,
            boolean cancellable) {
        this(method, params, timeout, maximum, listener, exchange, cancellable, Map.of());
    }

    /** Returns the request with these headers. */
    public OutgoingRequest withHeaders(Map<String, String> own) {
        return new OutgoingRequest(
                method, params, timeout, maximum, listener, exchange, cancellable, own);
    }

    /** Returns the request with a limit on its wait. */
    public OutgoingRequest within(Duration limit) {
        if (limit.compareTo(maximum) >= 0) {
            return this;
        }
        Duration idle = limit.compareTo(timeout) < 0 ? limit : timeout;
        return new OutgoingRequest(
                method, params, idle, limit, listener, exchange, cancellable, headers);
    }

    /**
     * Returns whether the peer is asked for progress: for a listener, or because each report
     * extends the wait for a slow method. Endless reports of a peer have no effect, since the
     * maximum holds.
     */
    boolean asksForProgress() {
        return listener != null || (timeout.compareTo(maximum) < 0 && SLOW.contains(method));
    }

    /** Creates the parameters of a request. */
    @FunctionalInterface
    public interface Parameters {
        @Nullable RawJson with(@Nullable ProgressToken token);
    }
}
