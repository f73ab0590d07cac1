package dev.fairlead.http;

import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.limits.HeapPlan;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Events in the memory of this process. Each session has its own share of events and bytes, so that
 * a busy one only pushes out its own; above them stands a limit of bytes for all, which takes from
 * the session with the most bytes. Calls do not block. Safe for use by several threads.
 *
 * <p>One lock guards everything; it is held only shortly.
 */
public final class InMemoryEventStore implements EventStore {
    private static final int OVERHEAD = 64; // the size of an event beside its bytes, roughly

    private final EventLimits limits;
    private final Clock clock;
    private final Object lock = new Object();

    private final Map<String, Share> shares = new HashMap<>();

    /** The shares that have events; the one that was quiet the longest comes first. */
    private final LinkedHashSet<Share> filled = new LinkedHashSet<>();

    /** The same shares by their bytes; of equal ones the quietest comes last. */
    private final TreeSet<Share> bySize =
            new TreeSet<>(
                    Comparator.<Share>comparingLong(share -> share.bytes)
                            .thenComparingLong(share -> -share.used));

    private long bytes;
    private long appended;

    private record Kept(Event event, Instant time) {
        int size() {
            return event.data().length + OVERHEAD;
        }
    }

    private static final class Log {
        final ArrayDeque<Kept> events = new ArrayDeque<>(0);
        final Stream stream;
        long last;
        long lastEvicted;
        boolean ended;

        Log(Stream stream) {
            this.stream = stream;
        }
    }

    private static final class Share {
        final String session;
        final Map<String, Log> logs = new HashMap<>(2);

        /** The streams of the events, oldest event first. */
        final ArrayDeque<Log> order = new ArrayDeque<>(0);

        long bytes;
        long used; // the number of the last append
        Instant newest = Instant.MIN;

        Share(String session) {
            this.session = session;
        }
    }

    /**
     * Creates a store with the default limits; the bytes of all events are an eighth of the largest
     * heap if that is less.
     */
    public InMemoryEventStore() {
        this(ofHeap(EventLimits.DEFAULT));
    }

    private static EventLimits ofHeap(EventLimits limits) {
        return new EventLimits(
                limits.eventsPerSession(),
                limits.bytesPerSession(),
                HeapPlan.EVENTS.bytes(),
                limits.age());
    }

    /** Creates a store with these limits. */
    public InMemoryEventStore(EventLimits limits) {
        this(limits, Clock.systemUTC());
    }

    /**
     * @param clock by which the age is measured
     */
    public InMemoryEventStore(EventLimits limits, Clock clock) {
        this.limits = Objects.requireNonNull(limits, "limits");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @Override
    public EventId append(Stream stream, byte[] data) {
        Instant now = clock.instant();
        synchronized (lock) {
            Share share = shares.computeIfAbsent(stream.session(), Share::new);
            Log log = share.logs.computeIfAbsent(stream.name(), name -> new Log(stream));
            EventId id = new EventId(stream.session(), stream.name(), ++log.last);
            Kept kept = new Kept(new Event(id, data), now);
            log.events.add(kept);
            share.order.add(log);
            share.newest = now;
            filled.addLast(share);
            bySize.remove(share);
            share.used = ++appended;
            resize(share, kept.size());
            evict(share, kept, now);
            return id;
        }
    }

    private void resize(Share share, int by) {
        bySize.remove(share);
        share.bytes += by;
        bytes += by;
        if (share.bytes > 0) {
            bySize.add(share);
        }
    }

    private void evict(Share grown, Kept added, Instant now) {
        Instant oldest = now.minus(limits.age());
        dropOld(grown, oldest);
        while (grown.order.size() > 1
                && (grown.order.size() > limits.eventsPerSession()
                        || grown.bytes > limits.bytesPerSession())) {
            dropFirst(grown);
        }
        while (filled.getFirst().newest.isBefore(oldest)) { // not that of the new event
            Share stale = filled.getFirst();
            while (!stale.order.isEmpty()) {
                dropFirst(stale);
            }
            forgetEmpty(stale);
        }
        // An event that exceeds the limit alone stays, and the others would go for nothing.
        int beyond = added.size() > limits.bytes() ? added.size() : 0;
        Share largest = largest(grown);
        while (bytes > limits.bytes() + beyond && largest != null) {
            dropFirst(largest);
            forgetEmpty(largest);
            largest = largest(grown);
        }
    }

    /** Returns the share with the most bytes beside the new event; null if there is none. */
    private @Nullable Share largest(Share grown) {
        Share largest = bySize.last();
        return largest == grown && grown.order.size() == 1 ? bySize.lower(grown) : largest;
    }

    private void forgetEmpty(Share share) {
        if (share.order.isEmpty()) {
            filled.remove(share);
        }
        if (share.logs.isEmpty()) {
            shares.remove(share.session);
        }
    }

    private void dropOld(Share share, Instant oldest) {
        for (Log log = share.order.peek(); log != null; log = share.order.peek()) {
            Kept first = log.events.peek();
            if (first == null || !first.time().isBefore(oldest)) {
                return;
            }
            dropFirst(share);
        }
    }

    private void dropFirst(Share share) {
        Log log = share.order.remove();
        Kept kept = log.events.remove();
        log.lastEvicted = kept.event().id().number();
        resize(share, -kept.size());
        if (log.ended && log.events.isEmpty()) {
            share.logs.remove(log.stream.name());
        }
    }

    @Override
    public Optional<List<Event>> after(EventId last, int limit) {
        Instant oldest = clock.instant().minus(limits.age());
        synchronized (lock) {
            Share share = shares.get(last.session());
            if (share == null) {
                return Optional.empty();
            }
            dropOld(share, oldest);
            Log log = share.logs.get(last.stream());
            if (log == null || last.number() < log.lastEvicted || last.number() > log.last) {
                return Optional.empty();
            }
            return Optional.of(after(log, last.number(), limit));
        }
    }

    private static List<Event> after(Log log, long number, int limit) {
        List<Event> found = new ArrayList<>();
        for (Kept kept : log.events) {
            if (found.size() == limit) {
                break;
            }
            if (kept.event().id().number() > number) {
                found.add(kept.event());
            }
        }
        return found;
    }

    @Override
    public Optional<Stream> open(String session, String name) {
        synchronized (lock) {
            Share share = shares.get(session);
            Log log = share == null ? null : share.logs.get(name);
            return log == null || log.ended ? Optional.empty() : Optional.of(log.stream);
        }
    }

    @Override
    public void end(String session, String name) {
        synchronized (lock) {
            Share share = shares.get(session);
            Log log = share == null ? null : share.logs.get(name);
            if (share != null && log != null) {
                log.ended = true;
                if (log.events.isEmpty()) {
                    share.logs.remove(name);
                }
                if (share.logs.isEmpty()) {
                    shares.remove(session);
                    filled.remove(share);
                }
            }
        }
    }

    @Override
    public void forget(String session) {
        synchronized (lock) {
            @Nullable Share share = shares.remove(session);
            if (share != null) {
                filled.remove(share);
                bySize.remove(share);
                bytes -= share.bytes;
            }
        }
    }

    /** How many sessions have events that are kept now. */
    int filled() {
        synchronized (lock) {
            return filled.size();
        }
    }

    /** How many bytes the events have that are kept now, with a small overhead for each. */
    long bytes() {
        synchronized (lock) {
            return bytes;
        }
    }
}
