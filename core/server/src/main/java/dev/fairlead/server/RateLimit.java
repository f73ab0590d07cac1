package dev.fairlead.server;

import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.server.call.CallRateLimiter;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Limits how often methods may be called: each session, and each authenticated caller, has an
 * allowance that refills steadily. Calls beyond it are refused with {@code -32000}. Over HTTP
 * without sessions and authorization calls are counted by the address of the client, of IPv6 its
 * first 64 bits; behind a trusted proxy by the address that the proxy reports. The error contains
 * the time until the next call is allowed, as {@code data.retryAfterMs}.
 *
 * <p>Immutable settings, thread-safe counting. A server allows 1,000 calls a second, 10,000 at
 * once, unless other limits are set; by default it does not count anonymous callers without a
 * session on the loopback interface.
 */
public final class RateLimit implements Interceptor {
    private final int calls;
    private final Duration per;
    private final int burst;
    private final Set<String> methods;
    private final LongSupplier nanos;
    private final CallRateLimiter limiter;

    private RateLimit(int calls, Duration per, int burst, Set<String> methods, LongSupplier nanos) {
        this.calls = calls;
        this.per = per;
        this.burst = burst;
        this.methods = Set.copyOf(methods);
        this.nanos = nanos;
        this.limiter = new CallRateLimiter(calls, per, burst, methods, nanos);
    }

    /**
     * A limit for {@code tools/call} and {@code completion/complete}.
     *
     * @param calls how many calls may be made, steadily
     * @param per in how much time; so many may also come at once, unless {@link #burst} sets
     *     another number
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

    /** Limits these methods instead of the default ones. */
    public RateLimit methods(String... names) {
        return new RateLimit(calls, per, burst, Set.of(names), nanos);
    }

    /** Returns a copy with another clock, for tests. */
    RateLimit clock(LongSupplier source) {
        return new RateLimit(calls, per, burst, methods, source);
    }

    /** Returns the counter of the calls, which all servers with this limit share. */
    CallRateLimiter limiter() {
        return limiter;
    }

    /** The limit in a few words, such as {@code 1000 per 1 s, 10000 at once}. */
    @Override
    public String toString() {
        return limiter.toString();
    }

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        return limiter.intercept(method, next);
    }
}
