package dev.fairlead.jsonrpc;

import org.jspecify.annotations.Nullable;

/**
 * The connection could not be made or was lost; whether the peer acted on the last messages is
 * unknown.
 */
public class ConnectionException extends CallException {
    private static final long serialVersionUID = 1;

    public ConnectionException(String message) {
        this(message, null);
    }

    public ConnectionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
