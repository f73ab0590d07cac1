package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

/**
 * A request was not authorized: the login failed, was cancelled or took too long, or what a server
 * said about its authorization cannot be trusted. The server has not acted on the request. The
 * message holds no token, secret or code.
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
