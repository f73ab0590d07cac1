package dev.fairlead.http.stream;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Messages of a session for which no stream is open yet. Bounded, also together with those of all
 * other sessions; a notification that only reports a change waits once, and notifications make
 * place for requests, the oldest first. Used by one thread at a time.
 */
public final class PendingMessages {
    /** The most messages. */
    public static final int MAX_MESSAGES = 1_000;

    /** The most bytes, in which a single message of any size fits. */
    public static final int MAX_BYTES = 1 << 20;

    /** The memory of a message besides its text, roughly. */
    public static final int OVERHEAD = 200;

    private final Supplier<WaitingBytes.Share> shares;
    private final ArrayDeque<OutgoingEvent> events = new ArrayDeque<>(0);
    private WaitingBytes.@Nullable Share share;
    private long bytes;
    private int requests;

    /**
     * @param shares gives the share of this session in the bytes of all sessions; called once, when
     *     the first message waits
     */
    public PendingMessages(Supplier<WaitingBytes.Share> shares) {
        this.shares = shares;
    }

    /**
     * Adds a message at the end.
     *
     * @return the messages that found no place: that one, or those removed for it
     */
    public List<OutgoingEvent> add(OutgoingEvent event) {
        List<OutgoingEvent> dropped = new ArrayList<>();
        add(event, events::addLast, dropped);
        return dropped;
    }

    /**
     * Puts messages back before all others, in their order.
     *
     * @return the messages that found no place
     */
    public List<OutgoingEvent> putBack(List<OutgoingEvent> returned) {
        List<OutgoingEvent> dropped = new ArrayList<>();
        returned.reversed().forEach(event -> add(event, events::addFirst, dropped));
        return dropped;
    }

    /** Adds a message unless one that waits replaces it. */
    private void add(
            OutgoingEvent event, Consumer<OutgoingEvent> end, List<OutgoingEvent> dropped) {
        if (isQueued(event)) {
            return;
        }
        if (makePlace(event, dropped)) {
            end.accept(event);
        } else {
            dropped.add(event);
        }
    }

    private boolean isQueued(OutgoingEvent event) {
        String change = event.change();
        return change != null && events.stream().anyMatch(other -> change.equals(other.change()));
    }

    /**
     * Counts a message that is to be added. For a request the oldest notifications are removed
     * where that gives it a place.
     *
     * @param dropped gets the removed messages
     * @return false, and nothing changed, if there is no place
     */
    private boolean makePlace(OutgoingEvent event, List<OutgoingEvent> dropped) {
        int removed = 0;
        long data = 0;
        long size = 0;
        boolean found = takePlace(event, removed, data, size);
        Iterator<OutgoingEvent> oldest = events.iterator();
        while (!found && event.request() != null && oldest.hasNext()) {
            OutgoingEvent next = oldest.next();
            if (next.request() == null) {
                removed++;
                data += next.data().length;
                size += size(next);
                found = takePlace(event, removed, data, size);
            }
        }
        if (found) {
            removeNotifications(removed, dropped);
            bytes += event.data().length - data;
            requests += event.request() == null ? 0 : 1;
        }
        return found;
    }

    /** Takes a place in all limits, as it is when some messages are gone. */
    private boolean takePlace(OutgoingEvent event, int removed, long data, long size) {
        boolean fits =
                events.size() - removed < MAX_MESSAGES
                        && (events.size() == removed
                                || bytes - data + event.data().length <= MAX_BYTES);
        return fits && share().tryReplace(size, size(event));
    }

    private void removeNotifications(int count, List<OutgoingEvent> removed) {
        Iterator<OutgoingEvent> oldest = events.iterator();
        for (int left = count; left > 0; ) {
            OutgoingEvent next = oldest.next();
            if (next.request() == null) {
                oldest.remove();
                removed.add(next);
                left--;
            }
        }
    }

    private WaitingBytes.Share share() {
        WaitingBytes.Share known = share;
        if (known == null) {
            known = shares.get();
            share = known;
        }
        return known;
    }

    /** Returns the bytes that a message takes in memory, roughly. */
    public static long size(OutgoingEvent event) {
        String change = event.change();
        return OVERHEAD + event.data().length + (change == null ? 0 : 2L * change.length());
    }

    /** Returns how many messages wait. */
    int size() {
        return events.size();
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    /** Whether there are as many requests as there may be messages. */
    public boolean isFullOfRequests() {
        return requests == MAX_MESSAGES;
    }

    /** Returns the first message without removing it; null if there is none. */
    @Nullable OutgoingEvent first() {
        return events.peekFirst();
    }

    /** Removes the first message. */
    public void removeFirst() {
        OutgoingEvent first = events.removeFirst();
        bytes -= first.data().length;
        requests -= first.request() == null ? 0 : 1;
        share().release(size(first));
    }

    /** Takes everything out. */
    public List<OutgoingEvent> drain() {
        List<OutgoingEvent> all = List.copyOf(events);
        while (!events.isEmpty()) {
            removeFirst();
        }
        return all;
    }
}
