package dev.fairlead.protocol.changes;

/**
 * Receives changes. Called on threads of the bus or of the code that publishes, several at once.
 * Must return soon, and should throw nothing.
 */
public interface ChangeListener {
    /** Receives a change, on this node or another one. */
    void changed(Change change);

    /**
     * Reports that changes may have been missed: the connection to the other nodes was lost for a
     * while, or their number exceeded the queue. Every feature may have changed.
     */
    void changesMissed();
}
