package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.ConnectionException;

/** The server no longer knows the session, so it did not process the request. */
public final class SessionExpiredException extends ConnectionException {
    private static final long serialVersionUID = 1;

    public SessionExpiredException(String message) {
        super(message);
    }
}
