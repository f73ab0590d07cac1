package dev.fairlead.http.session;

import dev.fairlead.http.console.HttpStreamStatus;
import dev.fairlead.http.endpoint.Counters;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.options.HttpSessionListener.Reason;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.LostAnswers;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.http.stream.PendingMessages;
import dev.fairlead.http.stream.ServerInitiatedStreams;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.http.stream.StreamWriters;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionMovedException;
import dev.fairlead.protocol.StoredSession;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A session over HTTP: the streams of its responses, and {@link ServerInitiatedStreams}. Where its
 * store keeps sessions, another process can continue it. The lock guards the answers, and is held
 * briefly.
 */
public final class HttpSession extends RegisteredSession {
    /** The header by which a request names the revision that its session agreed on. */
    public static final String VERSION = "MCP-Protocol-Version";

    private static final System.Logger LOGGER = System.getLogger(HttpSession.class.getName());

    /** The prefix of streams opened by GET, which last as long as the session. */
    private static final String LISTENING = "g";

    private static final String ANSWER = "p";

    /** How many streams wait to be ended in the store. */
    private static final int MAX_UNENDED = 100;

    /**
     * Makes the sessions of an endpoint.
     *
     * @param pending the bytes of messages that wait for a stream, of all sessions
     */
    public record Maker(
            Settings settings,
            @Nullable EventStore store,
            InstantSource clock,
            Counters counters,
            WaitingBytes pending) {
        /** A session that starts. */
        public HttpSession begin(
                String id, String name, Caller caller, BiConsumer<HttpSession, Reason> onEnd) {
            String key = Restoration.key(id);
            return make(id, new StoredSession(key, name, caller, JsonObject.EMPTY, 0), onEnd);
        }

        /** A session that is continued. */
        public HttpSession make(
                String id, StoredSession stored, BiConsumer<HttpSession, Reason> onEnd) {
            return new HttpSession(id, stored, this, onEnd);
        }
    }

    private final Settings settings;
    private final @Nullable EventStore store;
    private final Counters counters;
    private final @Nullable KeptSession kept;
    private final BiConsumer<HttpSession, Reason> onEnd;
    private final ServerInitiatedStreams listening;
    private @Nullable LostAnswers lostAnswers; // guarded by lock; made when needed

    /** The prefix of the names of streams that begin in this process. */
    private final String process;

    private final AtomicInteger streams = new AtomicInteger();

    /** Streams of POST requests that are not answered yet, by name; immutable while it is empty. */
    private Map<String, EventStream> unanswered = Map.of();

    /** Streams that are answered, and whose ends could not be stored; the oldest first. */
    private final List<EventStream> unended = new ArrayList<>(0);

    /** Whether another process may continue the session, once it is shut down here. */
    private volatile boolean continued;

    /** Far ahead until the request that begins the session is answered. */
    private volatile Instant lastUsed;

    /** Whether the client has sent more than {@code initialize}. */
    private volatile boolean used;

    private long forwarder; // of the last request; 0 for none; guarded by lock
    private int inARow; // requests from there; guarded by lock

    HttpSession(
            String id, StoredSession stored, Maker maker, BiConsumer<HttpSession, Reason> onEnd) {
        super(id, stored.name(), stored.caller());
        Instant now = maker.clock().instant();
        this.settings = maker.settings();
        this.store = maker.store();
        this.counters = maker.counters();
        this.kept =
                store == null
                        ? null
                        : store.sessions()
                                .map(sessions -> new KeptSession(sessions, stored, maker.clock()))
                                .orElse(null);
        this.onEnd = onEnd;
        this.listening =
                new ServerInitiatedStreams(
                        store,
                        settings.streamBuffer,
                        this::dropped,
                        new PendingMessages(() -> maker.pending().share(countedFor(), id)),
                        this::failAll,
                        this::unreachable);
        this.process = stored.restored() == 0 ? "" : stored.restored() + "r";
        this.lastUsed = stored.restored() == 0 ? Instant.MAX : now;
        this.used = stored.restored() > 0;
    }

    @Override
    public Optional<String> sharedName() {
        return Optional.ofNullable(kept).map(KeptSession::key);
    }

    /** Returns whether clients may leave streams and resume them. */
    public boolean isResumable() {
        return store != null
                && revision().filter(known -> known.isAtLeast(Revision.V2025_11_25)).isPresent();
    }

    public void touch(Instant now) {
        lastUsed = now;
        used = true;
    }

    @Override
    public boolean wasUsed() {
        return used;
    }

    @Override
    public Optional<Instant> lastUsed() {
        Instant used = lastUsed;
        return used.equals(Instant.MAX) ? Optional.empty() : Optional.of(used);
    }

    @Override
    public int connectedStreams() {
        return listening.connected();
    }

    @Override
    public int waitingMessages() {
        return listening.waiting();
    }

    @Override
    public List<HttpStreamStatus> streamStatuses() {
        return listening.statuses();
    }

    private void dropped(List<OutgoingEvent> events) {
        counters.dropped(events);
        countDropped(events);
    }

    @Override
    public Optional<Instant> idleSince() {
        Instant since = lastUsed;
        return isIdle(Instant.MAX) ? Optional.of(since) : Optional.empty();
    }

    @Override
    public boolean isIdle(Instant since) {
        synchronized (lock) {
            return !hasExchanges() && listening.isUnused() && lastUsed.isBefore(since);
        }
    }

    /**
     * Counts a request that another node forwards.
     *
     * @param node that forwards it; 0 for a request that came to this one itself
     * @return how many requests in a row that node has forwarded
     */
    public int forwarded(long node) {
        synchronized (lock) {
            inARow = node == forwarder ? inARow + 1 : 1;
            forwarder = node;
            return node == 0 ? 0 : inARow;
        }
    }

    /** Returns how many owners the session had before this one. */
    public int epoch() {
        return kept == null ? 0 : kept.epoch();
    }

    /** The session in its store; empty where that keeps no sessions. */
    Optional<KeptSession> kept() {
        return Optional.ofNullable(kept);
    }

    /**
     * Returns the stored session if it is in use and was not marked as used since the given time.
     */
    Optional<KeptSession> toTouch(Instant since) {
        return Optional.ofNullable(kept)
                .filter(known -> known.touched().isBefore(since) && !isIdle(known.touched()));
    }

    /** {@inheritDoc} Otherwise messages wait until the client listens. */
    @Override
    public boolean isReachable() {
        return listening.isConnected();
    }

    @Override
    public void checkReachable() {
        listening.probe();
    }

    @Override
    public String transport() {
        return "http";
    }

    @Override
    public void send(JsonRpcMessage message) {
        listening.send(OutgoingEvent.of(message));
    }

    @Override
    public void changed(Supplier<JsonObject> state) {
        if (kept == null) {
            return;
        }
        try {
            kept.save(state);
        } catch (SessionMovedException e) {
            moved();
            throw e;
        }
    }

    /**
     * Returns whether this node still owns the session, by a look into the store: it may have been
     * declared dead, while it was cut off, and not know it yet.
     *
     * @throws EventStoreException if the store does not answer
     */
    public boolean isOwned() {
        return kept == null || kept.isOwned();
    }

    /** Ends the session here, on a thread of its own: another node owns it. */
    private void moved() {
        Thread.ofVirtual().name("mcp-http-moved").start(() -> onEnd.accept(this, Reason.MOVED));
    }

    /** The stream of an answer, which begins with a priming event where clients support those. */
    public EventStream answerStream(List<RequestId> requests, boolean resumable) {
        EventStream stream = newStream(ANSWER, requests, resumable);
        synchronized (lock) {
            if (store != null && !isClosed()) {
                if (unanswered.isEmpty()) {
                    unanswered = new HashMap<>(2);
                }
                unanswered.put(stream.name(), stream);
            }
        }
        return stream;
    }

    private EventStream newStream(String kind, List<RequestId> requests, boolean primed) {
        String stream = kind + process + streams.incrementAndGet();
        EventStream created =
                new EventStream(
                        new EventStore.Stream(name(), stream, requests),
                        store,
                        settings.streamBuffer);
        if (primed) {
            created.add(OutgoingEvent.priming());
        }
        return created;
    }

    /** Opens a stream for messages that belong to no request. */
    public EventStream listen(boolean primed) {
        EventStream stream = newStream(LISTENING, List.of(), primed);
        listening.expect(stream);
        return stream;
    }

    public static boolean isListening(EventStream stream) {
        return stream.name().startsWith(LISTENING);
    }

    /**
     * Adds a stream, which has a connection, to those that take messages; it gets the waiting ones.
     */
    public void listening(EventStream stream) {
        if (listening.add(stream)) {
            session().reachable();
        } else {
            part(stream);
        }
    }

    /** A stream of GET loses its session, which another process may continue. */
    private void part(EventStream stream) {
        if (continued) {
            stream.closeWithRetry(settings.retry);
        } else {
            stream.end();
        }
    }

    /** Makes a reply the connection that a stream is about to get. */
    public StreamWriter connect(EventStream stream, Reply reply, StreamWriters writers) {
        try {
            return reply.connect(
                    writers,
                    stream,
                    isListening(stream)
                            ? unwritten -> streamDisconnected(stream, unwritten)
                            : this::fail);
        } catch (RuntimeException | Error e) { // of the engine
            streamDisconnected(stream, List.of());
            throw e;
        }
    }

    /**
     * A stream has lost its connection, or could not get one; the unwritten messages of a stream of
     * GET wait for another.
     */
    public void streamDisconnected(EventStream stream, List<OutgoingEvent> unwritten) {
        listening.leave(stream, unwritten);
    }

    /**
     * Gives up clients that have left a stream and not resumed it in time, and ends streams whose
     * ends could not be stored before.
     */
    void tidy(Instant now) {
        List<EventStream> answers;
        List<EventStream> toEnd;
        synchronized (lock) {
            answers = List.copyOf(unanswered.values());
            toEnd = List.copyOf(unended);
        }
        answers.forEach(stream -> failAll(stream.giveUp(now, settings.resumeWithin)));
        listening.tidy(now, settings.resumeWithin);
        toEnd.forEach(this::endLost);
        if (listening.isTakenOver() || answers.stream().anyMatch(EventStream::isTakenOver)) {
            moved();
        }
    }

    private void endLost(EventStream stream) {
        if (stream.endLost(lostAnswers())) {
            synchronized (lock) {
                unended.remove(stream);
            }
        }
    }

    private LostAnswers lostAnswers() {
        synchronized (lock) {
            LostAnswers made = lostAnswers == null ? new LostAnswers() : lostAnswers;
            lostAnswers = made;
            return made;
        }
    }

    /**
     * The stream of an event that the client saw last; empty if it is none of this session, or the
     * events after it are no longer kept.
     */
    public Optional<EventStream> find(EventId event) {
        if (store == null || !event.session().equals(name()) || store.after(event, 1).isEmpty()) {
            return Optional.empty();
        }
        Optional<EventStream> known =
                unanswered(event.stream()).or(() -> listening.find(event.stream()));
        return known.isPresent() ? known : Optional.of(stored(event, store));
    }

    private Optional<EventStream> unanswered(String stream) {
        synchronized (lock) {
            return Optional.ofNullable(unanswered.get(stream))
                    .filter(known -> !known.isTakenOver() && !known.isSpent());
        }
    }

    /** A stream that only the store contains. It has ended, or belonged to another process. */
    private EventStream stored(EventId last, EventStore from) {
        var ended = new EventStore.Stream(name(), last.stream(), List.of()); // nothing is added
        Optional<EventStore.Stream> open = from.open(name(), last.stream());
        if (open.isPresent() && last.stream().startsWith(LISTENING)) {
            return listening.revive(open.get(), from);
        }
        open.ifPresent(lost -> lostAnswers().end(from, lost, last));
        return EventStream.ended(ended, from, settings.streamBuffer);
    }

    /**
     * Checks the supported version that a request names.
     *
     * @throws HttpRefusalException if it is not the session's own, and the server is strict
     */
    public void checkVersion(HttpExchange http) {
        Optional<Revision> agreed = revision();
        Optional<String> named = http.header(VERSION);
        if (agreed.isEmpty() || named.isEmpty() || named.get().equals(agreed.get().date())) {
            return;
        }
        if (settings.strictVersion) {
            throw new HttpRefusalException(
                    RefusalReason.PROTOCOL_VERSION,
                    "The MCP-Protocol-Version of this session is " + agreed.get());
        }
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                "",
                "A client names {0} in a session that agreed on {1}, which counts",
                named.get(),
                agreed.get());
    }

    /** An exchange is answered. */
    public void answered(OpenExchanges.Open exchange, @Nullable EventStream stream, Instant now) {
        lastUsed = now;
        if (stream != null) {
            end(stream);
        }
        end(exchange);
    }

    private void end(EventStream answered) {
        if (answered.isTakenOver()) {
            moved();
        }
        synchronized (lock) {
            if (unanswered.containsKey(answered.name())) {
                unanswered.remove(answered.name());
                unanswered = unanswered.isEmpty() ? Map.of() : unanswered;
            }
            if (answered.isOpenInStore() && !unended.contains(answered)) {
                unended.add(answered);
            }
            if (unended.size() > MAX_UNENDED) {
                unended.removeFirst();
            }
        }
    }

    /**
     * Ends the session on a thread of its own, since the sender may be a handler that the end
     * interrupts.
     */
    private void unreachable() {
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                "",
                "Session {0} ends: its client does not receive requests of the server",
                name());
        Thread.ofVirtual()
                .name("mcp-http-unreachable")
                .start(() -> onEnd.accept(this, Reason.UNREACHABLE));
    }

    /** Requests of this side can no longer be answered, since they did not arrive. */
    private void fail(List<OutgoingEvent> lost) {
        dropped(lost);
        if (!lost.isEmpty()) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} messages did not reach the client",
                    Integer.toString(lost.size()));
        }
        failAll(OutgoingEvent.requests(lost));
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
    public boolean forget() {
        return kept == null || kept.forget();
    }

    @Override
    public void give() {
        if (kept != null) {
            kept.give();
        }
    }

    @Override
    public void shutDown(boolean continued) {
        if (continued) {
            moves();
        }
        List<OpenExchanges.Open> underWay = closeExchanges();
        this.continued = continued;
        List<EventStream> streams = listening.close();
        if (!continued) {
            endWith(underWay, streams);
            forgetAll();
            return;
        }
        if (kept != null) {
            kept.release();
        }
        // before their handlers are interrupted
        Together.forEach(underWay, OpenExchanges.Open::serverClosed);
        endWith(underWay, streams);
        if (kept == null) {
            forgetAll();
        }
    }

    private void endWith(List<OpenExchanges.Open> underWay, List<EventStream> streams) {
        try {
            closeSession(underWay);
        } finally {
            streams.forEach(this::part);
        }
    }

    private void forgetAll() {
        if (store == null) {
            return;
        }
        try {
            if (forget()) {
                store.forget(name());
            }
        } catch (EventStoreException e) { // it goes when it has not been used for long
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "A session that has ended is still kept");
        }
    }
}
