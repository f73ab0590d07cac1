package dev.fairlead.client.group;

import dev.fairlead.protocol.Root;

import java.util.List;

/** Says where each server of the group may work, see {@link McpClients.Builder#onRoots}. */
@FunctionalInterface
public interface GroupRoots {
    /**
     * The roots of this moment for this server; otherwise as {@link
     * dev.fairlead.client.RootsHandler#roots}.
     *
     * @param server the name of the server in the group
     */
    List<Root> roots(String server) throws Exception;
}
