package dev.fairlead.client;

import dev.fairlead.protocol.SessionExpiredException;

/**
 * Called when a new session took the place of one that the server forgot, see {@link
 * McpClient.Builder#onNewSession}.
 */
@FunctionalInterface
public interface SessionListener {
    /**
     * Called on a thread of the client's once the new session is open and has its log level and
     * subscriptions back. Other state of the old session at the server is lost.
     *
     * @throws Exception is logged
     */
    void renewed(SessionExpiredException why) throws Exception;
}
