package dev.fairlead.protocol;

/**
 * Reports that another server process has {@linkplain EventStore#takeOver taken over} the stream:
 * the event was not added, and this process adds no more to it. A retry fails again.
 */
public final class StreamTakenOverException extends EventStoreException {
    private static final long serialVersionUID = 1;

    public StreamTakenOverException(String message) {
        super(message, null);
    }
}
