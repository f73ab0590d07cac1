package dev.fairlead.protocol.versioning;

import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What clients said of themselves lately, by its text: a client says the same with each request, so
 * that it is read once. A fixed number of short texts is kept, of which a new one replaces that in
 * its slot. Thread-safe; one of two threads that keep something at the same moment wins.
 */
final class RepeatedMeta {
    /** The most bytes of a text that is kept. */
    static final int LONGEST = 1 << 10;

    private static final int SLOTS = 64;

    private static final AtomicReferenceArray<Kept> KEPT = new AtomicReferenceArray<>(SLOTS);

    private RepeatedMeta() {}

    private record Kept(RawJson text, RequestMeta meta) {}

    /** Returns what this text was read as; null if it is not kept. */
    static @Nullable RequestMeta find(RawJson text) {
        if (text.size() > LONGEST) {
            return null;
        }
        Kept kept = KEPT.get(slot(text));
        return kept != null && kept.text.equals(text) ? kept.meta : null;
    }

    /** Keeps what this text was read as, if the client may repeat it, and returns it. */
    static RequestMeta keep(RawJson text, RequestMeta meta) {
        if (text.size() <= LONGEST && meta.isOfTheClient()) {
            KEPT.set(slot(text), new Kept(text.detached(), meta));
        }
        return meta;
    }

    private static int slot(RawJson text) {
        return text.hashCode() & SLOTS - 1;
    }
}
