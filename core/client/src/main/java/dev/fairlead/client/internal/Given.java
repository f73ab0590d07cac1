package dev.fairlead.client.internal;

import org.jspecify.annotations.Nullable;

/** What the handlers of a client return. */
public final class Given {
    private Given() {}

    /**
     * Returns what a handler returned.
     *
     * @param handler names it in the message
     * @throws NullPointerException if that is null, which no handler may return
     */
    public static <T> T by(String handler, @Nullable T value) {
        if (value == null) {
            throw new NullPointerException(handler + " returned null");
        }
        return value;
    }
}
