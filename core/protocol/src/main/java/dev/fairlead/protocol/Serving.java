package dev.fairlead.protocol;

/** A server that runs at one place. It keeps the JVM alive until it is closed. */
public interface Serving extends AutoCloseable {
    /** Describes the place and the settings of the serving, for the log. */
    default ServingDescription description() {
        return new ServingDescription("a transport of " + getClass().getName());
    }

    /**
     * Waits until the serving has ended, by a call of {@link #close} or the end of its one peer.
     */
    void await() throws InterruptedException;

    /**
     * Stops accepting peers, ends the sessions and frees the place; returns when that is done. May
     * be called more than once.
     */
    @Override
    void close();
}
