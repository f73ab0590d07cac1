package dev.fairlead.server;

import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.KeyedRateLimiter;
import dev.fairlead.protocol.engine.LogText;
import dev.fairlead.protocol.options.Checks;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Limits how often methods may be called: each session, and each caller that authorization knows,
 * has an allowance that refills steadily. What exceeds it is refused with {@code -32000}. Over HTTP
 * without sessions and authorization calls are counted by the address of the client, of IPv6 its
 * first 64 bits; behind a trusted proxy by the address that the proxy reports.
 *
 * <p>Immutable settings, thread-safe counting. A server allows 1,000 calls a second, 10,000 at
 * once, unless told otherwise.
 */
public final class RateLimit implements Interceptor {
    /** The key of calls that reach no server. */
    private static final Object ELSEWHERE = "elsewhere";

    private final int calls;
    private final Duration per;
    private final int burst;
    private final Set<String> methods;
    private final LongSupplier nanos;
    private final KeyedRateLimiter allowances;

    private RateLimit(int calls, Duration per, int burst, Set<String> methods, LongSupplier nanos) {
        this.calls = calls;
        this.per = per;
        this.burst = burst;
        this.methods = Set.copyOf(methods);
        this.nanos = nanos;
        this.allowances = new KeyedRateLimiter(calls, per, burst, nanos);
    }

    /**
     * A limit for {@code tools/call} and {@code completion/complete}.
     *
     * @param calls how many calls may be made, steadily
     * @param per in how much time; so many may also come at once, unless {@link #burst} says
     *     otherwise
     */
    public static RateLimit of(int calls, Duration per) {
        return new RateLimit(
                Checks.positive(calls, "calls"),
                Checks.positive(per, "per"),
                calls,
                Set.of("tools/call", "completion/complete"),
                System::nanoTime);
    }

    /** 1,000 calls a second, 10,000 at once, of tools and completion. */
    static RateLimit standard() {
        return of(1_000, Duration.ofSeconds(1)).burst(10_000);
    }

    /** Changes how many calls may come at once. */
    public RateLimit burst(int atOnce) {
        return new RateLimit(calls, per, Checks.positive(atOnce, "atOnce"), methods, nanos);
    }

    /** Changes what is limited. */
    public RateLimit methods(String... names) {
        return new RateLimit(calls, per, burst, Set.of(names), nanos);
    }

    /** For tests: another clock. */
    RateLimit clock(LongSupplier source) {
        return new RateLimit(calls, per, burst, methods, source);
    }

    /** The limit in a few words, such as {@code 1000 per 1 s, 10000 at once}. */
    @Override
    public String toString() {
        return calls + " per " + LogText.duration(per) + ", " + burst + " at once";
    }

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        if (method.isInbound()) {
            check(method.name(), key(method));
        }
        return next.proceed(method);
    }

    /** Where a call of an anonymous caller comes from. */
    interface Source {
        /** Returns the key under which such calls are counted. */
        Object key();
    }

    private static Object key(MethodCall method) {
        if (!method.caller().isAnonymous()) {
            return method.caller();
        }
        return method instanceof InterceptedCall call && call.context() instanceof Source source
                ? source.key()
                : ELSEWHERE;
    }

    void check(String method, Object key) {
        if (methods.contains(method) && !allowances.take(key)) {
            throw RetryableError.exception(
                    McpErrorCode.LIMIT_EXCEEDED,
                    "Too many calls, at most " + calls + " in " + per + " are allowed");
        }
    }

    /** How many allowances are kept. */
    int keys() {
        return allowances.size();
    }

    /** A session has ended. */
    void forget(Object key) {
        allowances.forget(key);
    }
}
