package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Implementation;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Accepts the peers that a transport connects: a server, or the client side of a connection. It is
 * all that transports see of servers and clients.
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

    /**
     * Continues a session that began in another process.
     *
     * @param context as in {@link #open}
     * @param state the last one that the session passed to {@link SessionContext#changed}
     * @param restored how often it was restored, this time included: ids of requests that it sends
     *     must not repeat those from before
     * @return empty if this host cannot continue it; its client then has to start a new session
     * @throws IllegalStateException if the host is closed or takes no more sessions
     */
    default Optional<Session> restore(SessionContext context, JsonObject state, int restored) {
        return Optional.empty();
    }

    /**
     * Returns the host for requests that need no session, of revision 2026-07-28 and later; empty
     * if they are not served. Always the same.
     */
    default Optional<RequestHost> requests() {
        return Optional.empty();
    }

    /**
     * Returns the revisions that are served. Those without a handshake are among them exactly if
     * {@link #requests} is there.
     */
    default Set<Revision> revisions() {
        return Revision.withHandshake();
    }

    /**
     * Returns the store of sessions and events for endpoints that have none of their own; empty
     * where they are to be in memory. Asked once for each endpoint.
     */
    default Optional<EventStore> events() {
        return Optional.empty();
    }

    /**
     * Returns the store of values with owners, such as the logins of an authorization; empty where
     * they are to be in memory.
     */
    default Optional<OwnedValues.Source> ownedValues() {
        return Optional.empty();
    }

    /**
     * Returns secrets that all nodes of this server share, by which they authenticate each other:
     * the first signs, all are accepted. Empty, the default, if nodes share none.
     */
    default List<byte[]> peerKeys() {
        return List.of();
    }

    /** Returns the access of operators; empty if there is none. Always the same. */
    default Optional<ServerOperator> operator() {
        return Optional.empty();
    }

    /** Returns the description of the server for people; empty if it has none. */
    default Optional<Implementation> implementation() {
        return Optional.empty();
    }

    /** Counts a request that the transport refused. Returns soon, and throws nothing. */
    default void refused(RequestRefusal request) {}
}
