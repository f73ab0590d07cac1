package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The connection of a session to its peer, as its transport offers it. Safe for use by several
 * threads.
 */
public interface SessionContext {
    /**
     * Sends a message that belongs to no request of the peer: over a byte pipe on its one
     * connection, from an HTTP server on the stream that the client opened by GET (or into a
     * bounded queue until there is one), from an HTTP client as a POST.
     *
     * <p>Returns when the message is accepted, not when it has arrived; messages of one thread keep
     * their order. An interrupt of the calling thread does not disturb the transport and stays set.
     * {@link Session#fail} reports a request that could not be delivered, or whose answer can no
     * longer come.
     *
     * @throws ConnectionException if the connection is closed or its queue is full
     */
    void send(JsonRpcMessage message);

    /**
     * Sends a message with headers of its own, otherwise as {@link #send(JsonRpcMessage)}. They are
     * sent with this message and with requests that resume the stream of its answer only.
     *
     * @param headers names and values; empty for none
     * @throws IllegalArgumentException if the transport has no headers, or cannot send one of these
     */
    default void send(JsonRpcMessage message, Map<String, String> headers) {
        if (!headers.isEmpty()) {
            throw new IllegalArgumentException(
                    "The transport "
                            + transport()
                            + " has no headers, but a request has the headers "
                            + headers.keySet());
        }
        send(message);
    }

    /**
     * Sends a request for whose response the calling thread is about to wait, otherwise as {@link
     * #send(JsonRpcMessage, Map)}. A transport may use this thread until the session has the
     * response, or until {@link #cancel} or an interrupt ends that: an HTTP client sends the
     * request and reads the answer on it. The interrupt stays set.
     *
     * @param passesProgress whether the thread has to pass progress on while it waits
     * @return false if it is known that {@link #cancel} or an interrupt has ended that before
     *     anything was sent
     */
    default boolean call(
            JsonRpcRequest request, Map<String, String> headers, boolean passesProgress) {
        send(request, headers);
        return true;
    }

    /**
     * Cancels a request of this side without a message, if the transport can: an HTTP client closes
     * the exchange of a request of {@link Era#PER_REQUEST}, and a byte pipe withdraws one that
     * waits for its place in the queue. Returns at once; a request that has ended needs nothing. In
     * each case {@link #call} no longer uses its thread, unless the request has not come that far:
     * this method is then called again.
     *
     * @return true if no message is to be sent; false if {@code notifications/cancelled} is
     */
    default boolean cancel(RequestId request) {
        return false;
    }

    /** Returns whether requests can have headers: over HTTP alone. */
    default boolean hasHeaders() {
        return false;
    }

    /**
     * Returns whether the transport can carry messages of an era; false for {@link Era#PER_REQUEST}
     * over HTTP+SSE alone.
     */
    default boolean carries(Era era) {
        return true;
    }

    /**
     * Returns whether a message of {@link #send} can reach the peer now: over a byte pipe while it
     * is open, from an HTTP server while the client has an open stream of GET. {@link
     * Session#reachable} is called when that becomes true again. False is no reason not to send: a
     * transport may keep messages for a while.
     */
    default boolean isReachable() {
        return assumedRevision().isEmpty();
    }

    /**
     * Checks whether the peer is still there, for {@link #isReachable}: over HTTP by a comment on
     * each stream that it opened by GET. Returns at once; does nothing on other transports.
     */
    default void checkReachable() {}

    /** Returns the caller at the other end, as known when the session was opened. */
    Caller caller();

    /**
     * Returns the owner of the things that the peer creates while its caller is anonymous; see
     * {@link Owner#of}.
     */
    default Owner owner() {
        return new Owner.Local();
    }

    /**
     * Returns a key of the peer for limits, where neither a session nor authorization identifies
     * it. Equal objects are the same peer, as far as the transport can know: over HTTP without
     * sessions the remote address, of IPv6 its first 64 bits. By default this context, since a pipe
     * has one peer.
     */
    default Object peerKey() {
        return this;
    }

    /**
     * Returns a key of the peer for limits that hold for all its sessions together: over HTTP the
     * remote address as for {@link #peerKey}, in a session too.
     */
    default Object countedFor() {
        return peerKey();
    }

    /** Returns the name of the transport for logs: {@code stdio}, {@code http}, {@code memory}. */
    String transport();

    /** Returns the name of the session in logs, which gives no access; empty for none. */
    default Optional<String> logName() {
        return Optional.empty();
    }

    /**
     * Returns a name of the session that all processes give it which can continue it, and which
     * gives no access; empty if no other process can.
     */
    default Optional<String> sharedName() {
        return Optional.empty();
    }

    /**
     * Returns the revision in force from the start without a handshake: HTTP without sessions. Such
     * a session answers one request, has no information about its client and cannot send messages
     * of its own.
     */
    default Optional<Revision> assumedRevision() {
        return Optional.empty();
    }

    /**
     * Reports a change of the state that {@link SessionHost#restore} needs. A transport that can
     * continue the session in another process stores the state, and returns once it is stored; any
     * other does nothing, and does not call the supplier.
     *
     * @throws EventStoreException if it could not be kept
     */
    default void changed(Supplier<JsonObject> state) {}

    /**
     * Ends idle sessions of the same transport to make room for data of this session: those of the
     * peers that keep the most, the longest idle first. Blocks while they end. A transport whose
     * sessions cannot be opened again at once ends none.
     *
     * @param bytes how many are needed, as {@link Session#keptBytes} counts
     * @return whether any has ended
     */
    default boolean makeRoom(long bytes) {
        return false;
    }

    /**
     * Closes the session from this side, after the messages sent before have been written; never
     * blocks.
     */
    void close();
}
