package dev.fairlead.client;

import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.options.Checks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
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
 */
record CallOptions(
        Duration timeout,
        Duration maximum,
        @Nullable ProgressListener listener,
        @Nullable Duration urlElicitation,
        Map<String, String> headers,
        @Nullable ListBytes list,
        IntConsumer round,
        ResponseCache.Use cache) {
    private static final IntConsumer UNCOUNTED = number -> {};

    CallOptions {
        Checks.limits(timeout, maximum);
    }

    CallOptions(Duration timeout, Duration maximum) {
        this(
                timeout,
                maximum.compareTo(timeout) < 0 ? timeout : maximum,
                null,
                null,
                Map.of(),
                null,
                UNCOUNTED,
                ResponseCache.Use.NORMAL);
    }

    CallOptions withTimeout(Duration idle) {
        return new CallOptions(
                idle,
                maximum.compareTo(idle) < 0 ? idle : maximum,
                listener,
                urlElicitation,
                headers,
                list,
                round,
                cache);
    }

    CallOptions withTimeout(Duration idle, Duration max) {
        return new CallOptions(idle, max, listener, urlElicitation, headers, list, round, cache);
    }

    CallOptions withListener(ProgressListener progress) {
        return new CallOptions(
                timeout, maximum, progress, urlElicitation, headers, list, round, cache);
    }

    CallOptions withUrlElicitation(Duration wait) {
        return new CallOptions(timeout, maximum, listener, wait, headers, list, round, cache);
    }

    CallOptions withList(ListBytes counted) {
        return new CallOptions(
                timeout, maximum, listener, urlElicitation, headers, counted, round, cache);
    }

    CallOptions withHeaders(Map<String, String> own) {
        return new CallOptions(timeout, maximum, listener, urlElicitation, own, list, round, cache);
    }

    CallOptions withCache(ResponseCache.Use use) {
        return new CallOptions(
                timeout, maximum, listener, urlElicitation, headers, list, round, use);
    }

    CallOptions withRound(IntConsumer counter) {
        return new CallOptions(
                timeout, maximum, listener, urlElicitation, headers, list, counter, cache);
    }
}
