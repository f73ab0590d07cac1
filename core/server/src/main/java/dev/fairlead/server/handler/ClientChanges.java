package dev.fairlead.server.handler;

import dev.fairlead.protocol.changes.ListKind;

/**
 * Announces changes to one client: to a session, or on a stream of changes. Methods return at once.
 * Thread-safe, not for implementation by users.
 */
public interface ClientChanges {
    /**
     * Announces that a list changed: to a session, if the server declared that it does; on a
     * stream, if its client asked for that.
     */
    void listChanged(ListKind kind);

    /** Announces that the list of tools changed. */
    default void toolsChanged() {
        listChanged(ListKind.TOOLS);
    }

    /** Announces that the list of resources or of templates changed. */
    default void resourcesChanged() {
        listChanged(ListKind.RESOURCES);
    }

    /** Announces that the list of prompts changed. */
    default void promptsChanged() {
        listChanged(ListKind.PROMPTS);
    }

    /**
     * Announces that a resource changed, if the client watches it, or on a stream one that it is
     * below.
     */
    void resourceUpdated(String uri);

    /**
     * Runs an action when the session or the stream ends, on a thread of its own; at once if it has
     * ended. An exception of the action is logged.
     */
    void onClose(Runnable action);
}
