package dev.fairlead.protocol;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps what was sent on event streams, so that a client whose connection broke can have what it
 * missed (SSE-007). Safe for use by several threads; calls may block for as long as the store
 * takes. What is kept is bounded: old events go first.
 */
public interface EventStore {
    /**
     * Adds an event at the end of a stream. Numbers of one stream start at 1 and rise by one.
     *
     * @param session to whom the stream belongs; letters and digits, unique among all that use the
     *     store
     * @param stream the name of the stream within the session; letters and digits
     * @param data the message as UTF-8, not changed afterwards; no bytes for an event that only
     *     carries an id
     */
    EventId append(String session, String stream, byte[] data);

    /**
     * The events of a stream after the given one, oldest first.
     *
     * @param last the last event that is not wanted
     * @param limit the most events to return, at least 1
     * @return empty if the stream is unknown, or the event or one after it is no longer kept, so
     *     that something would be missing; an empty list if nothing came after it
     */
    Optional<List<Event>> after(EventId last, int limit);

    /**
     * Tells that nothing more will be added to a stream; its events stay until they are due to go.
     */
    void end(String session, String stream);

    /** Forgets all streams of a session. */
    void forget(String session);

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
