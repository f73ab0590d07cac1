package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keeps the values of texts that peers repeat in each of their messages, so that they are read
 * once. A fixed number of short texts is kept, of which a new one replaces that in its slot.
 * Thread-safe; one of two threads that keep something at the same moment wins.
 *
 * @param <T> the type of the values, which must be immutable
 */
public final class RepeatedTexts<T> {
    /** The most bytes of a text that is kept. */
    public static final int LONGEST = 1 << 10;

    private static final int SLOTS = 64;

    private final AtomicReferenceArray<@Nullable Kept<T>> slots = new AtomicReferenceArray<>(SLOTS);

    private record Kept<T>(RawJson text, T value) {}

    /** Returns the value of this text; null if it is not kept. */
    public @Nullable T find(RawJson text) {
        if (text.size() > LONGEST) {
            return null;
        }
        Kept<T> kept = slots.get(slot(text));
        return kept != null && kept.text.equals(text) ? kept.value : null;
    }

    /** Keeps the value of this text, unless it is too long. */
    public void keep(RawJson text, T value) {
        if (text.size() <= LONGEST) {
            RawJson kept = text.detached();
            slots.set(slot(kept), new Kept<>(kept, value));
        }
    }

    private static int slot(RawJson text) {
        return text.hashCode() & SLOTS - 1;
    }
}
