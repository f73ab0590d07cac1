package dev.fairlead.protocol;

/**
 * What answers the peers that a transport brings: a server, or the client side of a connection.
 * Transports know nothing else of servers and clients.
 */
@FunctionalInterface
public interface SessionHost {
    /**
     * Opens a session for one peer. Called once for each connection of a byte pipe and each session
     * over HTTP; without sessions, once for each request.
     *
     * @param context the way back to the peer, usable as soon as this method has returned
     * @throws IllegalStateException if the host is closed or takes no more sessions
     */
    Session open(SessionContext context);
}
