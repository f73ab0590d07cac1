package dev.fairlead.http.endpoint;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.protocol.SessionHost;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts the events at an endpoint since its start. Safe for use by several threads. */
public final class Counters {
    private final LongAdder sessionsOpened = new LongAdder();
    private final LongAdder requestsRefused = new LongAdder();
    private final LongAdder messagesDropped = new LongAdder();
    private final LongAdder forwarded = new LongAdder();
    private final Refusals refusals;

    public Counters(SessionHost host, LongSupplier nanos) {
        refusals = new Refusals(host, nanos);
    }

    public void sessionOpened() {
        sessionsOpened.increment();
    }

    /** A request is refused with this status. */
    public void refused(HttpRefusal refusal, int status, HttpExchange exchange) {
        if (isTemporary(status)) {
            requestsRefused.increment();
        }
        refusals.add(refusal, status, exchange.remoteAddress());
    }

    /** Returns whether the same request may succeed later. */
    static boolean isTemporary(int status) {
        return status == 503 || status == 429;
    }

    public Refusals refusals() {
        return refusals;
    }

    /** Events were given up; those that are not messages do not count. */
    public void dropped(List<OutgoingEvent> events) {
        events.stream()
                .filter(event -> event.kind() == OutgoingEvent.Kind.MESSAGE)
                .forEach(event -> messagesDropped.increment());
    }

    public long sessionsOpened() {
        return sessionsOpened.sum();
    }

    public long requestsRefused() {
        return requestsRefused.sum();
    }

    /** A request is forwarded to another node. */
    public void forward() {
        forwarded.increment();
    }

    public long forwarded() {
        return forwarded.sum();
    }

    public long messagesDropped() {
        return messagesDropped.sum();
    }
}
