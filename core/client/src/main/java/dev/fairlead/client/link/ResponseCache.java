package dev.fairlead.client.link;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.caching.CacheableResult;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.resources.ResourceUpdatedNotification;
import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The results that a server allows this client to keep, for as long as it allows and at most a day.
 * Each client has its own, and each set of headers of single requests, so that a private result is
 * never given to another caller. Beyond the limit of bytes the result that was not used for longest
 * goes. The monitor guards the entries.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching Caching
 */
public final class ResponseCache {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** The size of an entry beside its JSON. */
    private static final int OVERHEAD = 256;

    private final long maxBytes;
    private final Timers timers;

    // guarded by this
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** Counts the drops of entries; changed under the monitor, and read without. */
    private volatile long version;

    /**
     * The request of an entry.
     *
     * @param headers of the request alone, which may say for whom
     */
    private record Key(String method, String params, Map<String, String> headers) {}

    private record Entry(Result result, long size, Instant end) {}

    /** The use of kept results by a request. */
    public enum Use {
        /** A kept result is taken, and a new one kept. */
        NORMAL,
        /** The server is asked, and its result kept. */
        FRESH,
        /** The server is asked, and nothing is kept. */
        NONE
    }

    public ResponseCache(long maxBytes, Timers timers) {
        this.maxBytes = maxBytes;
        this.timers = timers;
    }

    private static <P extends RequestParams> Key key(
            Method<P, ?> method, P params, Map<String, String> headers) {
        String json = NeutralForm.writeParams(method, params).value().toJson();
        return new Key(method.name(), json, headers);
    }

    /** Returns a mark of now, for {@link #keep}. */
    public long version() {
        return version;
    }

    /** Returns a result that is kept and still good. */
    public <P extends RequestParams, R extends Result> Optional<R> find(
            Method<P, R> method, P params, Map<String, String> headers) {
        return CacheableResult.class.isAssignableFrom(method.result())
                ? find(key(method, params, headers)).map(method.result()::cast)
                : Optional.empty();
    }

    private synchronized Optional<Result> find(Key key) {
        Entry entry = entries.get(key);
        if (entry != null && isOver(entry)) {
            remove(key);
            return Optional.empty();
        }
        return Optional.ofNullable(entry).map(Entry::result);
    }

    private boolean isOver(Entry entry) {
        return !timers.clock().instant().isBefore(entry.end());
    }

    /** Returns whether a result of a method is kept that is still good. */
    public synchronized boolean keeps(String method) {
        return entries.entrySet().stream()
                .anyMatch(
                        entry ->
                                entry.getKey().method().equals(method)
                                        && !isOver(entry.getValue()));
    }

    private static long size(Key key) {
        long chars = key.params().length();
        for (Map.Entry<String, String> header : key.headers().entrySet()) {
            chars += header.getKey().length() + header.getValue().length();
        }
        return OVERHEAD + 2 * chars;
    }

    private void remove(Key key) {
        Entry entry = entries.remove(key);
        if (entry != null) {
            bytes -= entry.size();
        }
    }

    private synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Keeps a result if its server allows that; a former result for the same request is dropped in
     * any case.
     *
     * @param askedAt the {@link #version} before the request: a change since then may have made the
     *     result old
     */
    public <P extends RequestParams, R extends Result> void keep(
            Method<P, R> method,
            P params,
            Map<String, String> headers,
            R result,
            RawJson json,
            long askedAt) {
        if (!(result instanceof CacheableResult cacheable) || maxBytes == 0) {
            return;
        }
        long ttl = Math.min(cacheable.cacheHint().ttlMs(), LONGEST.toMillis());
        if (ttl == 0 && isEmpty()) {
            return;
        }
        Key key = key(method, params, headers);
        Instant end = timers.clock().instant().plusMillis(ttl);
        keep(key, new Entry(result, size(key) + json.size(), end), ttl > 0, askedAt);
    }

    private synchronized void keep(Key key, Entry entry, boolean isAllowed, long askedAt) {
        if (askedAt != version) {
            return;
        }
        remove(key);
        if (isAllowed && entry.size() <= maxBytes) {
            entries.put(key, entry);
            bytes += entry.size();
        }
        while (bytes > maxBytes) {
            remove(entries.keySet().iterator().next());
        }
    }

    /** Drops all results of some methods, which have changed. */
    public void forget(Method<?, ?>... methods) {
        for (Method<?, ?> method : methods) {
            removeIf(key -> key.method().equals(method.name()));
        }
    }

    /** Drops the results of a resource, which has changed. */
    public void forgetResource(String uri) {
        String json = JsonObject.of("uri", uri).toJson();
        String read = Methods.READ_RESOURCE.name();
        removeIf(key -> key.method().equals(read) && mayBe(key, uri, json));
    }

    /** A resource above the one that changed may contain it. */
    private static boolean mayBe(Key key, String uri, String json) {
        return key.params().equals(json)
                || JsonValue.parse(key.params()) instanceof JsonObject params
                        && params.get("uri") instanceof JsonString read
                        && ResourceUpdatedNotification.isSameOrBelow(uri, read.value());
    }

    /** Drops everything. */
    public void clear() {
        removeIf(key -> true);
    }

    private synchronized void removeIf(Predicate<Key> changed) {
        version++;
        List.copyOf(entries.keySet()).stream().filter(changed).forEach(this::remove);
    }
}
