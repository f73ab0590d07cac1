package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.base.Implementation;

import java.util.Optional;

/** A session with one peer, in the form for transports. Safe for use by several threads. */
public interface Session extends AutoCloseable {
    /**
     * Takes a message over. Returns at once, when the message is accepted and not when it has been
     * processed; never runs code of users on the calling thread. Messages that must keep their
     * order come from one thread.
     *
     * @param message any message except a {@link dev.fairlead.jsonrpc.Batch}, whose messages are
     *     passed one by one
     * @param exchange the exchange of the message: its response and related messages are sent there
     */
    void accept(JsonRpcMessage message, Exchange exchange);

    /**
     * Cancels a request of the peer, which has disconnected: its handler is interrupted, and
     * nothing more is sent for it. Returns at once; without effect once it has ended.
     *
     * @param reason for the handler and the log
     */
    default void cancel(RequestId request, String reason) {}

    /** Reports that a request of this side was not delivered, or that its answer will not come. */
    void fail(RequestId request, CallException cause);

    /**
     * Returns whether a request of this side with this id was sent here, where it may have ended. A
     * response to another belongs to a part of the session in another process, if to any.
     */
    default boolean hasSent(RequestId request) {
        return true;
    }

    /**
     * Pauses the timeout of a request of this side, which waits for something else than its
     * response, such as the login of a person. Does not block.
     */
    default void pauseTimeout(RequestId request) {}

    /** Resumes the timeout of a request after {@link #pauseTimeout}. Does not block. */
    default void resumeTimeout(RequestId request) {}

    /**
     * Reports that the peer can be reached (again) by {@link SessionContext#send}: over HTTP
     * whenever the client has opened a stream by GET. Called without locks of the transport;
     * returns at once.
     */
    default void reachable() {}

    /**
     * Reports that the peer could not be reached where a stream of it had broken off, and may be
     * gone; the transport keeps trying. Does not block; may be called more than once.
     */
    default void unreachable() {}

    /** Returns the negotiated revision; empty before that. */
    Optional<Revision> revision();

    /** Returns the name and version of the peer; empty before it has sent them. */
    default Optional<Implementation> client() {
        return Optional.empty();
    }

    /** Returns the number of bytes in memory that the session keeps of messages of its peer. */
    default long keptBytes() {
        return 0;
    }

    /**
     * Reports that the peer no longer knows the session, unless a request of this side has failed
     * with that. Requests under way continue. Returns at once, may be called more than once.
     */
    default void expired(SessionExpiredException cause) {}

    /**
     * Reports that the peer sends nothing more, but may still read: requests that stay open until
     * the peer ends them, such as streams of changes, end now. The others continue. Does not block.
     */
    default void inputEnded() {}

    /**
     * Reports that the connection was lost, then closes the session as {@link #close}: requests
     * under way fail with this cause.
     */
    default void lost(ConnectionException cause) {
        close();
    }

    /**
     * Reports that the peer is gone or was disconnected: handlers are interrupted, requests under
     * way fail with a {@link dev.fairlead.jsonrpc.ConnectionException}. May be called more than
     * once.
     *
     * <p>A request whose handler ignores the interruption counts against the limits of the
     * transport until it ends, which {@link Exchange#send} of its response or {@link
     * Exchange#abandon} reports then as well.
     */
    @Override
    void close();
}
