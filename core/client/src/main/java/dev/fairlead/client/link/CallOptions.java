package dev.fairlead.client.link;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * How to send a request.
 *
 * @param timeout how long to wait without a sign of life
 * @param maximum how long to wait in all
 * @param listener receives progress; null for none
 * @param urlElicitation how long to wait for pages that must be visited first; null for not at all
 * @param headers of the HTTP requests of this request alone
 * @param list counts the bytes of the result as those of a page; null where it is none
 * @param round is given the number of each round that begins, from 1
 * @param cache how results are used that the server allows to keep
 * @param call that these options are of; null where it has not begun
 */
public record CallOptions(
        Duration timeout,
        Duration maximum,
        @Nullable ProgressListener listener,
        @Nullable Duration urlElicitation,
        Map<String, String> headers,
        @Nullable ListBytes list,
        IntConsumer round,
        ResponseCache.Use cache,
        @Nullable OngoingCall call) {
    private static final IntConsumer UNCOUNTED = number -> {};

    public CallOptions {
        Checks.limits(timeout, maximum);
    }

    public CallOptions(Duration timeout, Duration maximum) {
        this(
                timeout,
                maximum.compareTo(timeout) < 0 ? timeout : maximum,
                null,
                null,
                Map.of(),
                null,
                UNCOUNTED,
                ResponseCache.Use.NORMAL,
                null);
    }

    // ---- one call

    /** Returns the options of a call that begins now, if it has not begun yet. */
    public CallOptions begun(Timers timers) {
        return call != null
                ? this
                : new CallOptions(
                        timeout,
                        maximum,
                        listener == null ? null : new RisingProgress(listener),
                        urlElicitation,
                        headers,
                        list,
                        round,
                        cache,
                        new OngoingCall(maximum, timers));
    }

    /** Returns the call, which must have begun. */
    public OngoingCall ongoing() {
        return Objects.requireNonNull(call, "the call has not begun");
    }

    /** The request is sent again: its progress may begin again, too. */
    public void repeated() {
        if (listener instanceof RisingProgress rising) {
            rising.nextRound();
        }
    }

    /** Counts the bytes of a result, if it is a page of a list. */
    public void count(RawJson result) {
        if (list != null) {
            list.add(result);
        }
    }

    /** Returns the options of another request that a call needs, and that counts as its part. */
    public CallOptions inBetween() {
        return new CallOptions(
                timeout,
                maximum,
                null,
                null,
                headers,
                null,
                UNCOUNTED,
                ResponseCache.Use.NORMAL,
                call == null ? null : call.inBetween());
    }

    // ---- copies

    public CallOptions withTimeout(Duration idle) {
        return withTimeout(idle, maximum.compareTo(idle) < 0 ? idle : maximum);
    }

    public CallOptions withTimeout(Duration idle, Duration max) {
        return new CallOptions(
                idle, max, listener, urlElicitation, headers, list, round, cache, call);
    }

    public CallOptions withListener(ProgressListener progress) {
        return new CallOptions(
                timeout, maximum, progress, urlElicitation, headers, list, round, cache, call);
    }

    public CallOptions withUrlElicitation(Duration wait) {
        return new CallOptions(timeout, maximum, listener, wait, headers, list, round, cache, call);
    }

    public CallOptions withList(ListBytes counted) {
        return new CallOptions(
                timeout, maximum, listener, urlElicitation, headers, counted, round, cache, call);
    }

    public CallOptions withHeaders(Map<String, String> own) {
        return new CallOptions(
                timeout, maximum, listener, urlElicitation, own, list, round, cache, call);
    }

    public CallOptions withCache(ResponseCache.Use use) {
        return new CallOptions(
                timeout, maximum, listener, urlElicitation, headers, list, round, use, call);
    }

    public CallOptions withRound(IntConsumer counter) {
        return new CallOptions(
                timeout, maximum, listener, urlElicitation, headers, list, counter, cache, call);
    }
}
