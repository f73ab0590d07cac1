package dev.fairlead.protocol.changes;

/**
 * Receives changes. Called on threads of the bus or of the code that publishes, several at once.
 * Must return soon, and should throw nothing.
 */
public interface ChangeListener {
    /** Something has changed, on this node or another one. */
    void changed(Change change);

    /**
     * Changes may have been missed: the connection to the other nodes was lost for a while, or
     * there were more changes than were kept for them. Anything may be different now.
     */
    void changesMissed();
}
