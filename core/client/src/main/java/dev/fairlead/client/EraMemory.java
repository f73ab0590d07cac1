package dev.fairlead.client;

import dev.fairlead.protocol.Era;

import java.util.Optional;

/**
 * Keeps the era of one server beyond the end of the process, so that a client that starts later
 * need not find it out. Set by {@link McpClient.Builder#eraMemory}. May be called by several
 * threads; an exception is logged, and the client continues as without a memory.
 *
 * <p>A server may be replaced by one of another era. An implementation should therefore forget
 * {@link Era#HANDSHAKE} after a while, such as an hour: otherwise the client never looks for a
 * newer revision. It must not share what it keeps between servers.
 */
public interface EraMemory {
    /** Returns what was kept and is still to be believed. */
    Optional<Era> find();

    /** Keeps what was found out just now. */
    void keep(Era era);

    /** Removes what was kept, because the server no longer behaves so. */
    void forget();
}
