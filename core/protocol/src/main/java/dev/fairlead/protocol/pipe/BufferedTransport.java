package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;

import java.io.IOException;

/**
 * A transport whose {@link #send} may hold bytes back, so that messages that are ready together
 * leave together.
 */
public interface BufferedTransport extends Transport {
    /**
     * Writes out buffered messages. Called on the thread of {@link #send}, whenever there is
     * nothing more to send at the moment.
     *
     * @throws IOException if the connection is lost
     */
    void flush() throws IOException;

    /**
     * Returns whether threads that run handlers may receive, and send by {@link #sendDirectly}: an
     * interrupt leaves this transport intact, whenever it hits such a thread.
     */
    default boolean isUninterruptible() {
        return false;
    }

    /**
     * Writes a message out at once. Called only where {@link #isUninterruptible} is true, while
     * nothing is held back and no other thread sends.
     *
     * @throws IOException if the connection is lost
     */
    default void sendDirectly(JsonRpcMessage message) throws IOException {
        send(message);
        flush();
    }
}
