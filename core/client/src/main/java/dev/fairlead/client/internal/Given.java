package dev.fairlead.client.internal;

import org.jspecify.annotations.Nullable;

/** Checks the results of the handlers of a client. */
public final class Given {
    private Given() {}

    /**
     * Returns the result of a handler.
     *
     * @param handler names it in the message
     * @throws NullPointerException if the result is null, which no handler may return
     */
    public static <T> T by(String handler, @Nullable T value) {
        if (value == null) {
            throw new NullPointerException(handler + " returned null");
        }
        return value;
    }
}
