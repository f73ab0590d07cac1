package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

/**
 * Reports that an HTTP server refused a request with a status 4xx and without an error of JSON-RPC,
 * or answered with another type than JSON and events: nothing shows that it understood the request.
 * Not for the statuses 401, 403, 408 and 429.
 */
public final class ForeignAnswerException extends ConnectionException {
    private static final long serialVersionUID = 1;

    public ForeignAnswerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
