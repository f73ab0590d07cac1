package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.relay.HandlerThread;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The connection on which a message came in and on which related messages are sent: over HTTP the
 * response to one POST, elsewhere the pipe itself. Safe for use by several threads.
 */
public interface Exchange {
    /**
     * Sends a message that belongs to the request of this exchange: progress, a question, and last
     * the response, after which nothing more is sent for that request. Returns as {@link
     * SessionContext#send} does.
     *
     * @throws ConnectionException if the connection is closed, its queue is full, or this exchange
     *     can carry nothing but the response (forced JSON answers)
     */
    void send(JsonRpcMessage message);

    /**
     * Sends the response of a request that is refused. Over HTTP the kind decides the status of the
     * response if nothing was sent yet; otherwise, and elsewhere, this is the same as {@link
     * #send}.
     */
    default void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
        send(response);
    }

    /**
     * Reports that no response will follow for a request, since it was cancelled. The handler has
     * ended.
     */
    void abandon(RequestId request);

    /**
     * Sends the response of a request whose handler is still running: {@link #ended} follows. After
     * {@link #send} of a response the handler has ended, and {@code ended} is not called.
     *
     * @throws ConnectionException as {@link #send} does
     */
    default void respondEarly(JsonRpcMessage response) {
        send(response);
    }

    /**
     * Reports that the handler of a request has ended after {@link #respondEarly}; until then the
     * request counts against the limits of the transport. Returns at once, sends nothing.
     */
    default void ended(RequestId request) {}

    /**
     * Reports that a request stays open although its handler has returned: {@link #over} follows.
     */
    default void staysOpen(RequestId request) {}

    /**
     * Reports the end of a request that stayed open, after its response, if it has one, and the
     * messages that follow it.
     */
    default void over(RequestId request) {}

    /**
     * Disconnects the client while the request continues; it reconnects after the given time and
     * receives the messages sent meanwhile.
     *
     * @return false, and nothing done, where the transport or the revision cannot do that
     */
    default boolean disconnect(Duration retryAfter) {
        return false;
    }

    /** Returns whether {@link #send} can carry more than the response. */
    default boolean isStreaming() {
        return true;
    }

    /**
     * Returns whether messages sent here are still expected to reach the peer: false once the
     * response was sent, or the peer was given up. A client over HTTP that has disconnected is
     * given up when it has not reconnected in time; the disconnection is only noticed when
     * something is written.
     */
    default boolean isOpen() {
        return true;
    }

    /**
     * Returns whether the connection that carries messages sent here stands, as far as is known.
     * Unlike {@link #isOpen}, false while a client over HTTP is disconnected that may still
     * reconnect.
     */
    default boolean isConnected() {
        return isOpen();
    }

    /**
     * Checks whether the peer is still there, for {@link #isConnected}: over HTTP by a comment on
     * an open stream, whose loss may take a second attempt to be noticed. Returns at once; does
     * nothing on other transports.
     */
    default void checkConnected() {}

    /**
     * Runs an action when the peer is given up before the response was sent, at once if that has
     * happened already. It runs at most once, on a thread of its own, and not because the session
     * ends, which interrupts handlers anyway. A lost client is not a cancellation: the request
     * continues unless the action ends it, or a transport that runs too many such requests cancels
     * it.
     */
    default void onGone(Runnable action) {}

    /**
     * Returns a task that runs in the context of the thread that received the request, such as the
     * identity that a filter of a servlet container has set; the task itself by default.
     */
    default Runnable inContext(Runnable task) {
        return task;
    }

    /**
     * Runs the handler of a request that is expected to end quickly. A transport whose reading
     * thread can be replaced runs it there, before this method returns; elsewhere, and by default,
     * it gets a virtual thread of its own. An exception of the task does not reach the caller.
     *
     * @param name the name of the thread while the task runs
     * @throws OutOfMemoryError if no thread can be started; the task does not run then
     */
    default void run(String name, Runnable task) {
        HandlerThread.start(name, task);
    }

    /** Returns whether all requests share one connection for their messages. */
    default boolean isPipe() {
        return false;
    }

    /** Returns the caller that sent the message. */
    Caller caller();

    /** Returns the address that the message came from, for logs; empty, the default, for a pipe. */
    default Optional<InetAddress> address() {
        return Optional.empty();
    }

    /**
     * Returns the values of a header of the HTTP request, ignoring the case of its name; empty on
     * other transports.
     */
    default List<String> header(String name) {
        return List.of();
    }

    /** Returns the first value of a header. */
    default Optional<String> firstHeader(String name) {
        return header(name).stream().findFirst();
    }
}
