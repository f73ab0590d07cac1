package dev.fairlead.client;

import dev.fairlead.jsonrpc.ConnectionException;

/** Called when the connection is lost, see {@link McpClient.Builder#onConnectionLost}. */
@FunctionalInterface
public interface ConnectionListener {
    /**
     * Called once for each connection that is lost, on a thread of the client's; never for a client
     * that was closed here. May close the client.
     *
     * @throws Exception is logged
     */
    void lost(ConnectionException why) throws Exception;
}
