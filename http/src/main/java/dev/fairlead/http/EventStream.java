package dev.fairlead.http;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream of events in one session: the answer to one POST, or what a GET opened. It outlives its
 * connection where there is an event store, and has at most one connection at a time.
 *
 * <p>What is sent goes into the store and, while a connection keeps up, into a bounded outbox from
 * which its {@link StreamWriter} takes. A connection that resumes, or fell behind by more than the
 * outbox holds, reads from the store until it has caught up. Without a store such a connection is
 * dropped instead. The lock guards all fields, and is held while the store is called, so that the
 * order in the store is the order on the wire; it is never held while the engine is called.
 */
final class EventStream {
    private static final System.Logger LOGGER = System.getLogger(EventStream.class.getName());
    private static final int PAGE = 32;
    private static final Duration LOOKS = Duration.ofSeconds(5);

    /** What the writer is to do after it has written what it took. */
    enum Then {
        WAIT,
        CONTINUE,
        END,
        ABORT
    }

    /** A share of the events, and what comes then. */
    record Batch(List<OutgoingEvent> events, Then then) {}

    private final EventStore.Stream stream;
    private final @Nullable EventStore store;
    private final int bufferLimit;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<OutgoingEvent> outbox = new ArrayDeque<>(0);
    private long outboxBytes;
    private volatile @Nullable StreamWriter writer;

    /** Whether the outbox holds all that the connection has yet to get. */
    private boolean live = true;

    /** Whether more was sent than fits, and nothing keeps it: the connection must go. */
    private boolean overflown;

    private long lastTaken;

    /** The last event of which it is known that it was written whole. */
    private long lastWritten;

    private volatile boolean ended;

    private final SentRequests requests = new SentRequests();

    /** Whether there was a connection, or none to be had: nobody has left before. */
    private boolean begun;

    /** Since when there was seen to be no connection. */
    private @Nullable Instant absentSince;

    /** When to ask the store next whether it still has what the client missed. */
    private Instant nextLook = Instant.MIN;

    /** Whether nobody is expected to come back. */
    private volatile boolean givenUp;

    private Runnable onGivenUp = () -> {};

    EventStream(EventStore.Stream stream, @Nullable EventStore store, int bufferLimit) {
        this.stream = stream;
        this.store = store;
        this.bufferLimit = bufferLimit;
    }

    /** A stream whose last event went out before; it can only be read again. */
    static EventStream ended(EventStore.Stream stream, EventStore store, int bufferLimit) {
        EventStream ended = new EventStream(stream, store, bufferLimit);
        ended.ended = true;
        ended.live = false;
        return ended;
    }

    /** A stream that was begun in another process and goes on; nobody is connected to it. */
    static EventStream left(EventStore.Stream stream, EventStore store, int bufferLimit) {
        EventStream left = new EventStream(stream, store, bufferLimit);
        left.live = false;
        left.begun = true;
        return left;
    }

    String name() {
        return stream.name();
    }

    private EventId at(long number) {
        return new EventId(stream.session(), stream.name(), number);
    }

    /**
     * Adds an event without waking the writer, which {@link #wake} does once no lock is held.
     *
     * @return false if there is no connection and no store that would keep it; for a request also
     *     if nobody is expected to come for it
     */
    boolean add(OutgoingEvent event) {
        lock.lock();
        try {
            if (ended || (store == null && !live) || !takes(event.request())) {
                return false;
            }
            OutgoingEvent numbered = store == null ? event : keep(event, store);
            if (live) {
                outbox.add(numbered);
                outboxBytes += numbered.data().length;
                boundOutbox();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean takes(@Nullable RequestId request) {
        return request == null || (!givenUp && requests.makePlace(lastWritten));
    }

    private OutgoingEvent keep(OutgoingEvent event, EventStore kept) {
        EventId id = kept.append(stream, event.data());
        if (event.request() != null) {
            requests.add(id.number(), event.request());
        }
        return event.withId(id);
    }

    /** One event may have any size; a second must fit. */
    private void boundOutbox() {
        if (outboxBytes > bufferLimit && outbox.size() > 1) {
            live = false;
            if (store == null) {
                overflown = true;
            } else {
                clearOutbox();
            }
        }
    }

    private void clearOutbox() {
        outbox.clear();
        outboxBytes = 0;
    }

    void wake() {
        StreamWriter current;
        boolean drop;
        lock.lock();
        try {
            current = writer;
            drop = overflown;
        } finally {
            lock.unlock();
        }
        if (current != null && drop) {
            current.abort();
        } else if (current != null) {
            current.wake();
        }
    }

    boolean isConnected() {
        return writer != null;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** Says what to do, without a lock, when the client is given up; must return at once. */
    void onGivenUp(Runnable action) {
        lock.lock();
        try {
            onGivenUp = action;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives up a client that has left and either was away for so long, or could not have what it
     * missed; not one whose first connection is just being made. Should it come back all the same,
     * it gets what is kept.
     *
     * @return the requests that were not written
     */
    List<RequestId> giveUp(Instant now, Duration patience) {
        List<RequestId> lost;
        Runnable action;
        lock.lock();
        try {
            if (writer != null || givenUp || !begun) {
                return List.of();
            }
            if (absentSince == null) {
                absentSince = now;
            }
            if (absentSince.plus(patience).isAfter(now) && !isMissing(now)) {
                return List.of();
            }
            givenUp = true;
            lost = requests.after(lastWritten);
            action = onGivenUp;
        } finally {
            lock.unlock();
        }
        action.run();
        return lost;
    }

    /** Whether what the client missed is gone; a store is asked now and then. */
    private boolean isMissing(Instant now) {
        if (store == null) {
            return true;
        }
        if (now.isBefore(nextLook)) {
            return false;
        }
        nextLook = now.plus(LOOKS);
        return store.after(at(lastWritten), 1).isEmpty();
    }

    boolean isEnded() {
        return ended;
    }

    /** Takes the first connection, which gets everything. */
    void open(StreamWriter connection) {
        lock.lock();
        try {
            connected(connection);
        } finally {
            lock.unlock();
        }
        connection.wake();
    }

    /** The first connection was not to be had. */
    void missed() {
        lock.lock();
        try {
            begun = true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a new connection, which gets what came after an event, and drops the one before. */
    void resume(StreamWriter connection, EventId after) {
        StreamWriter before;
        lock.lock();
        try {
            before = writer;
            connected(connection);
            live = false;
            lastTaken = after.number();
            lastWritten = lastTaken;
            clearOutbox();
        } finally {
            lock.unlock();
        }
        if (before != null) {
            before.abort();
        }
    }

    private void connected(StreamWriter connection) {
        writer = connection;
        begun = true;
        absentSince = null;
        givenUp = false;
    }

    /** What the connection is to write next, when all that it took before is written. */
    Batch take(StreamWriter connection, int maxBytes) {
        lock.lock();
        try {
            if (connection != writer) { // someone lets go of it just now, and tells it so next
                return new Batch(List.of(), Then.WAIT);
            }
            lastWritten = lastTaken;
            if (outbox.isEmpty() && !live && !fill()) {
                return new Batch(List.of(), Then.ABORT);
            }
            List<OutgoingEvent> events = poll(maxBytes);
            boolean all = outbox.isEmpty() && live;
            return new Batch(events, !all ? Then.CONTINUE : ended ? Then.END : Then.WAIT);
        } finally {
            lock.unlock();
        }
    }

    /** Reads on from the store; false if there is none, or something is no longer kept. */
    private boolean fill() {
        if (store == null) {
            return false;
        }
        List<EventStore.Event> found = store.after(at(lastTaken), PAGE).orElse(null);
        if (found == null) {
            return false;
        }
        for (EventStore.Event event : found) {
            outbox.add(OutgoingEvent.of(event));
            outboxBytes += event.data().length;
        }
        live = found.isEmpty();
        return true;
    }

    private List<OutgoingEvent> poll(int maxBytes) {
        List<OutgoingEvent> events = new ArrayList<>();
        int size = 0;
        for (OutgoingEvent next = outbox.peek(); next != null; next = outbox.peek()) {
            if (!events.isEmpty() && size + next.data().length > maxBytes) {
                break;
            }
            events.add(outbox.remove());
            size += next.data().length;
            outboxBytes -= next.data().length;
            lastTaken = next.id() == null ? lastTaken : next.id().number();
        }
        return events;
    }

    /**
     * Lets go of a connection, of which the writer tells that it is gone.
     *
     * @return what was not written and is kept by no store; empty if the stream has another
     *     connection
     */
    List<OutgoingEvent> detach(StreamWriter connection) {
        List<OutgoingEvent> unwritten;
        Runnable action;
        lock.lock();
        try {
            if (connection != writer) {
                return List.of();
            }
            unwritten = letGo();
            givenUp = store == null; // there is nothing to come back to
            action = givenUp ? onGivenUp : () -> {};
        } finally {
            lock.unlock();
        }
        action.run();
        return unwritten;
    }

    private List<OutgoingEvent> letGo() {
        writer = null;
        live = false;
        List<OutgoingEvent> unwritten = List.copyOf(outbox);
        clearOutbox();
        return store == null ? unwritten : List.of();
    }

    private @Nullable Leave leave() {
        lock.lock();
        try {
            StreamWriter leaving = writer;
            if (leaving == null) {
                return null;
            }
            List<OutgoingEvent> rest = live ? List.copyOf(outbox) : List.of();
            for (OutgoingEvent last : rest) {
                lastTaken = last.id() == null ? lastTaken : last.id().number();
            }
            lastWritten = lastTaken;
            letGo();
            return new Leave(leaving, rest);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the client away for a while, after what it is still to get.
     *
     * @return false if there is no connection
     */
    boolean sendAway(Duration retryAfter) {
        Leave leave = leave();
        if (leave != null) {
            leave.writer().finish(leave.rest(), retryAfter);
        }
        return leave != null;
    }

    /** A connection that is to end, with the events that it is still to write. */
    private record Leave(StreamWriter writer, List<OutgoingEvent> rest) {}

    /** Nothing more will be sent: the connection ends once everything is written. */
    void end() {
        finish();
        wake();
    }

    /** The same, without waking the writer. */
    void finish() {
        lock.lock();
        try {
            if (!ended && store != null) {
                store.end(stream.session(), stream.name());
            }
        } catch (EventStoreException e) { // whoever comes back ends it
            LOGGER.log(Level.WARNING, "The end of a stream was not kept", e);
        } finally {
            ended = true;
            lock.unlock();
        }
    }

    /** Drops the connection, if there is one. */
    void abort() {
        StreamWriter current = writer;
        if (current != null) {
            current.abort();
        }
    }
}
