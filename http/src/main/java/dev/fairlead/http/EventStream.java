package dev.fairlead.http;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.StreamTakenOverException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
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
        /** Ends the connection, to which the client comes back after a while. */
        RETRY,
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

    /** The bytes that the connection writes just now. */
    private long writing;

    private WaitingBytes.@Nullable Share waiting;
    private volatile @Nullable StreamWriter writer;

    /** Whether the outbox holds all that the connection has yet to get. */
    private boolean live = true;

    /** Whether more was sent than fits, and nothing keeps it: the connection must go. */
    private boolean overflown;

    /** What the store could not keep and the outbox does not hold; the connection is to get it. */
    private final ArrayDeque<OutgoingEvent> unstored = new ArrayDeque<>(0);

    /** What the store could not keep and is being written. */
    private final List<OutgoingEvent> unstoredInFlight = new ArrayList<>(0);

    private long unstoredBytes;

    /** Whether the store could not keep an event, so that it must not call the stream whole. */
    private boolean incomplete;

    private long lastTaken;

    /** The last event of which it is known that it was written whole. */
    private long lastWritten;

    private volatile boolean ended;

    /** Whether another process serves the stream, so that what follows is not known yet. */
    private final boolean elsewhere;

    /** Whether the store has the end of the stream. */
    private volatile boolean endStored;

    /** Whether another process has taken the stream over from this one. */
    private volatile boolean takenOver;

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
        this(stream, store, bufferLimit, false);
    }

    private EventStream(
            EventStore.Stream stream,
            @Nullable EventStore store,
            int bufferLimit,
            boolean elsewhere) {
        this.elsewhere = elsewhere;
        this.stream = stream;
        this.store = store;
        this.bufferLimit = bufferLimit;
    }

    /** A stream whose last event went out before; it can only be read again. */
    static EventStream ended(EventStore.Stream stream, EventStore store, int bufferLimit) {
        return readOnly(stream, store, bufferLimit, false);
    }

    /**
     * A stream that another process serves: it can be read as far as that has come, again and again
     * until it ends.
     */
    static EventStream elsewhere(EventStore.Stream stream, EventStore store, int bufferLimit) {
        return readOnly(stream, store, bufferLimit, true);
    }

    private static EventStream readOnly(
            EventStore.Stream stream, EventStore store, int bufferLimit, boolean elsewhere) {
        EventStream ended = new EventStream(stream, store, bufferLimit, elsewhere);
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
     * Adds an event without waking the writer, which {@link #wake} does once no lock is held. What
     * the store cannot keep goes to the connection all the same, if there is one; a client that
     * leaves before it was written gets it when it comes back to this process.
     *
     * @return false if there is no connection and no store that would keep it, or another process
     *     has taken the stream over; for a request also if nobody is expected to come for it
     * @throws EventStoreException if the store cannot keep it, and there is no connection
     */
    boolean add(OutgoingEvent event) {
        lock.lock();
        try {
            if (ended || (store == null && !live) || !takes(event.request())) {
                return false;
            }
            OutgoingEvent numbered;
            try {
                numbered = store == null ? event : keep(event, store);
            } catch (StreamTakenOverException e) {
                loseToOther();
                return false;
            }
            if (live && mayWait(numbered.data().length)) {
                outbox.add(numbered);
                outboxBytes += numbered.data().length;
                boundOutbox();
            } else {
                if (live) {
                    overflow(); // what came before keeps its place
                }
                if (numbered.id() == null && store != null) {
                    holdUnstored(numbered);
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Another process has ended the stream: whoever comes back to it reads that in the store. */
    private void loseToOther() {
        LOGGER.log(
                Level.WARNING,
                "Stream {0} of session {1} was taken over by another server, since the lease of"
                        + " this one had expired; its messages are dropped",
                stream.name(),
                stream.session());
        takenOver = true;
        ended = true;
        clearOutbox();
        unstored.clear();
        unstoredBytes = 0;
    }

    private boolean takes(@Nullable RequestId request) {
        return request == null || (!givenUp && requests.makePlace(lastWritten));
    }

    private OutgoingEvent keep(OutgoingEvent event, EventStore kept) {
        EventId id;
        try {
            id = kept.append(stream, event.data());
        } catch (StreamTakenOverException e) {
            throw e;
        } catch (EventStoreException e) {
            boolean connected = writer != null || !begun;
            if (!connected || unstoredBytes > bufferLimit) {
                throw e;
            }
            Level level = incomplete ? Level.DEBUG : Level.WARNING;
            LOGGER.log(level, "An event was not stored; it is sent on the open connection", e);
            incomplete = true;
            return event;
        }
        if (event.request() != null) {
            requests.add(id.number(), event.request());
        }
        return event.withId(id);
    }

    private void holdUnstored(OutgoingEvent event) {
        unstored.add(event);
        unstoredBytes += event.data().length;
    }

    /** One event may have any size; a second must fit. */
    private void boundOutbox() {
        if (outboxBytes > bufferLimit && outbox.size() > 1) {
            overflow();
        }
    }

    /** There is no more room: the connection reads from the store from now on, or goes. */
    private void overflow() {
        live = false;
        if (store == null) {
            overflown = true;
        } else {
            clearOutbox();
        }
    }

    /** What is in the store will be read from there. */
    private void clearOutbox() {
        release(outboxBytes);
        if (store != null) {
            outbox.stream().filter(event -> event.id() == null).forEach(this::holdUnstored);
        }
        outbox.clear();
        outboxBytes = 0;
    }

    private boolean mayWait(long bytes) {
        return waiting == null || waiting.tryTake(bytes);
    }

    private void release(long bytes) {
        if (waiting != null) {
            waiting.release(bytes);
        }
    }

    /** What the connection before wrote is written, or lost. */
    private void written() {
        release(writing);
        writing = 0;
    }

    /**
     * Counts what waits for the next connection.
     *
     * @param share null where nothing is counted
     */
    void counted(WaitingBytes.@Nullable Share share) {
        lock.lock();
        try {
            release(outboxBytes + writing);
            writing = 0;
            waiting = null;
            if (share != null && outboxBytes > 0 && !share.tryTake(outboxBytes)) {
                overflow();
                clearOutbox();
            }
            waiting = share;
        } finally {
            lock.unlock();
        }
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

    /** Whether it has lost its connection; false before the first one. */
    boolean isLeft() {
        lock.lock();
        try {
            return begun && writer == null;
        } finally {
            lock.unlock();
        }
    }

    /** Finds out whether the client is still connected. Returns at once. */
    void probe() {
        StreamWriter current = writer;
        if (current != null) {
            current.beat(Instant.MAX);
        }
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
            if (!takenOver && absentSince.plus(patience).isAfter(now) && !isMissing(now)) {
                return List.of();
            }
            givenUp = true;
            lost = new ArrayList<>(requests.after(lastWritten));
            lost.addAll(OutgoingEvent.requests(List.copyOf(unstored)));
            unstored.clear();
            unstoredBytes = 0;
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

    boolean isTakenOver() {
        return takenOver;
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
            returnInFlight();
            connected(connection);
            live = false;
            lastTaken = after.number();
            lastWritten = lastTaken;
            written();
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
            written();
            unstoredInFlight.clear();
            if (takenOver || (outbox.isEmpty() && !live && !fill())) {
                return new Batch(List.of(), Then.ABORT);
            }
            List<OutgoingEvent> events = poll(maxBytes);
            boolean all = outbox.isEmpty() && live;
            return new Batch(events, all ? last() : Then.CONTINUE);
        } finally {
            lock.unlock();
        }
    }

    /** What comes after all that there is. */
    private Then last() {
        if (elsewhere) {
            return Then.RETRY;
        }
        return ended ? Then.END : Then.WAIT;
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
            if (!mayWait(event.data().length)) {
                return !outbox.isEmpty(); // the rest is read later
            }
            addToOutbox(OutgoingEvent.of(event));
            unstored.removeIf(known -> Arrays.equals(known.data(), event.data())); // kept after all
        }
        unstoredBytes = unstored.stream().mapToLong(event -> event.data().length).sum();
        live = found.isEmpty();
        if (live) {
            addUnstored();
        }
        return live || !outbox.isEmpty();
    }

    /** Moves to the outbox what the store does not have, as far as there is room. */
    private void addUnstored() {
        while (!unstored.isEmpty()) {
            OutgoingEvent next = unstored.element();
            if (!mayWait(next.data().length)) {
                live = false; // the rest is added later
                return;
            }
            unstored.remove();
            unstoredBytes -= next.data().length;
            addToOutbox(next);
        }
    }

    private void addToOutbox(OutgoingEvent event) {
        outbox.add(event);
        outboxBytes += event.data().length;
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
            writing += next.data().length;
            lastTaken = next.id() == null ? lastTaken : next.id().number();
            if (next.id() == null && store != null) {
                unstoredInFlight.add(next);
            }
        }
        return events;
    }

    /** What the connection has not written whole, and the store does not have, is still to come. */
    private void returnInFlight() {
        for (OutgoingEvent event : unstoredInFlight.reversed()) {
            unstored.addFirst(event);
            unstoredBytes += event.data().length;
        }
        unstoredInFlight.clear();
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
            returnInFlight();
            unwritten = detach();
            givenUp = store == null; // there is nothing to come back to
            action = givenUp ? onGivenUp : () -> {};
        } finally {
            lock.unlock();
        }
        action.run();
        return unwritten;
    }

    private List<OutgoingEvent> detach() {
        writer = null;
        live = false;
        written();
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
            if (live) {
                outbox.clear(); // the farewell has it
            }
            unstoredInFlight.clear();
            detach();
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
    boolean closeWithRetry(Duration retryAfter) {
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

    /** The same, without waking the writer. A stream that lacks events stays open in the store. */
    void finish() {
        lock.lock();
        try {
            if (!ended && store != null && !incomplete) {
                store.end(stream.session(), stream.name());
                endStored = true;
            }
        } catch (EventStoreException e) { // whoever comes back ends it
            LOGGER.log(Level.WARNING, "The end of a stream was not kept", e);
        } finally {
            ended = true;
            lock.unlock();
        }
    }

    /** Whether the store has the stream as one that this process still serves. */
    boolean isOpenInStore() {
        return store != null && !endStored && !takenOver;
    }

    /**
     * Ends in the store a stream whose last event could not be kept, for a client that comes back
     * to another process; not while a connection may still read what the store has.
     *
     * @return false if there is a connection
     * @throws EventStoreException if the store still fails
     */
    boolean endLost(LostAnswers lost) {
        EventId seen;
        lock.lock();
        try {
            if (writer != null) {
                return false;
            }
            seen = at(lastWritten);
        } finally {
            lock.unlock();
        }
        if (store != null) {
            lost.end(store, stream, seen);
        }
        return true;
    }

    /** Drops the connection, if there is one. */
    void abort() {
        StreamWriter current = writer;
        if (current != null) {
            current.abort();
        }
    }
}
