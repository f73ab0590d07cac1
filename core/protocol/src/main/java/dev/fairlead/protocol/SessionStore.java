package dev.fairlead.protocol;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * Keeps sessions over HTTP, so that a server that was restarted knows them again. A session is used
 * by one server at a time: another may take it over once that one is dead. Safe for use by several
 * threads; calls block for as long as the store takes.
 *
 * <p>Every method may throw {@link EventStoreException}; the change may or may not have been made.
 */
public interface SessionStore {
    /** Stores a session or a change of it; it was used just now. */
    void save(StoredSession session);

    /** Looks for a session without changing anything. Must be quick for keys that are unknown. */
    Optional<StoredSession> find(String key);

    /**
     * Takes over a session that is not known here: counts it as restored once more, and as used
     * just now. Of several that do it at the same time each gets another count.
     *
     * @param idle how long it may have been unused
     * @return the session with the new count; empty if it is unknown or was unused for longer
     */
    Optional<StoredSession> restore(String key, Duration idle);

    /** Marks sessions as used just now; unknown ones stay unknown. */
    void touch(Collection<String> keys);

    /** Forgets a session; its streams are forgotten by {@link EventStore#forget}. */
    void remove(String key);

    /**
     * Forgets a session that one server has not used, unless another server has taken it over or
     * used it since; its streams are forgotten by {@link EventStore#forget}. One atomic step: of a
     * server that ends a session and another that takes it over at the same time, one succeeds.
     *
     * @param restored the count that the session has for that server: another one in the store
     *     means that it was taken over
     * @param unused for how long the session must not have been used
     * @return whether the session is forgotten, or was unknown; false if it was taken over or used,
     *     and nothing has changed
     */
    boolean removeIfUnused(String key, int restored, Duration unused);

    /**
     * Forgets sessions that were not used for so long, with their streams. Does a bounded amount of
     * work.
     */
    void purge(Duration idle);
}
