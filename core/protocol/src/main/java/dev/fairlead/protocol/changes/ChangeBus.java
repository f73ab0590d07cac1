package dev.fairlead.protocol.changes;

/**
 * Carries changes from the node where they happen to all nodes that serve the same server, itself
 * included, so that clients are notified whichever node they are connected to. Thread-safe.
 *
 * <p>A change is carried at least once, and two that are the same may become one. Order is not
 * kept. What cannot be carried is made good by {@link ChangeListener#changesMissed}.
 */
public interface ChangeBus {
    /** A listener that is there until it is closed. */
    interface Registration extends AutoCloseable {
        /** Ends the registration: no call begins afterwards. Does nothing the second time. */
        @Override
        void close();
    }

    /**
     * Adds a listener, which receives what is published from now on. If a listener throws, that is
     * logged and affects no other.
     */
    Registration listen(ChangeListener listener);

    /**
     * Carries a change to all listeners of all nodes: those of this process before it returns, the
     * others soon. Does not wait for a network, keeps the interrupt of its thread, and does not
     * fail: a change that cannot be carried is logged. A bus without a listener may drop it.
     */
    void publish(Change change);

    /** A bus for one process: what each server has unless it is given another one. */
    static ChangeBus inProcess() {
        return new InProcessChangeBus();
    }
}
