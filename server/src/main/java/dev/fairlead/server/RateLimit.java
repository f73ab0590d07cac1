package dev.fairlead.server;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.McpErrorCode;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits how often methods may be called: each session, and each caller that authorization knows,
 * has an allowance that refills steadily. What exceeds it is refused with {@code -32000} (TOOL-023,
 * COMP-009). Callers of whom neither is known, as over HTTP without sessions and authorization,
 * share one allowance.
 *
 * <p>Immutable settings, thread-safe counting. A server allows 1,000 calls a second, 10,000 at
 * once, unless told otherwise.
 */
public final class RateLimit implements Interceptor {
    /** At most so many allowances are kept; those that are full again are forgotten first. */
    static final int MAX_KEYS = 10_000;

    /** Whom calls are counted for that come from nobody in particular. */
    static final Object ANYBODY = "anybody";

    private final int calls;
    private final Duration per;
    private final int burst;
    private final Set<String> methods;
    private final long interval;
    private final LongSupplier nanos;

    /** For each caller the moment at which its allowance is full again, in nanoseconds. */
    private final Map<Object, AtomicLong> full = new ConcurrentHashMap<>();

    private RateLimit(int calls, Duration per, int burst, Set<String> methods, LongSupplier nanos) {
        this.calls = calls;
        this.per = per;
        this.burst = burst;
        this.methods = Set.copyOf(methods);
        this.interval = Math.max(1, per.toNanos() / calls);
        this.nanos = nanos;
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

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        if (method.isInbound()) {
            check(method.name(), key(method));
        }
        return next.proceed(method);
    }

    private static Object key(MethodCall method) {
        if (!method.caller().isAnonymous()) {
            return method.caller();
        }
        return method instanceof InboundMethod inbound ? inbound.sessionKey() : ANYBODY;
    }

    void check(String method, Object key) {
        if (methods.contains(method) && !take(key)) {
            throw new JsonRpcException(
                    McpErrorCode.LIMIT_EXCEEDED,
                    "Too many calls, at most " + calls + " in " + per + " are allowed");
        }
    }

    private boolean take(Object key) {
        AtomicLong allowance = full.get(key);
        long now = nanos.getAsLong();
        if (allowance == null) {
            makeRoom(now);
            allowance = full.computeIfAbsent(key, k -> new AtomicLong(now));
        }
        while (true) {
            long before = allowance.get();
            long after = (before - now < 0 ? now : before) + interval;
            if (after - now > interval * burst) {
                return false;
            }
            if (allowance.compareAndSet(before, after)) {
                return true;
            }
        }
    }

    /** Forgets who has a full allowance anyway, and if that is nobody, anybody. */
    private void makeRoom(long now) {
        if (full.size() >= MAX_KEYS) {
            full.values().removeIf(other -> other.get() - now <= 0);
        }
        if (full.size() >= MAX_KEYS) {
            full.keySet().stream().findAny().ifPresent(full::remove);
        }
    }

    /** How many allowances are kept. */
    int keys() {
        return full.size();
    }

    /** A session has ended. */
    void forget(Object key) {
        full.remove(key);
    }
}
