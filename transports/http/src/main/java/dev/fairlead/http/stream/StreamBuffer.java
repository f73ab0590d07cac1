package dev.fairlead.http.stream;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventStore;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The events in memory that the connection of one stream has yet to get: a bounded outbox, and
 * events that a store should keep but could not. Used under the lock of the stream.
 */
final class StreamBuffer {
    private final boolean stored;
    private final int limit;
    private final ArrayDeque<OutgoingEvent> outbox = new ArrayDeque<>(0);
    private long outboxBytes;

    /** The bytes that the connection writes just now. */
    private long writing;

    private WaitingBytes.@Nullable Share waiting;

    /** Events that the store could not keep and the outbox does not hold. */
    private final List<OutgoingEvent> unstored = new ArrayList<>(0);

    /** Events that the store could not keep and that are being written. */
    private final List<OutgoingEvent> unstoredInFlight = new ArrayList<>(0);

    private long unstoredBytes;
    private long lastTaken;
    private long lastWritten;
    private long taken; // events in all

    /**
     * @param stored whether a store keeps the events of the stream
     * @param limit how many bytes the outbox may hold; one event may have any size
     */
    StreamBuffer(boolean stored, int limit) {
        this.stored = stored;
        this.limit = limit;
    }

    boolean isEmpty() {
        return outbox.isEmpty();
    }

    /** Returns how many events were taken in all. */
    long taken() {
        return taken;
    }

    /** Returns how many events in memory wait to be taken. */
    int waiting() {
        return outbox.size() + unstored.size();
    }

    /** The last event that was taken, written or not. */
    long lastTaken() {
        return lastTaken;
    }

    /** The last event of which it is known that it was written whole. */
    long lastWritten() {
        return lastWritten;
    }

    /**
     * Adds an event to the outbox.
     *
     * @return false if no bytes are left for it
     */
    boolean add(OutgoingEvent event) {
        if (waiting != null && !waiting.tryTake(event.data().length)) {
            return false;
        }
        outbox.add(event);
        outboxBytes += event.data().length;
        return true;
    }

    /**
     * Returns whether the outbox holds more than it may: one event may have any size, a second must
     * fit.
     */
    boolean isOverflown() {
        return outboxBytes > limit && outbox.size() > 1;
    }

    /** Holds an event that the store does not have. */
    void hold(OutgoingEvent event) {
        unstored.add(event);
        unstoredBytes += event.data().length;
    }

    /** Returns whether the store has all events that are not known to be written. */
    boolean hasNothingUnstored() {
        return unstored.isEmpty()
                && unstoredInFlight.isEmpty()
                && outbox.stream().allMatch(event -> event.id() != null);
    }

    boolean mayHold() {
        return unstoredBytes <= limit;
    }

    /** Empties the outbox: events of the store will be read from there. */
    void clear() {
        release(outboxBytes);
        if (stored) {
            outbox.stream().filter(event -> event.id() == null).forEach(this::hold);
        }
        outbox.clear();
        outboxBytes = 0;
    }

    /** Drops everything. */
    void drop() {
        clear();
        dropUnstored();
    }

    private void dropUnstored() {
        unstored.clear();
        unstoredBytes = 0;
    }

    /** Drops the events that the store does not have, and returns the requests among them. */
    List<RequestId> dropUnstoredRequests() {
        List<RequestId> requests = OutgoingEvent.requests(List.copyOf(unstored));
        dropUnstored();
        return requests;
    }

    /**
     * Adds events that were read from the store.
     *
     * @return whether those were all, and the events that the store does not have are in the outbox
     *     as well
     */
    boolean refill(List<EventStore.Event> page) {
        for (EventStore.Event event : page) {
            if (!add(OutgoingEvent.of(event))) {
                return false; // the rest is read later
            }
            unstored.removeIf(held -> isKeptAs(event, held)); // after all
        }
        return page.isEmpty() && addUnstored();
    }

    private boolean isKeptAs(EventStore.Event event, OutgoingEvent held) {
        boolean kept = Arrays.equals(held.data(), event.data());
        unstoredBytes -= kept ? held.data().length : 0;
        return kept;
    }

    private boolean addUnstored() {
        while (!unstored.isEmpty()) {
            if (!add(unstored.getFirst())) {
                return false; // the rest is added later
            }
            unstoredBytes -= unstored.removeFirst().data().length;
        }
        return true;
    }

    /** Takes events from the outbox, which are being written from now on. */
    List<OutgoingEvent> poll(int maxBytes) {
        List<OutgoingEvent> events = new ArrayList<>();
        int size = 0;
        for (OutgoingEvent next = outbox.peek(); next != null; next = outbox.peek()) {
            if (!events.isEmpty() && size + next.data().length > maxBytes) {
                break;
            }
            events.add(outbox.remove());
            taken++;
            size += next.data().length;
            outboxBytes -= next.data().length;
            writing += next.data().length;
            lastTaken = next.id() == null ? lastTaken : next.id().number();
            if (next.id() == null && stored) {
                unstoredInFlight.add(next);
            }
        }
        return events;
    }

    /** All that was taken is written. */
    void written() {
        lastWritten = lastTaken;
        release(writing);
        writing = 0;
        unstoredInFlight.clear();
    }

    /**
     * The connection is gone. Events that it has not written completely, and that the store does
     * not have, wait for the next connection.
     */
    void disconnected() {
        for (OutgoingEvent event : unstoredInFlight.reversed()) {
            unstored.addFirst(event);
            unstoredBytes += event.data().length;
        }
        unstoredInFlight.clear();
        release(writing);
        writing = 0;
    }

    /** The next connection gets the events after this one. */
    void seek(long event) {
        lastTaken = event;
        lastWritten = event;
        clear();
    }

    /** Takes all of the outbox, which the caller writes. */
    List<OutgoingEvent> takeAll() {
        List<OutgoingEvent> all = poll(Integer.MAX_VALUE);
        written();
        return all;
    }

    List<OutgoingEvent> content() {
        return List.copyOf(outbox);
    }

    /**
     * Counts the events that wait for the next connection; without room they are dropped or, if
     * there is a store, read from it later.
     *
     * @param share null where nothing is counted
     * @return whether there was room
     */
    boolean count(WaitingBytes.@Nullable Share share) {
        release(outboxBytes + writing);
        writing = 0;
        waiting = null;
        boolean room = share == null || outboxBytes == 0 || share.tryTake(outboxBytes);
        if (!room) {
            clear();
        }
        waiting = share;
        return room;
    }

    private void release(long bytes) {
        if (waiting != null) {
            waiting.release(bytes);
        }
    }
}
