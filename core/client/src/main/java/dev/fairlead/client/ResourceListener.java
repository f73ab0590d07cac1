package dev.fairlead.client;

/** Called when a resource changed. */
@FunctionalInterface
public interface ResourceListener {
    /**
     * Called on a thread of the client's, one change after the other; the same resource waits at
     * most once. Also called when changes may have been missed, and perhaps twice for one change:
     * an update that the server is just sending is sent again on a stream that begins meanwhile,
     * for example that of another watch. May send requests.
     *
     * @throws Exception is logged
     */
    void updated(String uri) throws Exception;
}
