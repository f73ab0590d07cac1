package dev.fairlead.server.call;

import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.KeyedRateLimiter;
import dev.fairlead.protocol.engine.LogText;
import dev.fairlead.protocol.time.Durations;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Counts calls, and refuses those that exceed the allowance of their key. Thread-safe. */
public final class CallRateLimiter implements Interceptor {
    /** The key of calls that reach no server. */
    private static final Object ELSEWHERE = "elsewhere";

    private final int calls;
    private final Duration per;
    private final int burst;
    private final Set<String> methods;
    private final KeyedRateLimiter allowances;

    public CallRateLimiter(
            int calls, Duration per, int burst, Set<String> methods, LongSupplier nanos) {
        this.calls = calls;
        this.per = per;
        this.burst = burst;
        this.methods = Set.copyOf(methods);
        this.allowances = new KeyedRateLimiter(calls, per, burst, nanos);
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

    private static Object key(MethodCall method) {
        Caller caller = method.caller();
        if (!caller.isAnonymous()) { // as CallScope.callerKey: a token may have any scopes
            return List.of(caller.issuer(), caller.subject());
        }
        Object key = method instanceof InterceptedCall call ? call.context().connectionKey() : null;
        return key == null ? ELSEWHERE : key;
    }

    public void check(String method, Object key) {
        if (methods.contains(method) && !allowances.take(key)) {
            throw RetryableError.exception(
                    McpErrorCode.LIMIT_EXCEEDED,
                    "Too many calls, at most "
                            + calls
                            + " in "
                            + Durations.text(per)
                            + " are allowed",
                    allowances.delay(key));
        }
    }

    /** How many allowances are kept. */
    public int keys() {
        return allowances.size();
    }

    /** A session has ended. */
    public void forget(Object key) {
        allowances.forget(key);
    }
}
