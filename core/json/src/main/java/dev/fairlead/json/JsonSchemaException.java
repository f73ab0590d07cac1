package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

/**
 * A schema cannot be used: it names a dialect that is not supported, is not a valid schema of its
 * dialect, refers to another document, or exceeds a limit. Also a value whose check exceeds one, by
 * {@link JsonSchema#validateWithinLimits}. The message says which.
 */
public final class JsonSchemaException extends RuntimeException {
    private static final long serialVersionUID = 1;

    JsonSchemaException(String message) {
        super(message);
    }

    JsonSchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
