package dev.fairlead.spring.boot.starter;

import org.jspecify.annotations.Nullable;

/** A property whose value cannot be used, or that is missing; the message names it. */
final class InvalidPropertyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    InvalidPropertyException(String message) {
        this(message, null);
    }

    InvalidPropertyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
