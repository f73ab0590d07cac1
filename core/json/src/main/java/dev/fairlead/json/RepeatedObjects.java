package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The texts that are kept by {@link RepeatedTexts} and are objects, which a reader need not pass
 * over byte by byte where they stand again as {@code _meta}. A fixed number is kept, of which a new
 * one replaces that in its slot. Thread-safe.
 */
final class RepeatedObjects {
    /** An object has a slot by its first bytes: so many if it is so long, else half of them. */
    private static final int START = 128;

    private static final int SLOTS = 64;

    private static final AtomicReferenceArray<@Nullable Kept> KEPT =
            new AtomicReferenceArray<>(SLOTS);

    /**
     * An object that is kept.
     *
     * @param values how many it has, itself included
     */
    record Kept(RawJson text, int values) {}

    private RepeatedObjects() {}

    /** Keeps an object that was read and has an array of its own, unless it is short. */
    static void keep(RawJson object) {
        if (object.size() < START / 2) {
            return;
        }
        try (JsonReader reader = new JsonReader(object.array())) { // which passes over each value
            reader.skip();
            int start = object.size() < START ? START / 2 : START;
            KEPT.set(slot(object.array(), 0, start), new Kept(object, reader.values()));
        }
    }

    /** Returns the object that stands at an index; null if it is none of those that are kept. */
    static @Nullable Kept at(byte[] bytes, int from, int end) {
        for (int start = START / 2; start <= START && from + start <= end; start += START / 2) {
            Kept kept = KEPT.get(slot(bytes, from, start));
            if (kept != null && kept.text.isAt(from, bytes, end)) {
                return kept;
            }
        }
        return null;
    }

    private static int slot(byte[] bytes, int from, int length) {
        return MemberNames.slot(bytes, from, from + length) & SLOTS - 1;
    }
}
