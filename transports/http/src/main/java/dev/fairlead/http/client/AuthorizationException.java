package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request was not authorized: the login failed, was cancelled or timed out, or the
 * authorization metadata of a server cannot be trusted. The server has not processed the request.
 * The message contains no token, secret or code.
 */
public class AuthorizationException extends ConnectionException {
    private static final long serialVersionUID = 1;

    public AuthorizationException(String message) {
        super(message);
    }

    public AuthorizationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
