package dev.fairlead.client.link;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.options.CopyOnChange;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * How to send a request. Changed only on a copy, see {@link #with}; each copy is for one purpose,
 * and its parts are read by several threads.
 */
public final class CallOptions extends CopyOnChange<CallOptions> {
    /** The longest wait without a sign of life. */
    public Duration timeout;

    /** The longest wait in all. */
    public Duration maximum;

    /** Receives progress; null for none. */
    public @Nullable ProgressListener listener;

    /** The wait for pages that must be visited first; null for none. */
    public @Nullable Duration urlElicitation;

    /** Headers of the HTTP requests of this request alone. */
    public Map<String, String> headers = Map.of();

    /** Counts the bytes of the result as those of a page; null where it is none. */
    public @Nullable ListBytes list;

    /** Receives the number of each round that begins, from 1. */
    public IntConsumer round = number -> {};

    /** The use of results that the server allows to keep. */
    public ResponseCache.Use cache = ResponseCache.Use.NORMAL;

    private @Nullable OngoingCall call;

    /** The maximum is at least the timeout. */
    public CallOptions(Duration timeout, Duration maximum) {
        this.timeout = timeout;
        this.maximum = maximum.compareTo(timeout) < 0 ? timeout : maximum;
    }

    /** Returns a copy with other limits. */
    public CallOptions withTimeout(Duration idle, Duration max) {
        Checks.limits(idle, max);
        return with(
                copy -> {
                    copy.timeout = idle;
                    copy.maximum = max;
                });
    }

    /** Returns the options of a call that begins now, if it has not begun yet. */
    public CallOptions begun(Timers timers) {
        return call != null
                ? this
                : with(
                        copy -> {
                            copy.listener = listener == null ? null : new RisingProgress(listener);
                            copy.call = new OngoingCall(maximum, timers);
                        });
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
        CallOptions other = new CallOptions(timeout, maximum);
        other.headers = headers;
        other.call = call == null ? null : call.inBetween();
        return other;
    }
}
