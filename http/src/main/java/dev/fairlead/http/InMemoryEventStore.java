package dev.fairlead.http;

import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Events in the memory of this process. Each session has its own share of events and bytes, so that
 * a busy one only pushes out its own; above them stands a limit of bytes for all, which takes from
 * the session that was quiet the longest. The newest event of a session always stays, however
 * large, until it is too old. Calls do not block. Safe for use by several threads.
 *
 * <p>One lock guards everything; what runs under it is short.
 */
public final class InMemoryEventStore implements EventStore {
    /** Events that a session may have in store. */
    public static final int DEFAULT_EVENTS_PER_SESSION = 1_000;

    /** Bytes that the events of one session may have. */
    public static final long DEFAULT_BYTES_PER_SESSION = 4 << 20;

    /** Bytes that all events may have. */
    public static final long DEFAULT_BYTES = 128 << 20;

    /** How long an event is kept. */
    public static final Duration DEFAULT_AGE = Duration.ofMinutes(5);

    private static final int OVERHEAD = 64; // what an event costs beside its bytes, roughly

    private final int maxEvents;
    private final long maxSessionBytes;
    private final long maxBytes;
    private final Duration maxAge;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, Share> shares = new HashMap<>();

    /** The shares that have events; the one that was quiet the longest comes first. */
    private final LinkedHashSet<Share> filled = new LinkedHashSet<>();

    private long bytes;

    private record Kept(Event event, Instant time) {
        int size() {
            return event.data().length + OVERHEAD;
        }
    }

    private static final class Log {
        final ArrayDeque<Kept> events = new ArrayDeque<>();
        final String stream;
        long last;
        long lastEvicted;
        boolean ended;

        Log(String stream) {
            this.stream = stream;
        }
    }

    private static final class Share {
        final String session;
        final Map<String, Log> logs = new HashMap<>();

        /** To which stream each event belongs, oldest first. */
        final ArrayDeque<Log> order = new ArrayDeque<>();

        long bytes;
        Instant newest = Instant.MIN;

        Share(String session) {
            this.session = session;
        }
    }

    /** With the default limits. */
    public InMemoryEventStore() {
        this(
                DEFAULT_EVENTS_PER_SESSION,
                DEFAULT_BYTES_PER_SESSION,
                DEFAULT_BYTES,
                DEFAULT_AGE,
                Clock.systemUTC());
    }

    /**
     * @param eventsPerSession at least 1
     * @param bytesPerSession of one session's events
     * @param bytes of all events
     * @param age after which an event goes
     * @param clock by which the age is told
     */
    public InMemoryEventStore(
            int eventsPerSession, long bytesPerSession, long bytes, Duration age, Clock clock) {
        if (eventsPerSession < 1 || bytesPerSession < 1 || bytes < 1 || !age.isPositive()) {
            throw new IllegalArgumentException("the limits of an event store must be positive");
        }
        this.maxEvents = eventsPerSession;
        this.maxSessionBytes = bytesPerSession;
        this.maxBytes = bytes;
        this.maxAge = age;
        this.clock = java.util.Objects.requireNonNull(clock, "clock");
    }

    @Override
    public EventId append(String session, String stream, byte[] data) {
        Instant now = clock.instant();
        lock.lock();
        try {
            Share share = shares.computeIfAbsent(session, Share::new);
            Log log = share.logs.computeIfAbsent(stream, Log::new);
            Kept kept = new Kept(new Event(new EventId(session, stream, ++log.last), data), now);
            log.events.add(kept);
            share.order.add(log);
            share.newest = now;
            filled.remove(share);
            filled.add(share);
            share.bytes += kept.size();
            bytes += kept.size();
            evict(share, now);
            return kept.event().id();
        } finally {
            lock.unlock();
        }
    }

    private void evict(Share grown, Instant now) {
        Instant oldest = now.minus(maxAge);
        dropOld(grown, oldest);
        while (grown.order.size() > 1
                && (grown.order.size() > maxEvents || grown.bytes > maxSessionBytes)) {
            dropFirst(grown);
        }
        var quiet = filled.iterator();
        while (quiet.hasNext()) {
            Share share = quiet.next();
            boolean stale = share.newest.isBefore(oldest);
            if (!stale && bytes <= maxBytes) {
                break;
            }
            while (!share.order.isEmpty()
                    && (stale
                            || (bytes > maxBytes && (share != grown || share.order.size() > 1)))) {
                dropFirst(share);
            }
            if (share.order.isEmpty()) {
                quiet.remove();
            }
            if (share.logs.isEmpty()) {
                shares.remove(share.session);
            }
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
        share.bytes -= kept.size();
        bytes -= kept.size();
        if (log.ended && log.events.isEmpty()) {
            share.logs.remove(log.stream);
        }
    }

    @Override
    public Optional<List<Event>> after(EventId last, int limit) {
        Instant oldest = clock.instant().minus(maxAge);
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
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
    public void end(String session, String stream) {
        lock.lock();
        try {
            Share share = shares.get(session);
            Log log = share == null ? null : share.logs.get(stream);
            if (share != null && log != null) {
                log.ended = true;
                if (log.events.isEmpty()) {
                    share.logs.remove(stream);
                }
                if (share.logs.isEmpty()) {
                    shares.remove(session);
                    filled.remove(share);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void forget(String session) {
        lock.lock();
        try {
            @Nullable Share share = shares.remove(session);
            if (share != null) {
                filled.remove(share);
                bytes -= share.bytes;
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many sessions have events that are kept now. */
    int filled() {
        lock.lock();
        try {
            return filled.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes the events have that are kept now, with a small overhead for each. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }
}
