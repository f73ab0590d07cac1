package dev.fairlead.client;

/** Called when a resource changed. */
@FunctionalInterface
public interface ResourceListener {
    /**
     * Called on a thread of the client's, one change after the other; the same resource waits at
     * most once. May send requests.
     *
     * @throws Exception is logged
     */
    void updated(String uri) throws Exception;
}
