package dev.fairlead.client;

import dev.fairlead.json.JsonObject;

/**
 * Receives a notification of the server that the protocol does not know, see {@link
 * McpClient.Builder#onNotification}.
 */
@FunctionalInterface
public interface NotificationListener {
    /**
     * Called on a thread of the client's, in order. Of notifications that come faster than they are
     * handled, the oldest are dropped.
     *
     * @param params empty where the wire has none
     * @throws Exception is logged
     */
    void notified(JsonObject params) throws Exception;
}
