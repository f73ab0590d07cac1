package dev.fairlead.jsonrpc;

/** The peer did not answer in time. It was told that the request is cancelled. */
public final class RequestTimeoutException extends CallException {
    private static final long serialVersionUID = 1;

    public RequestTimeoutException(String message) {
        super(message, null);
    }
}
