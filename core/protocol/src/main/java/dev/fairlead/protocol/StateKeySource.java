package dev.fairlead.protocol;

import java.time.Duration;
import java.util.List;

/**
 * The keys that seal the state of requests between the rounds of their questions, where several
 * processes share them. Safe for use by several threads.
 */
public interface StateKeySource {
    /**
     * Returns the keys of the moment: the first seals, all open. A server reads them when it is
     * built, and then every 10 s, so a new key must open for longer than that before it seals, and
     * an old one until all states that it sealed have expired. Blocks for as long as the source
     * takes.
     *
     * @param ttl how long a state is valid
     * @return at least one key, each of 32 bytes or more
     * @throws RuntimeException if they cannot be read; its message has no part of a key. A server
     *     that runs keeps the keys that it has read before
     */
    List<byte[]> read(Duration ttl);
}
