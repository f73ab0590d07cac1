package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;
import dev.fairlead.server.requests.Rounds;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/** What a plain call has recorded, as long as it lasts, over all its rounds. Thread-safe. */
final class CallRecord {
    private final String base;
    private final Map<String, RawJson> values = new ConcurrentHashMap<>();

    CallRecord() {
        this(UUID.randomUUID().toString());
    }

    private CallRecord(String base) {
        this.base = base;
    }

    /** Continues with what earlier rounds recorded. */
    static CallRecord of(Rounds rounds) {
        CallRecord record =
                new CallRecord(rounds.base().orElseGet(() -> UUID.randomUUID().toString()));
        record.values.putAll(rounds.once());
        return record;
    }

    /** Returns the base of the idempotency keys. */
    String base() {
        return base;
    }

    /** Returns all values. */
    Map<String, RawJson> values() {
        return Map.copyOf(values);
    }

    /** The value under a key, computed unless there is one. */
    RawJson once(String key, Callable<RawJson> compute) throws Exception {
        RawJson known = values.get(key);
        if (known != null) {
            return known;
        }
        RawJson computed = compute.call();
        RawJson before = values.putIfAbsent(key, computed);
        return before == null ? computed : before;
    }

    /** Unique, and the same each time for the same key. */
    String idempotencyKey(String key) {
        return HandlerCall.idempotencyKey(base, key);
    }
}
