package dev.fairlead.client.link;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.InvalidResultException;

/**
 * Counts the bytes of the pages of one list as they come, before they are read. For use by one
 * thread.
 */
public final class ListBytes {
    private final String method;
    private final long most;
    private long taken;

    public ListBytes(String method, long most) {
        this.method = method;
        this.most = most;
    }

    /**
     * Adds a page.
     *
     * @throws InvalidResultException if the pages are larger than the limit
     */
    public void add(RawJson page) {
        taken += page.size();
        if (taken > most) {
            throw new InvalidResultException(
                    method
                            + " has more than "
                            + most
                            + " bytes; raise McpClient.Builder.listLimits",
                    null);
        }
    }
}
