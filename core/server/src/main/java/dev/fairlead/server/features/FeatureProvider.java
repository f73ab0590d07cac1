package dev.fairlead.server.features;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.SubscriptionStream;

/**
 * Gives the tools, resources and prompts of a server: those that are declared, or those of a
 * delegate, such as a gateway. Thread-safe.
 */
public interface FeatureProvider {
    /** Returns the capabilities of the features. */
    ServerCapabilities capabilities();

    /** Adds the methods of the features. */
    void addTo(ServedMethods methods);

    /** Returns whether there is such a resource for a caller. */
    boolean isVisible(String uri, Caller caller);

    /** Prepares a stream of changes; returns the changes that are announced on it. */
    default NotificationFilter listen(
            NotificationFilter filter, SubscriptionStream stream, ServerCall call)
            throws Exception {
        return filter;
    }

    /** Returns whether a session can continue in another process. */
    default boolean hasMovableSessions() {
        return true;
    }

    /** Takes the notice of a session that its roots have changed; does not block. */
    default void rootsChanged(ClientSession session) {}

    /** Takes the end of the pipe to a client; does not block. */
    default void pipeEnded(Object peer) {}
}
