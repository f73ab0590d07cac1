package dev.fairlead.http;

import dev.fairlead.http.HttpSessionListener.Reason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The MCP endpoint (HTTP-001): what is the same for all methods, GET and DELETE, and the work that
 * comes round by time. POST is in {@link PostHandler}.
 *
 * <p>It runs on the threads of the engine; what comes round by time runs on a virtual thread of its
 * own, one at a time.
 */
final class StreamableEndpoint implements AutoCloseable {
    private static final System.Logger LOGGER =
            System.getLogger(StreamableEndpoint.class.getName());
    static final String VERSION = "MCP-Protocol-Version";

    private static final Duration SHORTEST_ROUND = Duration.ofMillis(10);
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(1);
    private static final String ALLOWED_HEADERS =
            "Content-Type, Accept, Authorization, MCP-Session-Id, MCP-Protocol-Version,"
                    + " Last-Event-ID";

    private final Settings settings;
    private final Guard guard;
    private final Timers timers;
    private final SessionRegistry sessions;
    private final PostHandler posts;
    private final String methods;
    private final Set<StreamWriter> writers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean inRound = new AtomicBoolean();
    private volatile boolean closed;

    StreamableEndpoint(Settings settings, SessionHost host, Timers timers) {
        this.settings = settings;
        this.timers = timers;
        EventStore store = settings.stateless ? null : settings.eventStore.get();
        guard = new Guard(settings.allowOrigins, settings.allowHosts);
        sessions = new SessionRegistry(settings, host, store, timers.clock());
        posts = new PostHandler(settings, host, sessions, timers.clock(), this::connect);
        methods = settings.stateless ? "POST, OPTIONS" : "GET, POST, DELETE, OPTIONS";
        scheduleRound();
    }

    SessionRegistry sessions() {
        return sessions;
    }

    /** Answers one HTTP request. */
    void handle(HttpExchange exchange) {
        Reply reply = new Reply(exchange);
        try {
            Optional<String> objection = guard.objection(exchange);
            if (objection.isPresent()) {
                reply.refuse(403, objection.get());
                return;
            }
            allowOrigin(exchange, reply);
            route(exchange, reply);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, "An HTTP request failed", e);
            reply.failed();
        }
    }

    private void route(HttpExchange exchange, Reply reply) {
        Caller caller = caller();
        switch (exchange.method()) {
            case "POST" -> posts.handle(exchange, reply, caller);
            case "OPTIONS" -> options(exchange, reply);
            case "GET" -> {
                if (settings.stateless) {
                    methodNotAllowed(reply);
                } else {
                    session(exchange, reply, caller)
                            .ifPresent(session -> get(exchange, reply, session));
                }
            }
            case "DELETE" -> {
                if (settings.stateless) {
                    methodNotAllowed(reply);
                } else {
                    session(exchange, reply, caller).ifPresent(session -> delete(reply, session));
                }
            }
            default -> methodNotAllowed(reply);
        }
    }

    /** The one place that says who calls. Without authorization nobody is known. */
    private static Caller caller() {
        return Caller.anonymous();
    }

    private void methodNotAllowed(Reply reply) {
        reply.header("Allow", methods).refuse(405, "The methods here are " + methods);
    }

    /** Lets a page read the answer whose origin has passed the guard (HTTP-050). */
    private static void allowOrigin(HttpExchange exchange, Reply reply) {
        exchange.header("Origin")
                .ifPresent(
                        origin ->
                                reply.header("Access-Control-Allow-Origin", origin)
                                        .header(
                                                "Access-Control-Expose-Headers",
                                                "MCP-Session-Id, WWW-Authenticate"));
        reply.header("Vary", "Origin");
    }

    private void options(HttpExchange exchange, Reply reply) {
        reply.header("Allow", methods);
        if (exchange.header("Access-Control-Request-Method").isPresent()) {
            reply.header("Access-Control-Allow-Methods", methods)
                    .header("Access-Control-Allow-Headers", ALLOWED_HEADERS)
                    .header("Access-Control-Max-Age", "600");
        }
        reply.empty(204);
    }

    /** The session that the request names, or a refusal. */
    private Optional<HttpSession> session(HttpExchange exchange, Reply reply, Caller caller) {
        Optional<String> unsupported = unsupportedVersion(exchange);
        if (unsupported.isPresent()) {
            reply.refuse(400, unsupported.get());
            return Optional.empty();
        }
        Optional<String> id = exchange.header(Reply.SESSION_ID);
        if (id.isEmpty()) {
            reply.refuse(400, "The header MCP-Session-Id is missing");
            return Optional.empty();
        }
        Optional<HttpSession> found = sessions.find(id.get(), caller);
        if (found.isEmpty()) {
            reply.refuse(404, "There is no such session");
            return found;
        }
        Optional<String> other = found.get().otherVersion(exchange);
        if (other.isPresent()) {
            reply.refuse(400, other.get());
            return Optional.empty();
        }
        return found;
    }

    /** What is wrong with the version that the request names, if it does (HTTP-045). */
    static Optional<String> unsupportedVersion(HttpExchange exchange) {
        return exchange.header(VERSION)
                .filter(version -> Revision.of(version).isEmpty())
                .map(
                        version ->
                                "This MCP-Protocol-Version is not supported, but "
                                        + Revision.dates());
    }

    private void get(HttpExchange exchange, Reply reply, HttpSession session) {
        if (!MediaTypes.accepts(exchange.headers("Accept"), MediaTypes.EVENTS)) {
            reply.refuse(406, "The answer is " + MediaTypes.EVENTS);
            return;
        }
        session.touch(timers.clock().instant());
        Optional<String> last = exchange.header("Last-Event-ID").filter(id -> !id.isEmpty());
        if (last.isPresent()) {
            resume(reply, session, EventId.parse(last.get()).orElse(null));
            return;
        }
        Optional<EventStream> stream = session.listen(session.isResumable());
        if (stream.isEmpty()) {
            reply.refuse(404, "There is no such session");
            return;
        }
        StreamWriter writer = writer(stream.get(), reply, session);
        stream.get().open(writer);
        session.listening(stream.get());
        writer.greet();
    }

    private void resume(Reply reply, HttpSession session, @Nullable EventId last) {
        Optional<EventStream> stream = last == null ? Optional.empty() : session.find(last);
        if (stream.isEmpty() || last == null) {
            // Not 404, which would tell the client that its session is gone (ROOM-056).
            reply.refuse(400, "What came after this Last-Event-ID is not kept");
            return;
        }
        StreamWriter writer;
        try {
            writer = writer(stream.get(), reply, session);
        } catch (RuntimeException e) { // of the engine
            session.deaf(stream.get(), List.of());
            throw e;
        }
        stream.get().resume(writer, last);
        if (HttpSession.isListening(stream.get())) {
            session.listening(stream.get());
        }
        writer.greet();
    }

    private StreamWriter writer(EventStream stream, Reply reply, HttpSession session) {
        return connect(
                stream,
                reply,
                HttpSession.isListening(stream)
                        ? unwritten -> session.deaf(stream, unwritten)
                        : session::fail);
    }

    private StreamWriter connect(
            EventStream stream, Reply reply, Consumer<List<OutgoingEvent>> onGone) {
        StreamWriter writer =
                new StreamWriter(
                        stream,
                        reply.events(),
                        settings.retry,
                        timers.clock(),
                        (gone, unwritten) -> {
                            writers.remove(gone);
                            onGone.accept(unwritten);
                        });
        writers.add(writer);
        return writer;
    }

    private void delete(Reply reply, HttpSession session) {
        sessions.close(session, Reason.DELETED);
        reply.empty(204);
    }

    private void scheduleRound() {
        Duration round = LONGEST_ROUND;
        for (Duration wait :
                List.of(
                        settings.heartbeat,
                        settings.streamAfter,
                        settings.resumeWithin,
                        settings.sessionIdleTimeout)) {
            Duration half = wait.dividedBy(2);
            round = half.compareTo(round) < 0 ? half : round;
        }
        round = round.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : round;
        timers.schedule(round, this::startRound);
    }

    private void startRound() {
        if (closed) {
            return;
        }
        if (inRound.compareAndSet(false, true)) {
            Thread.ofVirtual().name("mcp-http-round").start(this::round);
        }
        scheduleRound();
    }

    private void round() {
        try {
            Clock clock = timers.clock();
            posts.streamWhatTakesLong(clock.instant().minus(settings.streamAfter));
            writers.forEach(writer -> writer.beat(clock.instant().minus(settings.heartbeat)));
            sessions.giveUpAbsent();
            sessions.closeIdle();
        } catch (RuntimeException e) {
            LOGGER.log(
                    System.Logger.Level.ERROR, "Heartbeats and absent clients were left alone", e);
        } finally {
            inRound.set(false);
        }
    }

    /**
     * Takes no new requests and waits until those under way are answered, but not longer than the
     * grace.
     */
    void drain() throws InterruptedException {
        posts.open().drain(settings.shutdownGrace);
    }

    /** Ends the sessions and their streams. */
    @Override
    public void close() {
        closed = true;
        sessions.all().forEach(this::closeSession);
        posts.open().forEach(PostExchange::sessionClosed); // those without a session
    }

    private void closeSession(HttpSession session) {
        try {
            sessions.close(session, Reason.CLOSED);
        } catch (RuntimeException e) { // the others are to end as well
            LOGGER.log(System.Logger.Level.ERROR, "A session did not end well", e);
        }
    }
}
