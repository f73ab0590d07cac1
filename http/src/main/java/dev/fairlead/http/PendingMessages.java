package dev.fairlead.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Messages for which no stream is open yet (ROOM-053). Bounded; a notification that only says that
 * something changed stands in it once, and notifications make place for requests, the oldest first.
 * Used by one thread at a time.
 */
final class PendingMessages {
    /** The most messages. */
    static final int MAX_MESSAGES = 1_000;

    /** The most bytes, in which a single message of any size fits. */
    static final int MAX_BYTES = 1 << 20;

    private final ArrayDeque<OutgoingEvent> events = new ArrayDeque<>(0);
    private long bytes;
    private int requests;

    /**
     * Adds a message at the end.
     *
     * @return what found no place: that message, or those that made place for it
     */
    List<OutgoingEvent> add(OutgoingEvent event) {
        if (isSaid(event)) {
            return List.of();
        }
        List<OutgoingEvent> dropped = makePlace(event);
        if (!fits(event)) {
            return List.of(event);
        }
        events.addLast(counted(event));
        return dropped;
    }

    /**
     * Puts messages back before all others, in their order.
     *
     * @return what found no place
     */
    List<OutgoingEvent> putBack(List<OutgoingEvent> returned) {
        List<OutgoingEvent> dropped = new ArrayList<>();
        for (OutgoingEvent event : returned.reversed()) {
            if (isSaid(event)) {
                continue; // a later one says it
            }
            dropped.addAll(makePlace(event));
            if (fits(event)) {
                events.addFirst(counted(event));
            } else {
                dropped.add(event);
            }
        }
        return dropped;
    }

    private boolean isSaid(OutgoingEvent event) {
        String change = event.change();
        return change != null && events.stream().anyMatch(other -> change.equals(other.change()));
    }

    private boolean fits(OutgoingEvent event) {
        return events.size() < MAX_MESSAGES
                && (events.isEmpty() || bytes + event.data().length <= MAX_BYTES);
    }

    /** Removes notifications where that gives a request its place. */
    private List<OutgoingEvent> makePlace(OutgoingEvent event) {
        if (event.request() == null || fits(event) || !wouldFit(event)) {
            return List.of();
        }
        List<OutgoingEvent> removed = new ArrayList<>();
        Iterator<OutgoingEvent> oldest = events.iterator();
        while (!fits(event)) {
            OutgoingEvent next = oldest.next();
            if (next.request() == null) {
                oldest.remove();
                bytes -= next.data().length;
                removed.add(next);
            }
        }
        return removed;
    }

    private boolean wouldFit(OutgoingEvent event) {
        long asked =
                events.stream()
                        .filter(other -> other.request() != null)
                        .mapToLong(other -> other.data().length)
                        .sum();
        return requests == 0
                || (requests < MAX_MESSAGES && asked + event.data().length <= MAX_BYTES);
    }

    private OutgoingEvent counted(OutgoingEvent event) {
        if (event.request() != null) {
            requests++;
        }
        bytes += event.data().length;
        return event;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Whether there are as many requests as there may be messages. */
    boolean isFullOfRequests() {
        return requests == MAX_MESSAGES;
    }

    /** Takes everything out. */
    List<OutgoingEvent> drain() {
        List<OutgoingEvent> all = List.copyOf(events);
        events.clear();
        bytes = 0;
        requests = 0;
        return all;
    }
}
