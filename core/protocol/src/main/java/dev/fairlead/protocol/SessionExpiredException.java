package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.ConnectionException;

/**
 * The server no longer knows the session. It did not process the request, unless {@link
 * #mayHaveRun}.
 */
public final class SessionExpiredException extends ConnectionException {
    private static final long serialVersionUID = 1;

    private final boolean mayHaveRun;

    /**
     * Creates an exception for a session that the server did not find, so that it did not process
     * the request.
     */
    public SessionExpiredException(String message) {
        this(message, false);
    }

    private SessionExpiredException(String message, boolean mayHaveRun) {
        super(message);
        this.mayHaveRun = mayHaveRun;
    }

    /**
     * Creates an exception for a session whose loss the server reported as the outcome of the
     * request.
     */
    public static SessionExpiredException afterRequest(String message) {
        return new SessionExpiredException(message, true);
    }

    /**
     * Returns whether the server may have processed the request all the same, so that it is not
     * sent again unless it only reads.
     */
    public boolean mayHaveRun() {
        return mayHaveRun;
    }
}
