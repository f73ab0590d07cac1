package dev.fairlead.protocol;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * Stores sessions over HTTP, so that a restarted server continues them. A session is used by one
 * server at a time: another may take it over once that one is dead. Safe for use by several
 * threads; calls block for as long as the store takes.
 *
 * <p>Every method may throw {@link EventStoreException}; the change may or may not have been made.
 */
public interface SessionStore {
    /** Stores a session or a change of it; it was used just now. */
    void save(StoredSession session);

    /** Finds a session without changing anything. Must be quick for unknown keys. */
    Optional<StoredSession> find(String key);

    /**
     * Takes over a session that is unknown here: counts it as restored once more, and as used just
     * now. Of several that do it at the same time each gets another count.
     *
     * @param idle how long it may have been unused
     * @return the session with the new count; empty if it is unknown or was unused for longer
     */
    Optional<StoredSession> restore(String key, Duration idle);

    /** Marks sessions as used just now; unknown ones stay unknown. */
    void touch(Collection<String> keys);

    /** Removes a session; its streams are removed by {@link EventStore#forget}. */
    void remove(String key);

    /**
     * Removes a session that one server has not used, unless another server has taken it over or
     * used it since; its streams are removed by {@link EventStore#forget}. One atomic step: of a
     * server that ends a session and another that takes it over at the same time, one succeeds.
     *
     * @param restored the count that the session has for that server: another one in the store
     *     means that it was taken over
     * @param unused the time for which the session must not have been used
     * @return true if the session was removed, or was unknown; false, and nothing changed, if it
     *     was taken over or used
     */
    boolean removeIfUnused(String key, int restored, Duration unused);

    /**
     * Removes sessions that were not used for a time, with their streams. Does a bounded amount of
     * work.
     */
    void purge(Duration idle);
}
