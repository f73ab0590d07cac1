package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;
import dev.fairlead.server.requeststate.StateContent;

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
     * @param before the state of those rounds
     * @param ended makes the failure of an action after the end
     */
    CallRecord(StateContent before, Function<String, IllegalStateException> ended) {
        this.ended = ended;
        this.base = before.base().isEmpty() ? UUID.randomUUID().toString() : before.base();
        values.putAll(before.once());
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
