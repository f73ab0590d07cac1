package dev.fairlead.client.group;

/**
 * Receives notifications of a server of the group.
 *
 * @param <T> what is told
 */
@FunctionalInterface
public interface GroupListener<T> {
    /**
     * Called on a thread of the client's, for each server in order. May send requests.
     *
     * @param server the name of the server in the group
     * @throws Exception is logged
     */
    void heard(String server, T news) throws Exception;
}
