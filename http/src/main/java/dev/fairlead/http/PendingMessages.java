package dev.fairlead.http;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;

import org.jspecify.annotations.Nullable;

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

    private record Entry(OutgoingEvent event, @Nullable String change) {}

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final Set<String> changes = new HashSet<>();
    private long bytes;

    /**
     * Adds a message at the end.
     *
     * @return false if it is full
     */
    boolean add(JsonRpcMessage message, OutgoingEvent event) {
        String change = change(message);
        if (change != null && changes.contains(change)) {
            return true;
        }
        if (!fits(event)) {
            return false;
        }
        if (change != null) {
            changes.add(change);
        }
        entries.add(new Entry(event, change));
        bytes += event.data().length;
        return true;
    }

    /** Names what a notification says that it need not say twice; null for all other messages. */
    private static @Nullable String change(JsonRpcMessage message) {
        if (!(message instanceof JsonRpcNotification told)) {
            return null;
        }
        boolean repeatable =
                told.method().endsWith("/list_changed")
                        || told.method().equals("notifications/resources/updated");
        return repeatable ? told.method() + " " + told.params() : null;
    }

    /**
     * Puts messages back before all others, in their order.
     *
     * @return those that did not fit
     */
    List<OutgoingEvent> putBack(List<OutgoingEvent> events) {
        List<OutgoingEvent> surplus = new ArrayList<>();
        for (OutgoingEvent event : events.reversed()) {
            if (fits(event)) {
                entries.addFirst(new Entry(event, null));
                bytes += event.data().length;
            } else {
                surplus.add(event);
            }
        }
        return surplus;
    }

    private boolean fits(OutgoingEvent event) {
        return entries.size() < MAX_MESSAGES
                && (entries.isEmpty() || bytes + event.data().length <= MAX_BYTES);
    }

    /** Takes everything out. */
    List<OutgoingEvent> drain() {
        List<OutgoingEvent> events = entries.stream().map(Entry::event).toList();
        entries.clear();
        changes.clear();
        bytes = 0;
        return events;
    }
}
