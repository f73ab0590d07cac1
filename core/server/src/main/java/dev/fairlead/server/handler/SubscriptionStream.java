package dev.fairlead.server.handler;

/**
 * The stream of a client that listens to changes by {@code subscriptions/listen}. Changes that its
 * client did not ask for are dropped; so are those after its end. Methods return at once.
 * Thread-safe, not for implementation by users.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *     Subscriptions
 */
public interface SubscriptionStream {
    /** Announces that the list of tools changed. */
    void toolsChanged();

    /** Announces that the list of resources or of templates changed. */
    void resourcesChanged();

    /** Announces that the list of prompts changed. */
    void promptsChanged();

    /** Announces that a resource changed, if the client watches it, or one that it is below. */
    void resourceUpdated(String uri);

    /**
     * Runs an action when the stream ends, on a thread of its own; at once if it has ended. An
     * exception of the action is logged.
     */
    void onClose(Runnable action);
}
