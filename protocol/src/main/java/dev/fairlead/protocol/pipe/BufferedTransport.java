package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.Transport;

import java.io.IOException;

/**
 * A transport whose {@link #send} may hold bytes back, so that messages that are ready together
 * leave together.
 */
public interface BufferedTransport extends Transport {
    /**
     * Writes out what is held back. Called on the thread of {@link #send}, whenever there is
     * nothing more to send at the moment.
     *
     * @throws IOException if the connection is lost
     */
    void flush() throws IOException;
}
