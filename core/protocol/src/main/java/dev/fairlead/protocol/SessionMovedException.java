package dev.fairlead.protocol;

/**
 * Reports that another node owns the session now: nothing was stored, and this node stores nothing
 * more for it. A retry fails again.
 */
public final class SessionMovedException extends EventStoreException {
    private static final long serialVersionUID = 1;

    public SessionMovedException(String message) {
        super(message, null);
    }
}
