package dev.fairlead.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Messages for which no stream is open yet (ROOM-053). Bounded; a notification that only says that
 * something changed stands in it once. Used by one thread at a time.
 */
final class PendingMessages {
    /** The most messages. */
    static final int MAX_MESSAGES = 1_000;

    /** The most bytes, in which a single message of any size fits. */
    static final int MAX_BYTES = 1 << 20;

    private final ArrayDeque<OutgoingEvent> events = new ArrayDeque<>();
    private final Set<String> changes = new HashSet<>();
    private long bytes;

    /**
     * Adds a message at the end.
     *
     * @return false if it is full
     */
    boolean add(OutgoingEvent event) {
        if (isSaid(event)) {
            return true;
        }
        if (!fits(event)) {
            return false;
        }
        events.addLast(counted(event));
        return true;
    }

    /**
     * Puts messages back before all others, in their order.
     *
     * @return those that did not fit
     */
    List<OutgoingEvent> putBack(List<OutgoingEvent> returned) {
        List<OutgoingEvent> surplus = new ArrayList<>();
        for (OutgoingEvent event : returned.reversed()) {
            if (isSaid(event)) {
                continue; // a later one says it
            }
            if (fits(event)) {
                events.addFirst(counted(event));
            } else {
                surplus.add(event);
            }
        }
        return surplus;
    }

    private boolean isSaid(OutgoingEvent event) {
        return event.change() != null && changes.contains(event.change());
    }

    private boolean fits(OutgoingEvent event) {
        return events.size() < MAX_MESSAGES
                && (events.isEmpty() || bytes + event.data().length <= MAX_BYTES);
    }

    private OutgoingEvent counted(OutgoingEvent event) {
        if (event.change() != null) {
            changes.add(event.change());
        }
        bytes += event.data().length;
        return event;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Takes everything out. */
    List<OutgoingEvent> drain() {
        List<OutgoingEvent> all = List.copyOf(events);
        events.clear();
        changes.clear();
        bytes = 0;
        return all;
    }
}
