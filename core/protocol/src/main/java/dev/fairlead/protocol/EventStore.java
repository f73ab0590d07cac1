package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.RequestId;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Stores the events of event streams, so that a client whose connection broke can receive the
 * events that it missed. Safe for use by several threads; calls may block for as long as the store
 * takes, and an interrupt of their thread neither ends nor disturbs them. The storage is bounded:
 * old events are removed first.
 *
 * <p>Every method may throw {@link EventStoreException}; the change may or may not have been made.
 */
public interface EventStore {
    /**
     * Adds an event at the end of a stream, which begins with its first event. Numbers of one
     * stream start at 1 and rise by one.
     *
     * @param data the message as UTF-8, not changed afterwards; no bytes for an event that only
     *     carries an id
     * @return once the event is stored as durably as the store can
     * @throws SessionMovedException if another node owns the session of the stream
     */
    EventId append(Stream stream, byte[] data);

    /**
     * Returns the events of a stream after the given one, oldest first.
     *
     * @param last the event before the first one to return
     * @param limit the most events to return, at least 1
     * @return empty if the stream is unknown, or the event or one after it is no longer kept, so
     *     that something would be missing; an empty list if nothing came after it
     */
    Optional<List<Event>> after(EventId last, int limit);

    /** Returns a stream as it was begun; empty if it is unknown or has ended. */
    Optional<Stream> open(String session, String name);

    /**
     * Marks a stream as ended: no more events will be added. Its events stay until they expire.
     * Nothing if another node owns its session.
     */
    void end(String session, String name);

    /** Removes all streams of a session. */
    void forget(String session);

    /**
     * Returns whether the store removes events beyond its limits without calls of {@link #sweep},
     * such as a store that several servers share. False unless overridden; always the same.
     */
    default boolean sweepsByItself() {
        return false;
    }

    /**
     * Removes events beyond the limits that adding events does not remove. Unless {@link
     * #sweepsByItself}, the server calls it every few seconds. Does a bounded amount of work.
     */
    default void sweep() {}

    /**
     * Returns the store of the sessions of the streams, if it outlives the process: a restarted
     * server then continues these sessions. Empty unless overridden.
     */
    default Optional<SessionStore> sessions() {
        return Optional.empty();
    }

    /**
     * A stream, independent of its connections.
     *
     * @param session the session that it belongs to; 1 to 64 letters and digits, unique in the
     *     store
     * @param name unique within the session; 1 to 64 letters and digits
     * @param requests the requests of the client that it answers; none for a stream opened by GET
     */
    record Stream(String session, String name, List<RequestId> requests) {
        public Stream {
            Objects.requireNonNull(session, "session");
            Objects.requireNonNull(name, "name");
            requests = List.copyOf(requests);
        }
    }

    /**
     * One event.
     *
     * @param data not to be changed
     */
    record Event(EventId id, byte[] data) {
        public Event {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(data, "data");
        }
    }
}
