package dev.fairlead.jsonrpc;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A call gave no result: it was refused, not answered in time, cancelled, or the connection was
 * lost.
 */
public abstract class CallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    protected CallException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** What happened; never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
