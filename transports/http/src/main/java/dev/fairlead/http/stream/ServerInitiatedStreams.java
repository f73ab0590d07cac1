package dev.fairlead.http.stream;

import dev.fairlead.http.console.HttpStreamStatus;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The streams that a client opened by GET, and the messages that wait for one. Under the lock a
 * message gets its place in a stream, so that order is kept, and thus the event store is called,
 * but nothing is written and no session is called. Whether there is a connection is read without
 * it.
 *
 * <p>A store that is slow to take a message thus delays other messages of this session without a
 * request, clients that open, leave or resume a stream of GET, and the end of the session: for one
 * call of the store, or one for each message that waited where a client connects. Other sessions
 * are not held up, nor are the answers to POST of this one; but the maintenance of all sessions in
 * turn is.
 */
public final class ServerInitiatedStreams {
    private static final System.Logger LOGGER =
            System.getLogger(ServerInitiatedStreams.class.getName());

    /** How many streams may be open, and how many besides may be resumed. */
    private static final int MAX = 16;

    private static final String NO_ROOM =
            "The client has no stream open, and no room is left for messages that wait for one: "
                    + "a session may have %s messages with %s bytes, all sessions together as many"
                            .formatted(PendingMessages.MAX_MESSAGES, PendingMessages.MAX_BYTES)
                    + " bytes as HttpOptions.maxPendingSum allows";

    private final @Nullable EventStore store;
    private final int streamBuffer;
    private final Consumer<List<OutgoingEvent>> onDropped;
    private final Consumer<List<RequestId>> onLost;
    private final Runnable onDeaf;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * The streams in the order in which they last got or lost their connection; changed under the
     * lock. A stream without an event store leaves with its connection.
     */
    private final CopyOnWriteArrayList<EventStream> streams = new CopyOnWriteArrayList<>();

    private final PendingMessages pending;
    private volatile boolean closed;

    /**
     * @param onDropped receives messages that are dropped, maybe under the lock; must return at
     *     once
     * @param pending messages that wait for a stream; for this object alone
     * @param onLost receives, without a lock, requests that can no longer be answered, since they
     *     did not arrive
     * @param onDeaf called, under the lock, when the limit of waiting requests is reached; must
     *     return at once
     */
    public ServerInitiatedStreams(
            @Nullable EventStore store,
            int streamBuffer,
            Consumer<List<OutgoingEvent>> onDropped,
            PendingMessages pending,
            Consumer<List<RequestId>> onLost,
            Runnable onDeaf) {
        this.store = store;
        this.streamBuffer = streamBuffer;
        this.onDropped = onDropped;
        this.pending = pending;
        this.onLost = onLost;
        this.onDeaf = onDeaf;
    }

    /** Returns whether a client listens now. */
    public boolean isConnected() {
        return !closed && streams.stream().anyMatch(EventStream::isConnected);
    }

    /** Returns how many streams have a connection. */
    public int connected() {
        return closed ? 0 : (int) streams.stream().filter(EventStream::isConnected).count();
    }

    /** Returns the streams as operators see them. */
    public List<HttpStreamStatus> statuses() {
        return streams.stream().map(stream -> stream.status("GET")).toList();
    }

    /** Returns how many messages wait for a stream. */
    public int waiting() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }

    public void probe() {
        streams.forEach(EventStream::probe);
    }

    /** Returns whether no stream has a connection, or is about to get one. */
    public boolean isUnused() {
        return streams.stream().allMatch(EventStream::isLeft);
    }

    /**
     * Sends a message to the client, or queues it until the client has a stream open.
     *
     * @throws ConnectionException if the session is closed, or its queue is full
     */
    public void send(OutgoingEvent event) {
        EventStream before;
        EventStream taker;
        lock.lock();
        try {
            if (closed) {
                throw new ConnectionException("The session is closed");
            }
            before = giveWaiting();
            taker = pending.isEmpty() ? give(event) : null;
            if (taker == null) {
                await(event);
            }
        } finally {
            lock.unlock();
        }
        wake(before);
        wake(taker);
    }

    /** Has a message wait, which may cost older notifications their place. */
    private void await(OutgoingEvent event) {
        List<OutgoingEvent> dropped = pending.add(event);
        onDropped.accept(dropped);
        if (dropped.isEmpty() || dropped.getLast() != event) {
            return;
        }
        if (event.request() != null && pending.isFullOfRequests()) {
            onDeaf.run();
        }
        throw new ConnectionException(NO_ROOM);
    }

    private static void wake(@Nullable EventStream stream) {
        if (stream != null) {
            stream.wake();
        }
    }

    /**
     * Sends the waiting messages, before any newer one: a stream that was resumed has its
     * connection a moment before it is {@link #add added}.
     */
    private @Nullable EventStream giveWaiting() {
        EventStream last = null;
        OutgoingEvent next = pending.first();
        while (next != null) {
            EventStream taker = give(next);
            if (taker == null) {
                break; // it could not be kept, and continues to wait
            }
            pending.removeFirst();
            last = taker;
            next = pending.first();
        }
        return last;
    }

    /** Gives a message to exactly one stream: the most recent that is connected. */
    private @Nullable EventStream give(OutgoingEvent event) {
        for (EventStream stream : streams.reversed()) {
            if (stream.isConnected() && isTaken(event, stream)) {
                return stream;
            }
        }
        return null;
    }

    /**
     * Returns whether a stream takes a message; it waits where neither store nor connection can
     * have it.
     */
    private static boolean isTaken(OutgoingEvent event, EventStream stream) {
        try {
            return stream.add(event);
        } catch (EventStoreException e) {
            LOGGER.log(Level.DEBUG, "A message waits, since it cannot be stored", e);
            return false;
        }
    }

    /**
     * A stream gets its first connection next, and takes messages as soon as it has it; a client
     * that resumes it already must find it.
     */
    public void expect(EventStream stream) {
        lock.lock();
        try {
            streams.add(stream);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a stream, which has a connection, to those that take messages.
     *
     * @return false if it comes too late
     */
    public boolean add(EventStream stream) {
        List<EventStream> surplus = List.of();
        EventStream taker = null;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (stream.isConnected() && !stream.isEnded()) {
                streams.remove(stream);
                streams.add(stream);
                taker = giveWaiting();
                surplus = removeSurplus(false);
            }
        } finally {
            lock.unlock();
        }
        surplus.forEach(EventStream::wake);
        wake(taker);
        stream.wake();
        return true;
    }

    /** Ends the oldest of those that have left, or of the others, where they are too many. */
    private List<EventStream> removeSurplus(boolean left) {
        List<EventStream> alike =
                streams.stream().filter(stream -> stream.isLeft() == left).toList();
        List<EventStream> surplus = alike.subList(0, Math.max(0, alike.size() - MAX));
        surplus.forEach(EventStream::finish);
        streams.removeAll(surplus);
        return surplus;
    }

    /**
     * A stream has lost its connection, or could not get one; its unwritten messages wait for
     * another.
     */
    public void leave(EventStream stream, List<OutgoingEvent> unwritten) {
        EventStream other = null;
        List<EventStream> forgotten = List.of();
        List<OutgoingEvent> lost;
        lock.lock();
        try {
            stream.missed();
            if (!stream.isConnected() && streams.remove(stream) && store != null) {
                streams.add(stream);
                forgotten = removeSurplus(true);
            }
            List<OutgoingEvent> homeless = new ArrayList<>();
            for (OutgoingEvent event : unwritten) {
                EventStream taker = give(event);
                other = taker == null ? other : taker;
                if (taker == null) {
                    homeless.add(event);
                }
            }
            lost = closed ? homeless : pending.putBack(homeless);
        } finally {
            lock.unlock();
        }
        wake(other);
        onDropped.accept(lost);
        onLost.accept(OutgoingEvent.requests(lost));
        giveUp(forgotten, Instant.MAX, Duration.ZERO);
    }

    private void giveUp(List<EventStream> absent, Instant now, Duration patience) {
        absent.forEach(stream -> onLost.accept(stream.giveUp(now, patience)));
    }

    /**
     * Sends messages that could not be kept when a client connected, and gives up clients that have
     * left a stream and not resumed it in time.
     */
    public void tidy(Instant now, Duration patience) {
        EventStream taker;
        lock.lock();
        try {
            taker = giveWaiting();
        } finally {
            lock.unlock();
        }
        wake(taker);
        giveUp(streams, now, patience);
    }

    /** The stream of this name, which a client resumes. */
    public Optional<EventStream> find(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(known(name));
        } finally {
            lock.unlock();
        }
    }

    /** The stream of this name, which the store alone may contain, and continues. */
    public EventStream revive(EventStore.Stream stored, EventStore from) {
        lock.lock();
        try {
            EventStream known = known(stored.name());
            if (known != null) {
                return known;
            }
            EventStream revived = EventStream.revived(stored, from, streamBuffer);
            streams.addFirst(revived);
            return revived;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether another node has taken one of them over. */
    public boolean isTakenOver() {
        return streams.stream().anyMatch(EventStream::isTakenOver);
    }

    private @Nullable EventStream known(String name) {
        for (EventStream stream : streams) {
            if (stream.name().equals(name)) {
                stream.expect();
                return stream;
            }
        }
        return null;
    }

    /** Takes no more; returns the streams that have a connection or are about to get one. */
    public List<EventStream> close() {
        lock.lock();
        try {
            closed = true;
            List<EventStream> open = streams.stream().filter(some -> !some.isLeft()).toList();
            streams.clear();
            onDropped.accept(pending.drain());
            return open;
        } finally {
            lock.unlock();
        }
    }
}
