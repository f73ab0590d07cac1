package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

/**
 * Reports that the peer answered with a result that does not fit the method. The message names the
 * violation.
 */
public final class InvalidResultException extends CallException {
    private static final long serialVersionUID = 1;

    public InvalidResultException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
