package dev.fairlead.protocol.changes;

/**
 * Carries changes from the node where they happen to all nodes that serve the same server, itself
 * included, so that clients are notified on every node. Thread-safe.
 *
 * <p>A change is carried at least once, and two that are the same may become one. Order is not
 * kept. If changes were lost, {@link ChangeListener#changesMissed} is called.
 */
public interface ChangeBus {
    /** The registration of a listener, until it is closed. */
    interface Registration extends AutoCloseable {
        /** Ends the registration: no call begins afterwards. Does nothing the second time. */
        @Override
        void close();
    }

    /**
     * Adds a listener, which receives all changes published from now on. If a listener throws, that
     * is logged and affects no other.
     */
    Registration listen(ChangeListener listener);

    /**
     * Carries a change to all listeners of all nodes: those of this process before it returns, the
     * others soon. Does not wait for a network, keeps the interrupt of its thread, and does not
     * fail: a change that cannot be carried is logged. A bus without a listener may drop it.
     */
    void publish(Change change);

    /** Returns a bus for one process, the default of each server. */
    static ChangeBus inProcess() {
        return new InProcessChangeBus();
    }
}
