package dev.fairlead.client.group;

/** Hears how the servers of a group are, see {@link McpClients.Builder#onStatus}. */
@FunctionalInterface
public interface StatusListener {
    /**
     * Called on a thread of the group's, in order. Of changes that come faster than they are heard,
     * the oldest are dropped.
     *
     * @throws Exception is logged
     */
    void changed(ServerStatus status) throws Exception;
}
