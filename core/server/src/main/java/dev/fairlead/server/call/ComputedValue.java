package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.Callable;

/** The value of a call that the current thread computes, so that it is recorded under a key. */
public record ComputedValue(Object call, String key) {
    private static final ThreadLocal<ComputedValue> CURRENT = new ThreadLocal<>();

    /** Computes a value; values of other keys may be computed inside. */
    static RawJson compute(Object call, String key, Callable<RawJson> compute) throws Exception {
        ComputedValue around = CURRENT.get();
        CURRENT.set(new ComputedValue(call, key));
        try {
            return compute.call();
        } finally {
            if (around == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(around);
            }
        }
    }

    /**
     * Returns the key of the value that the current thread computes for a call.
     *
     * @throws IllegalStateException if it computes none
     */
    static String key(Object call) {
        ComputedValue current = CURRENT.get();
        if (current == null || current.call() != call) {
            throw new IllegalStateException(
                    "an idempotency key belongs to a once(…) that runs on this thread");
        }
        return current.key();
    }

    /** Returns the same text in every round and run of a call that has the same base. */
    public static String idempotencyKey(String base, String key) {
        return UUID.nameUUIDFromBytes((base + key).getBytes(StandardCharsets.UTF_8)).toString();
    }
}
