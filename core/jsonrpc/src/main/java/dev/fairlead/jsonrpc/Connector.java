package dev.fairlead.jsonrpc;

import java.io.IOException;

/**
 * Opens a {@link Transport} to a peer; called once for each connection, also for one that replaces
 * a lost one.
 */
@FunctionalInterface
public interface Connector {
    /**
     * Opens a new connection.
     *
     * @throws IOException if the peer cannot be reached
     */
    Transport connect() throws IOException, InterruptedException;
}
