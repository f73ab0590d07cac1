package dev.fairlead.jsonrpc;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * One connection that carries messages both ways: a pair of pipes, a socket, a queue. It reads,
 * writes and closes, and does not interpret the messages.
 *
 * <p>The library calls {@link #receive} from one thread of its own and {@link #send} from another,
 * each never twice at a time, and interrupts neither; {@link #close} may come from any thread, more
 * than once, and must end a waiting {@code receive} and {@code send}.
 */
public interface Transport extends AutoCloseable {
    /**
     * Waits for the next message.
     *
     * @return the message, or null when the peer has closed its side
     * @throws MalformedMessageException if the text is not a message; it is answered, and the next
     *     call reads on
     * @throws IOException if the connection is lost
     */
    @Nullable JsonRpcMessage receive() throws IOException;

    /**
     * Hands a message to the peer, whole and in order.
     *
     * @throws IOException if the connection is lost
     */
    void send(JsonRpcMessage message) throws IOException;

    /** Ends the connection in both directions. */
    @Override
    void close() throws IOException;
}
