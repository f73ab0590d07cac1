package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

/**
 * A text is not JSON, or is JSON beyond the limits of this library. The message contains the error
 * and its place.
 */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** An exception with this message. */
    public JsonException(String message) {
        super(message);
    }

    JsonException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
