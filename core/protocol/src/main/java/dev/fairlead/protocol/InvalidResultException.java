package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

/**
 * The peer answered, but not with what the method gives. The message says what is wrong with it.
 */
public final class InvalidResultException extends CallException {
    private static final long serialVersionUID = 1;

    public InvalidResultException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
