package dev.fairlead.http;

import dev.fairlead.http.HttpSessionListener.Reason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Revision;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * A session over HTTP: the streams that the client opened by GET, what waits for one, and the
 * answers under way. The lock guards all of that; under it a message gets its place in a stream, so
 * that order is kept, but nothing is written and no session is called.
 */
final class HttpSession extends RegisteredSession {
    private static final System.Logger LOGGER = System.getLogger(HttpSession.class.getName());

    /** How many streams of GET may be open, and how many besides may be come back to. */
    private static final int MAX_LISTENING = 16;

    /** Streams opened by GET are named so; they go on for as long as the session does. */
    private static final String LISTENING = "g";

    private final Settings settings;
    private final @Nullable EventStore store;
    private final BiConsumer<HttpSession, Reason> onEnd;
    private final ReentrantLock lock = new ReentrantLock();

    /** Open streams of GET requests, the most recent last (ROOM-052). */
    private final List<EventStream> listening = new ArrayList<>();

    /** Streams of GET requests that lost their connection, the most recent last. */
    private final ArrayDeque<EventStream> left = new ArrayDeque<>();

    /** Streams of POST requests that are not answered yet. */
    private final Map<String, EventStream> unanswered = new HashMap<>();

    private final Set<PostExchange> exchanges = new HashSet<>();
    private final PendingMessages pending = new PendingMessages();
    private int streams;
    private boolean closed;
    private volatile Instant lastUsed;
    private volatile boolean complained; // of another version

    HttpSession(
            String id,
            String name,
            Caller caller,
            Settings settings,
            @Nullable EventStore store,
            Instant now,
            BiConsumer<HttpSession, Reason> onEnd) {
        super(id, name, caller);
        this.settings = settings;
        this.store = store;
        this.lastUsed = now;
        this.onEnd = onEnd;
    }

    /** Whether streams may be left and come back to (VERS-021, ROOM-055). */
    boolean isResumable() {
        return store != null
                && revision()
                        .map(revision -> revision.isAtLeast(Revision.V2025_11_25))
                        .orElse(false);
    }

    void touch(Instant now) {
        lastUsed = now;
    }

    @Override
    boolean isIdle(Instant since) {
        lock.lock();
        try {
            return exchanges.isEmpty() && listening.isEmpty() && lastUsed.isBefore(since);
        } finally {
            lock.unlock();
        }
    }

    /** {@inheritDoc} What is sent waits otherwise, until the client listens (ROOM-053). */
    @Override
    public boolean isReachable() {
        lock.lock();
        try {
            return !closed && listening.stream().anyMatch(EventStream::isConnected);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String transport() {
        return "http";
    }

    @Override
    public void send(JsonRpcMessage message) {
        OutgoingEvent event = OutgoingEvent.of(message);
        EventStream before;
        EventStream taker;
        lock.lock();
        try {
            if (closed) {
                throw new ConnectionException("The session is closed");
            }
            before = giveWaiting();
            taker = pending.isEmpty() ? give(event) : null;
            if (taker == null && !pending.add(event)) {
                throw new ConnectionException(
                        "Nothing listens to this session, and " + "its queue of messages is full");
            }
        } finally {
            lock.unlock();
        }
        if (before != null) {
            before.wake();
        }
        if (taker != null && taker != before) {
            taker.wake();
        }
    }

    /**
     * Gives what waits, before anything newer: a stream that somebody has come back to has its
     * connection a moment before it is {@link #listening}.
     */
    private @Nullable EventStream giveWaiting() {
        if (pending.isEmpty() || listening.stream().noneMatch(EventStream::isConnected)) {
            return null;
        }
        EventStream taker = null;
        List<OutgoingEvent> rest = new ArrayList<>();
        for (OutgoingEvent waiting : pending.drain()) {
            EventStream took = rest.isEmpty() ? give(waiting) : null;
            if (took == null) {
                rest.add(waiting);
            } else {
                taker = took;
            }
        }
        pending.putBack(rest); // all of which fitted before
        return taker;
    }

    /** Gives a message to exactly one stream (HTTP-029): the most recent that is connected. */
    private @Nullable EventStream give(OutgoingEvent event) {
        for (EventStream stream : listening.reversed()) {
            if (stream.isConnected() && stream.add(event)) {
                return stream;
            }
        }
        return null;
    }

    /** The stream of an answer, which begins with a priming event where clients know those. */
    EventStream answerStream(Answering answering) {
        lock.lock();
        try {
            EventStream stream = newStream("p", answering.requests(), answering.resumable());
            if (store != null && !closed) {
                unanswered.put(stream.name(), stream);
            }
            return stream;
        } finally {
            lock.unlock();
        }
    }

    private EventStream newStream(String kind, List<RequestId> requests, boolean primed) {
        var stream = new EventStore.Stream(name(), kind + ++streams, requests);
        EventStream created = new EventStream(stream, store, settings.streamBuffer);
        if (primed) {
            created.add(OutgoingEvent.priming());
        }
        return created;
    }

    /**
     * A new stream for what belongs to no request, or empty if the session has just ended.
     * Everything that waited goes to it.
     */
    Optional<EventStream> listen(boolean primed) {
        lock.lock();
        try {
            return closed ? Optional.empty() : Optional.of(newStream(LISTENING, List.of(), primed));
        } finally {
            lock.unlock();
        }
    }

    /** From now on the stream, which has a connection, takes messages. */
    void listening(EventStream stream) {
        List<EventStream> surplus = List.of();
        List<OutgoingEvent> lost = List.of();
        boolean late;
        lock.lock();
        try {
            late = closed;
            if (!late && stream.isConnected() && !stream.isEnded()) {
                listening.remove(stream);
                left.remove(stream);
                listening.add(stream);
                lost =
                        pending.putBack(
                                pending.drain().stream()
                                        .filter(event -> !stream.add(event))
                                        .toList());
                int tooMany = Math.max(0, listening.size() - MAX_LISTENING);
                surplus = List.copyOf(listening.subList(0, tooMany));
                listening.removeAll(surplus);
            }
        } finally {
            lock.unlock();
        }
        surplus.forEach(EventStream::end);
        if (late) {
            stream.end();
        } else {
            stream.wake();
            session().reachable();
        }
        fail(lost);
    }

    /** A stream of GET has lost its connection; what was not written waits for another. */
    void deaf(EventStream stream, List<OutgoingEvent> unwritten) {
        EventStream other = null;
        EventStream forgotten = null;
        List<OutgoingEvent> lost;
        lock.lock();
        try {
            if (!stream.isConnected() && listening.remove(stream)) { // else somebody has resumed it
                forgotten = leave(stream);
            }
            List<OutgoingEvent> homeless = new ArrayList<>();
            for (OutgoingEvent event : unwritten) {
                EventStream taker = give(event);
                other = taker == null ? other : taker;
                if (taker == null) {
                    homeless.add(event);
                }
            }
            lost = pending.putBack(homeless);
        } finally {
            lock.unlock();
        }
        if (other != null) {
            other.wake();
        }
        fail(lost);
        if (forgotten != null) {
            failAll(forgotten.giveUp(Instant.MAX, Duration.ZERO));
        }
    }

    /** Only so many streams may be come back to; nothing more is added to another, if there is. */
    private @Nullable EventStream leave(EventStream stream) {
        if (store == null) {
            return null;
        }
        left.addLast(stream);
        if (left.size() <= MAX_LISTENING) {
            return null;
        }
        EventStream first = left.removeFirst();
        store.end(name(), first.name());
        return first;
    }

    /** Gives up clients that have left a stream and not come back to it in time. */
    void giveUpAbsent(Instant now) {
        List<EventStream> streams;
        lock.lock();
        try {
            streams = new ArrayList<>(left);
            streams.addAll(unanswered.values());
        } finally {
            lock.unlock();
        }
        for (EventStream stream : streams) {
            failAll(stream.giveUp(now, settings.resumeWithin));
        }
    }

    /**
     * The stream of an event that the client saw last; empty if it is none of this session
     * (SSE-013), or what came after the event is no longer kept.
     */
    Optional<EventStream> find(EventId event) {
        if (store == null || !event.session().equals(name())) {
            return Optional.empty();
        }
        lock.lock();
        try {
            if (closed || store.after(event, 1).isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(find(event.stream(), store));
        } finally {
            lock.unlock();
        }
    }

    private EventStream find(String stream, EventStore kept) {
        for (EventStream open : listening) {
            if (open.name().equals(stream)) {
                return open;
            }
        }
        EventStream open = unanswered.get(stream);
        if (open != null) {
            return open;
        }
        for (EventStream resumed : left) {
            if (resumed.name().equals(stream)) {
                left.remove(resumed);
                listening.addFirst(resumed); // so that another that comes for it meets it there
                return resumed;
            }
        }
        return EventStream.ended(
                new EventStore.Stream(name(), stream, List.of()), kept, settings.streamBuffer);
    }

    /**
     * What is wrong with the version that a request names, which the library knows: where that is
     * not the session's own it only counts for a server that is strict (ROOM-048).
     */
    Optional<String> otherVersion(HttpExchange http) {
        Optional<Revision> agreed = revision();
        Optional<String> named = http.header(StreamableEndpoint.VERSION);
        if (agreed.isEmpty() || named.isEmpty() || named.get().equals(agreed.get().date())) {
            return Optional.empty();
        }
        if (settings.strictVersion) {
            return Optional.of("The MCP-Protocol-Version of this session is " + agreed.get());
        }
        LOGGER.log(
                complained ? Level.DEBUG : Level.WARNING,
                "A client names {0} in a session that agreed on {1}, which counts",
                named.get(),
                agreed.get());
        complained = true;
        return Optional.empty();
    }

    static boolean isListening(EventStream stream) {
        return stream.name().startsWith(LISTENING);
    }

    /**
     * An exchange begins.
     *
     * @return false if the session has just ended
     */
    boolean begin(PostExchange exchange) {
        lock.lock();
        try {
            return !closed && exchanges.add(exchange);
        } finally {
            lock.unlock();
        }
    }

    /** An exchange is answered. */
    void end(PostExchange exchange, @Nullable EventStream stream, Instant now) {
        lastUsed = now;
        lock.lock();
        try {
            exchanges.remove(exchange);
            if (stream != null) {
                unanswered.remove(stream.name());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Requests of this side can no longer be answered, since they did not arrive. */
    void fail(List<OutgoingEvent> lost) {
        if (!lost.isEmpty()) {
            LOGGER.log(Level.DEBUG, "{0} messages did not reach the client", lost.size());
        }
        failAll(lost.stream().map(OutgoingEvent::request).filter(Objects::nonNull).toList());
    }

    private void failAll(List<RequestId> requests) {
        for (RequestId request : requests) {
            session()
                    .fail(
                            request,
                            new ConnectionException(
                                    "The client's connection broke before the request was sent"));
        }
    }

    @Override
    public void close() {
        onEnd.accept(this, Reason.ENDED);
    }

    @Override
    void shutDown() {
        List<EventStream> ending;
        List<PostExchange> underWay;
        lock.lock();
        try {
            closed = true;
            ending = List.copyOf(listening);
            underWay = List.copyOf(exchanges);
            listening.clear();
            pending.drain();
        } finally {
            lock.unlock();
        }
        try {
            closeSession();
        } finally {
            underWay.forEach(PostExchange::sessionClosed);
            ending.forEach(EventStream::end);
            if (store != null) {
                store.forget(name());
            }
        }
    }
}
