package dev.fairlead.server.call;

import dev.fairlead.json.RawJson;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/** What a plain call has recorded, as long as it lasts. Thread-safe. */
final class CallRecord {
    private final String base = UUID.randomUUID().toString();
    private final Map<String, RawJson> values = new ConcurrentHashMap<>();

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
        return UUID.nameUUIDFromBytes((base + key).getBytes(StandardCharsets.UTF_8)).toString();
    }
}
