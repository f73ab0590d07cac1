package dev.fairlead.http.stream;

import dev.fairlead.http.console.HttpStreamStatus;
import dev.fairlead.http.stream.StreamState.Detached;
import dev.fairlead.http.stream.StreamState.GivenUp;
import dev.fairlead.http.stream.StreamState.Open;
import dev.fairlead.http.stream.StreamState.Opening;
import dev.fairlead.http.stream.StreamState.Replaying;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.SessionMovedException;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream of events in one session: the answer to one POST, or the stream of a GET. It outlives
 * its connection where there is an event store, and has at most one connection at a time. This
 * class owns the state of the stream; all others ask it.
 *
 * <p>Events go into the store and, while the connection keeps up, into a bounded {@link
 * StreamBuffer} from which its {@link StreamWriter} takes. The {@link StreamState} describes where
 * the connection gets its events from:
 *
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>Event<th>Opening<th>Open<th>Replaying<th>Detached<th>GivenUp
 * <tr><td>{@link #open}<td>Open, or Replaying if the buffer is not complete<td>–<td>–<td>–<td>–
 * <tr><td>the buffer overflows<td>Opening, not complete<td>Replaying<td>–<td>–<td>–
 * <tr><td>the store is read to its end<td>–<td>–<td>Open<td>–<td>–
 * <tr><td>{@link #detach}, {@link #closeWithRetry}<td>–<td colspan="2">Detached; GivenUp if a lost
 *     connection cannot be resumed, since there is no store<td>–<td>–
 * <tr><td>{@link #missed}<td>Detached<td>–<td>–<td>–<td>–
 * <tr><td>{@link #expect}<td>–<td>–<td>–<td colspan="2">Opening, not complete
 * <tr><td>{@link #resume}<td colspan="5">Replaying, on the new connection
 * <tr><td>{@link #giveUp}<td>–<td>–<td>–<td>GivenUp, after a while<td>–
 * </table>
 *
 * <p>Replaying without a store is the state of a connection that fell behind by more than the
 * buffer holds: {@link #wake} drops it. Independent of the connection, the {@link Tail} describes
 * the end of the stream; once it is no longer {@code OPEN}, nothing is added.
 *
 * <p>The monitor of {@code buffer} guards the state and the buffer, and is held for moments only:
 * neither the store nor the engine is called under it. {@code appending} is held while the store is
 * written to, or read to its end, so that the order in the store is the order on the wire. It is
 * taken first.
 */
public final class EventStream {
    private static final System.Logger LOGGER = System.getLogger(EventStream.class.getName());
    private static final int PAGE = 32;
    private static final Duration CHECKS = Duration.ofSeconds(5);

    /** The next step of the writer after it has written the events that it took. */
    enum Then {
        WAIT,
        CONTINUE,
        END,
        ABORT
    }

    /** A share of the events, and the step after it. */
    record Batch(List<OutgoingEvent> events, Then then) {
        public static final Batch WAIT = new Batch(List.of(), Then.WAIT);
        public static final Batch ABORT = new Batch(List.of(), Then.ABORT);
    }

    /** The source of events after the last one. */
    private enum Tail {
        /** More events. */
        OPEN,
        /** Nothing, which the store does not have. */
        ENDED,
        /** Nothing, which the store has. */
        END_STORED,
        /** Events that another node, which has taken the session over from this one, has stored. */
        TAKEN_OVER
    }

    private final EventStore.Stream stream;
    private final @Nullable EventStore store;
    private final ReentrantLock appending = new ReentrantLock();
    private final StreamBuffer buffer;
    private final SentRequests requests = new SentRequests();

    /** Changed under the monitor of the buffer. */
    private volatile StreamState state;

    /** Changed while appending. */
    private volatile Tail tail;

    /**
     * Whether the store could not keep an event, so that it must not call the stream whole; used
     * while appending.
     */
    private boolean incomplete;

    private Runnable onGivenUp = () -> {};

    private final Instant begun = Instant.now();

    public EventStream(EventStore.Stream stream, @Nullable EventStore store, int bufferLimit) {
        this(stream, store, bufferLimit, new Opening(true), Tail.OPEN);
    }

    private EventStream(
            EventStore.Stream stream,
            @Nullable EventStore store,
            int bufferLimit,
            StreamState state,
            Tail tail) {
        this.stream = stream;
        this.store = store;
        this.buffer = new StreamBuffer(store != null, bufferLimit);
        this.state = state;
        this.tail = tail;
    }

    /** A stream that ends with its connection, since no store has its events. */
    public static EventStream unstored(int bufferLimit) {
        var nowhere = new EventStore.Stream("none", "p1", List.of());
        return new EventStream(nowhere, null, bufferLimit);
    }

    /** A stream whose last event went out before; it can only be read again. */
    public static EventStream ended(EventStore.Stream stream, EventStore store, int bufferLimit) {
        return new EventStream(stream, store, bufferLimit, Detached.JUST_NOW, Tail.ENDED);
    }

    /** A stream that was begun in another process, and whose client is resuming it here. */
    public static EventStream revived(EventStore.Stream stream, EventStore store, int bufferLimit) {
        return new EventStream(stream, store, bufferLimit, new Opening(false), Tail.OPEN);
    }

    public String name() {
        return stream.name();
    }

    /** Returns the stream as operators see it. */
    public HttpStreamStatus status(String kind) {
        synchronized (buffer) {
            return new HttpStreamStatus(
                    name(),
                    kind,
                    begun,
                    isConnected(),
                    store != null,
                    buffer.taken(),
                    buffer.waiting());
        }
    }

    private EventId at(long number) {
        return new EventId(stream.session(), stream.name(), number);
    }

    /**
     * Adds an event without waking the writer, which {@link #wake} does once no lock is held. An
     * event that the store cannot keep still goes to the connection, if there is one; a client that
     * leaves before it was written gets it when it resumes the stream in this process.
     *
     * @return false if there is no connection and no store that would keep it, or another process
     *     has taken the stream over; for a request also if no client is expected to resume the
     *     stream
     * @throws EventStoreException if the store cannot keep it, and there is no connection
     */
    public boolean add(OutgoingEvent event) {
        appending.lock();
        try {
            if (tail != Tail.OPEN || !takes(event)) {
                return false;
            }
            return put(store == null ? event : keep(event, store));
        } catch (SessionMovedException e) {
            loseToOther();
            return false;
        } finally {
            appending.unlock();
        }
    }

    private boolean takes(OutgoingEvent event) {
        if (event.request() == null) {
            return true;
        }
        synchronized (buffer) {
            return !isGivenUp() && requests.makePlace(buffer.lastWritten());
        }
    }

    private OutgoingEvent keep(OutgoingEvent event, EventStore kept) {
        try {
            return event.withId(kept.append(stream, event.data()));
        } catch (SessionMovedException e) {
            throw e;
        } catch (EventStoreException e) {
            if (!mayHold()) {
                throw e;
            }
            Level level = incomplete ? Level.DEBUG : Level.WARNING;
            LimitedLog.failed(
                    LOGGER,
                    level,
                    "",
                    e,
                    "An event was not stored; it is sent on the open connection");
            incomplete = true;
            return event;
        }
    }

    private boolean mayHold() {
        synchronized (buffer) {
            return !state.isLeft() && buffer.mayHold();
        }
    }

    private boolean put(OutgoingEvent event) {
        synchronized (buffer) {
            if (store == null && !state.isLive()) {
                return false;
            }
            if (event.request() != null && event.id() != null) {
                if (isGivenUp()) { // meanwhile
                    return false;
                }
                requests.add(event.id().number(), event.request());
            }
            boolean buffered = state.isLive() && buffer.add(event);
            if (state.isLive() && (!buffered || buffer.isOverflown())) {
                overflow(); // earlier events keep their place
            }
            if (!buffered && event.id() == null && store != null) {
                buffer.hold(event);
            }
            return true;
        }
    }

    /**
     * Leaves the buffer, which has no more room: the connection reads from the store from now on,
     * or ends.
     */
    private void overflow() {
        if (store != null) {
            buffer.clear();
        }
        StreamWriter connection = state.writer();
        state = connection == null ? new Opening(false) : new Replaying(connection);
    }

    /** Another node continues the stream, or ends it: a client that resumes it reads that there. */
    private void loseToOther() {
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                "",
                "Another node has taken session {1} over; messages of its stream {0} are dropped"
                        + " here",
                stream.name(),
                stream.session());
        synchronized (buffer) {
            tail = Tail.TAKEN_OVER;
            buffer.drop();
        }
    }

    /**
     * Counts the events that wait for the next connection.
     *
     * @param share null where nothing is counted
     */
    public void counted(WaitingBytes.@Nullable Share share) {
        synchronized (buffer) {
            if (!buffer.count(share) && state.isLive()) {
                overflow();
            }
        }
    }

    /** Wakes the writer after an event was added, or found no room. */
    public void wake() {
        StreamState now = state;
        StreamWriter connection = now.writer();
        if (connection == null) {
            return;
        }
        if (now instanceof Replaying && store == null) {
            connection.abort();
        } else {
            connection.wake();
        }
    }

    public boolean isConnected() {
        return state.writer() != null;
    }

    /** Returns whether it has lost its connection; false before the first one. */
    public boolean isLeft() {
        return state.isLeft();
    }

    public boolean isGivenUp() {
        return state instanceof GivenUp;
    }

    public boolean isEnded() {
        return tail != Tail.OPEN;
    }

    public boolean isTakenOver() {
        return tail == Tail.TAKEN_OVER;
    }

    /**
     * Returns whether no events follow, and all that the store does not have were written: a client
     * that still resumes the stream gets the events of the store.
     */
    public boolean isSpent() {
        if (tail != Tail.ENDED) {
            return false;
        }
        synchronized (buffer) {
            return buffer.hasNothingUnstored();
        }
    }

    /** Returns whether the store has the stream as one that this process still serves. */
    public boolean isOpenInStore() {
        return store != null && tail != Tail.END_STORED && tail != Tail.TAKEN_OVER;
    }

    /** Finds out whether the client is still connected. Returns at once. */
    public void probe() {
        StreamWriter connection = state.writer();
        if (connection != null) {
            connection.beat(Instant.MAX);
        }
    }

    /**
     * Sets the action for when the client is given up; it runs without a lock and must return at
     * once.
     */
    public void onGivenUp(Runnable action) {
        synchronized (buffer) {
            onGivenUp = action;
        }
    }

    /**
     * Gives up a client that has left and either was away for so long, or could not have the events
     * that it missed; not one that is just connecting. If it resumes later, it gets the kept
     * events.
     *
     * @return the requests that were not written
     * @throws EventStoreException if the store fails
     */
    public List<RequestId> giveUp(Instant now, Duration patience) {
        Detached detached;
        EventId written;
        synchronized (buffer) {
            if (!(state instanceof Detached left)) {
                return List.of();
            }
            Instant since = left.since() == null ? now : left.since();
            boolean over = isTakenOver() || store == null || !since.plus(patience).isAfter(now);
            boolean check = !over && !now.isBefore(left.nextCheck());
            detached = new Detached(since, check ? now.plus(CHECKS) : left.nextCheck());
            state = detached;
            if (!over && !check) {
                return List.of();
            }
            written = over ? null : at(buffer.lastWritten());
        }
        boolean gone = written == null || store == null || store.after(written, 1).isEmpty();
        return gone ? giveUp(detached) : List.of();
    }

    /** Gives up a client that has not reconnected since this state was seen. */
    private List<RequestId> giveUp(Detached seen) {
        List<RequestId> lost;
        Runnable action;
        synchronized (buffer) {
            if (state != seen) {
                return List.of();
            }
            state = new GivenUp();
            lost = new ArrayList<>(requests.after(buffer.lastWritten()));
            lost.addAll(buffer.dropUnstoredRequests());
            action = onGivenUp;
        }
        action.run();
        return lost;
    }

    /** Takes the first connection, which gets everything. */
    public void open(StreamWriter connection) {
        synchronized (buffer) {
            state = state.isLive() ? new Open(connection) : new Replaying(connection);
        }
        connection.wake();
    }

    /** A client reconnects: until it has its connection, it is not given up. */
    public void expect() {
        synchronized (buffer) {
            state = state.isLeft() ? new Opening(false) : state;
        }
    }

    /** The connection could not be made. */
    public void missed() {
        synchronized (buffer) {
            if (state instanceof Opening) {
                buffer.clear();
                state = Detached.JUST_NOW;
            }
        }
    }

    /**
     * Takes a new connection, which gets the events after this one, and drops the former
     * connection.
     */
    public void resume(StreamWriter connection, EventId after) {
        StreamWriter before;
        synchronized (buffer) {
            before = state.writer();
            state = new Replaying(connection);
            buffer.disconnected();
            buffer.seek(after.number());
        }
        if (before != null) {
            before.abort();
        }
    }

    /** Returns the next events for the connection, when it has written all that it took before. */
    Batch take(StreamWriter connection, int maxBytes) {
        EventId last;
        synchronized (buffer) {
            if (connection != state.writer()) { // it is being detached, and called next
                return Batch.WAIT;
            }
            buffer.written();
            if (isTakenOver()) {
                return Batch.ABORT;
            }
            if (state instanceof Open || !buffer.isEmpty()) {
                return poll(maxBytes);
            }
            last = at(buffer.lastTaken());
        }
        return store == null ? Batch.ABORT : replay(connection, store, last, maxBytes);
    }

    private Batch poll(int maxBytes) {
        List<OutgoingEvent> events = buffer.poll(maxBytes);
        boolean all = buffer.isEmpty() && state instanceof Open;
        return new Batch(events, all ? afterAll() : Then.CONTINUE);
    }

    /** The next step once all events are written. */
    private Then afterAll() {
        return switch (tail) {
            case OPEN -> Then.WAIT;
            case ENDED, END_STORED -> Then.END;
            case TAKEN_OVER -> Then.ABORT;
        };
    }

    /** Reads on from the store, to which nothing is added meanwhile. */
    private Batch replay(StreamWriter connection, EventStore kept, EventId last, int maxBytes) {
        appending.lock();
        try {
            Optional<List<EventStore.Event>> page = kept.after(last, PAGE);
            synchronized (buffer) {
                if (connection != state.writer()) {
                    return Batch.WAIT;
                }
                if (page.isEmpty()) { // something is no longer kept
                    return Batch.ABORT;
                }
                if (buffer.refill(page.get())) {
                    state = new Open(connection);
                } else if (buffer.isEmpty()) { // no room even for the first
                    return Batch.ABORT;
                }
                return poll(maxBytes);
            }
        } finally {
            appending.unlock();
        }
    }

    /**
     * Detaches a connection, whose writer reports that it is gone.
     *
     * @return the events that were not written and that no store keeps; empty if the stream has
     *     another connection
     */
    public List<OutgoingEvent> detach(StreamWriter connection) {
        List<OutgoingEvent> unwritten = List.of();
        Runnable action = () -> {};
        synchronized (buffer) {
            if (connection != state.writer()) {
                return List.of();
            }
            buffer.disconnected();
            if (store == null) { // there is nothing to resume
                unwritten = buffer.content();
                action = onGivenUp;
            }
            buffer.clear();
            state = store == null ? new GivenUp() : Detached.JUST_NOW;
        }
        action.run();
        return unwritten;
    }

    /**
     * Disconnects the client for a while, after the events that it is still to receive.
     *
     * @return false if there is no connection
     */
    public boolean closeWithRetry(Duration retryAfter) {
        StreamWriter leaving;
        List<OutgoingEvent> rest = List.of();
        synchronized (buffer) {
            leaving = state.writer();
            if (leaving == null) {
                return false;
            }
            if (state.isLive()) {
                rest = buffer.takeAll();
            } else {
                buffer.written();
                buffer.clear();
            }
            state = Detached.JUST_NOW;
        }
        leaving.finish(rest, retryAfter);
        return true;
    }

    /** Nothing more will be sent: the connection ends once everything is written. */
    public void end() {
        finish();
        wake();
    }

    /** The same, without waking the writer. A stream that lacks events stays open in the store. */
    public void finish() {
        appending.lock();
        try {
            if (tail == Tail.OPEN) {
                endOnce();
            }
        } finally {
            appending.unlock();
        }
    }

    private void endOnce() {
        Tail end = Tail.ENDED;
        try {
            if (store != null && !incomplete) {
                store.end(stream.session(), stream.name());
                end = Tail.END_STORED;
            }
        } catch (EventStoreException e) { // a client that resumes it ends it
            LimitedLog.failed(LOGGER, Level.WARNING, "", e, "The end of a stream was not kept");
        } finally {
            tail = end;
        }
    }

    /**
     * Ends in the store a stream whose last event could not be kept, for a client that resumes it
     * to another process; not while a connection may still read from the store.
     *
     * @return false if there is a connection
     * @throws EventStoreException if the store still fails
     */
    public boolean endLost(LostAnswers lost) {
        EventId seen;
        synchronized (buffer) {
            if (isConnected()) {
                return false;
            }
            seen = at(buffer.lastWritten());
        }
        if (store != null) {
            lost.end(store, stream, seen);
        }
        return true;
    }

    /** Drops the connection, if there is one. */
    public void abort() {
        StreamWriter connection = state.writer();
        if (connection != null) {
            connection.abort();
        }
    }
}
