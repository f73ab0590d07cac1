package dev.fairlead.client.group;

/**
 * Receives changes of the status of the servers of a group, see {@link
 * McpClients.Builder#onStatus}.
 */
@FunctionalInterface
public interface StatusListener {
    /**
     * Called on a thread of the group's, in order. Of changes that come faster than they are
     * handled, the oldest are dropped.
     *
     * @throws Exception is logged
     */
    void changed(ServerStatus status) throws Exception;
}
