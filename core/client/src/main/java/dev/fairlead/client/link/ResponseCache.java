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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The results that a server allows this client to keep, for as long as it allows and at most a day.
 * Each client has its own, and each set of headers of single requests, so that a private result is
 * never given to another caller. Beyond the limit of bytes the result that was not used for longest
 * goes. The lock guards the entries.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching Caching
 */
public final class ResponseCache {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** The size of an entry beside its JSON. */
    private static final int OVERHEAD = 256;

    private final long maxBytes;
    private final Timers timers;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** Counts the dropped entries; changed under the lock, and read without. */
    private final AtomicLong version = new AtomicLong();

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

    private static <P extends RequestParams> Optional<Key> key(
            Method<P, ?> method, P params, Map<String, String> headers) {
        if (!CacheableResult.class.isAssignableFrom(method.result())) {
            return Optional.empty();
        }
        String json = NeutralForm.writeParams(method, params).value().toJson();
        return Optional.of(new Key(method.name(), json, headers));
    }

    /** Returns a mark of now, for {@link #keep}. */
    public long version() {
        return version.get();
    }

    /** Returns a result that is kept and still good. */
    public <P extends RequestParams, R extends Result> Optional<R> find(
            Method<P, R> method, P params, Map<String, String> headers) {
        Optional<Key> key = key(method, params, headers);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        lock.lock();
        try {
            Entry entry = entries.get(key.get());
            if (entry == null) {
                return Optional.empty();
            }
            if (!timers.clock().instant().isBefore(entry.end())) {
                entries.remove(key.get());
                drop(entry);
                return Optional.empty();
            }
            return Optional.of(method.result().cast(entry.result()));
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a result of a method is kept that is still good. */
    public boolean keeps(String method) {
        Instant now = timers.clock().instant();
        lock.lock();
        try {
            return entries.entrySet().stream()
                    .anyMatch(
                            entry ->
                                    entry.getKey().method().equals(method)
                                            && now.isBefore(entry.getValue().end()));
        } finally {
            lock.unlock();
        }
    }

    private static long size(Key key) {
        long chars = key.params().length();
        for (Map.Entry<String, String> header : key.headers().entrySet()) {
            chars += header.getKey().length() + header.getValue().length();
        }
        return OVERHEAD + 2 * chars;
    }

    private void drop(Entry entry) {
        bytes -= entry.size();
    }

    private boolean isEmpty() {
        lock.lock();
        try {
            return entries.isEmpty();
        } finally {
            lock.unlock();
        }
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
        Optional<Key> key = ttl == 0 && isEmpty() ? Optional.empty() : key(method, params, headers);
        if (key.isEmpty()) {
            return;
        }
        long size = size(key.get()) + json.size();
        Instant end = timers.clock().instant().plusMillis(ttl);
        lock.lock();
        try {
            if (askedAt != version.get()) {
                return;
            }
            Entry before = entries.remove(key.get());
            if (before != null) {
                drop(before);
            }
            if (ttl == 0 || size > maxBytes) {
                return;
            }
            entries.put(key.get(), new Entry(result, size, end));
            bytes += size;
            Iterator<Entry> oldest = entries.values().iterator();
            while (bytes > maxBytes) {
                drop(oldest.next());
                oldest.remove();
            }
        } finally {
            lock.unlock();
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

    private void removeIf(Predicate<Key> changed) {
        lock.lock();
        try {
            version.incrementAndGet();
            entries.entrySet()
                    .removeIf(
                            entry -> {
                                boolean old = changed.test(entry.getKey());
                                if (old) {
                                    drop(entry.getValue());
                                }
                                return old;
                            });
        } finally {
            lock.unlock();
        }
    }
}
