package dev.fairlead.client;

/** A resource being watched, see {@link McpRequests#watch}. Thread-safe, not for implementing. */
public interface Subscription extends AutoCloseable {
    /** The resource. */
    String uri();

    /**
     * Ends the subscription; the listener receives nothing that comes afterwards. The last one for
     * a resource unsubscribes at the server, and waits for that as long as for any request; a
     * failure there is only logged. May be called more than once.
     */
    @Override
    void close();
}
