package dev.fairlead.http;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What happened at an endpoint since its start, counted. Safe for use by several threads. */
final class Counters {
    private final LongAdder sessionsOpened = new LongAdder();
    private final LongAdder requestsRefused = new LongAdder();
    private final LongAdder messagesDropped = new LongAdder();

    void sessionOpened() {
        sessionsOpened.increment();
    }

    /** A request was answered with 503 or 429. */
    void requestRefused() {
        requestsRefused.increment();
    }

    /** A message was given up, since nobody was there to take it. */
    void messageDropped() {
        messagesDropped.increment();
    }

    /** Events were given up; those that are no messages do not count. */
    void dropped(List<OutgoingEvent> events) {
        events.stream()
                .filter(event -> event.kind() == OutgoingEvent.Kind.MESSAGE)
                .forEach(event -> messageDropped());
    }

    long sessionsOpened() {
        return sessionsOpened.sum();
    }

    long requestsRefused() {
        return requestsRefused.sum();
    }

    long messagesDropped() {
        return messagesDropped.sum();
    }
}
