package dev.fairlead.jsonrpc;

/** The peer did not answer in time. It was sent a cancellation of the request. */
public final class RequestTimeoutException extends CallException {
    private static final long serialVersionUID = 1;

    public RequestTimeoutException(String message) {
        super(message, null);
    }
}
