package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;
import dev.fairlead.server.requests.Rounds;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The values that a plain call has recorded, over all its rounds. Thread-safe. */
final class CallRecord {
    private final String base;
    private final Map<String, RawJson> values = new ConcurrentHashMap<>();
    private volatile ValueLocks locks = new ValueLocks();

    private final Function<String, IllegalStateException> ended;

    /**
     * Continues with the values of earlier rounds.
     *
     * @param rounds of the request; null where there are none
     * @param ended makes the failure of an action after the end
     */
    CallRecord(@Nullable Rounds rounds, Function<String, IllegalStateException> ended) {
        this.ended = ended;
        String earlier = rounds == null ? null : rounds.base();
        this.base = earlier == null ? UUID.randomUUID().toString() : earlier;
        if (rounds != null) {
            values.putAll(rounds.once());
        }
    }

    /** Returns the base of the idempotency keys. */
    String base() {
        return base;
    }

    /** Returns all values, once each that is being computed is there; no other follows. */
    Map<String, RawJson> close() {
        locks.close();
        return new HashMap<>(values);
    }

    /** Has values computed again. */
    void reopen() {
        locks = new ValueLocks();
    }

    /**
     * Returns the value under a key, computed unless there is one.
     *
     * @throws IllegalStateException if the record is closed
     */
    RawJson once(String key, Callable<RawJson> compute) throws Exception {
        ValueLocks open = locks;
        return open.alone(
                key,
                () -> {
                    RawJson known = values.get(key);
                    if (known != null) {
                        return known;
                    }
                    if (open.isClosed()) {
                        throw ended.apply("record " + key);
                    }
                    RawJson computed = compute.call();
                    RawJson inside = values.putIfAbsent(key, computed);
                    return inside == null ? computed : inside;
                });
    }
}
