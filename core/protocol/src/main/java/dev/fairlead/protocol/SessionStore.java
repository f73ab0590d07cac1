package dev.fairlead.protocol;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Stores sessions over HTTP, so that a restarted server or another node continues them. Each
 * session has at most one owner, a node: the one at which it began, or the last that took it over.
 * {@link StoredSession#restored} rises with each change of the owner, so that a former owner is
 * recognized: it saves and removes nothing, and {@linkplain EventStore#append adds} no events. Safe
 * for use by several threads; calls block for as long as the store takes.
 *
 * <p>Every method may throw {@link EventStoreException}; the change may or may not have been made.
 */
public interface SessionStore {
    /** A living node that others can reach. */
    record Owner(long node, String address) {
        public Owner {
            Objects.requireNonNull(address, "address");
        }
    }

    /**
     * A stored session.
     *
     * @param owner null if no node owns it, or its owner is this node, dead or cannot be reached
     */
    record Found(StoredSession session, @Nullable Owner owner) {
        public Found {
            Objects.requireNonNull(session, "session");
        }
    }

    /** The nodes of a store, of which one is this. */
    interface Membership extends AutoCloseable {
        /** Returns the present incarnation of this node, which no other start of it has. */
        default long node() {
            return 0;
        }

        /** Announces the address at which other nodes reach this one from now on. */
        default void announce(String address) {}

        /** Announces that this node ends soon: no other hands a session over to it any more. */
        default void drain() {}

        /** Returns another node that can be reached and does not drain. */
        default Optional<Owner> another() {
            return Optional.empty();
        }

        /** Returns the living nodes that can be reached, also this one and those that drain. */
        default List<Owner> living() {
            return List.of();
        }

        /** Returns the time that all nodes agree on. Does not block. */
        default Instant time() {
            return Instant.now();
        }

        /** Leaves: other nodes may take all sessions of this one at once. */
        @Override
        void close();
    }

    /**
     * Joins the nodes that use the store; called by each server before it uses sessions. By default
     * nothing: the store belongs to one process at a time.
     *
     * @param fenced runs when this node was declared dead, since it was frozen or cut off: its
     *     sessions may have other owners. Returns at once
     */
    default Membership join(Runnable fenced) {
        return () -> {};
    }

    /** Stores a session that begins; this node owns it, and it was used just now. */
    void open(StoredSession session);

    /**
     * Stores a changed session that this node owns; it was used just now.
     *
     * @throws SessionMovedException if another node owns it, or it is unknown
     */
    void save(StoredSession session);

    /** Finds a session without changing anything. Must be quick for unknown keys. */
    Optional<Found> find(String key);

    /**
     * Takes a session over, with its streams that have not ended: counts it as restored once more,
     * and as used just now. Of several nodes that do it at the same time one succeeds.
     *
     * @param restored the count with which it was found
     * @param idle how long it may have been unused
     * @return the session with the new count; empty if it has another count by now, is unknown, or
     *     was unused for longer
     */
    Optional<StoredSession> take(String key, int restored, Duration idle);

    /**
     * Gives a session away that this node owns: the next node to which its client comes takes it.
     *
     * @return false if this node does not own it
     */
    boolean give(String key, int restored);

    /** Marks sessions that this node owns as used just now; others stay as they are. */
    void touch(Collection<String> keys);

    /**
     * Removes a session that this node owns; its streams are removed by {@link EventStore#forget}.
     * One atomic step: of a node that ends a session and another that takes it over at the same
     * time, one succeeds.
     *
     * @return true if the session was removed, or was unknown; false if another node owns it
     */
    boolean remove(String key, int restored);

    /**
     * Removes sessions that were not used for a time, with their streams. Does a bounded amount of
     * work.
     */
    void purge(Duration idle);
}
