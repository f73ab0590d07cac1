package dev.fairlead.http.streamable;

import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.http.endpoint.MountedEndpoint;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestFilter;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.options.HttpSessionListener.Reason;
import dev.fairlead.http.options.Peers;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.session.Housekeeping;
import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.session.Restoration;
import dev.fairlead.http.session.SessionRegistry;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.SessionMovedException;
import dev.fairlead.protocol.SessionStore;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The MCP endpoint: GET and DELETE; POST is in {@link PostHandler}. It runs on the threads of the
 * engine.
 */
public final class StreamableEndpoint implements MountedEndpoint {
    private final EndpointContext context;
    private final Settings settings;
    private final SessionRegistry<HttpSession> sessions;
    private final SessionStore.Membership node;
    private final PostHandler posts;
    private final Housekeeping housekeeping;
    private final @Nullable OwnerRouting routing;
    private final RequestFilter filter;
    private volatile boolean draining;

    public StreamableEndpoint(EndpointContext context) {
        this.context = context;
        settings = context.settings();
        EventStore store = settings.stateless ? null : settings.eventStore.apply(context.host());
        sessions = sessions(context, store);
        node =
                Optional.ofNullable(store)
                        .flatMap(EventStore::sessions)
                        .map(kept -> kept.join(sessions::fenced))
                        .orElse(() -> {});
        housekeeping =
                new Housekeeping(
                        sessions,
                        store,
                        settings.sessionIdleTimeout,
                        context.clock(),
                        context.wallClock());
        posts = new PostHandler(context, sessions);
        Peers peers = settings.peers;
        routing =
                peers == null || !context.hasSessions()
                        ? null
                        : new OwnerRouting(
                                context,
                                peers,
                                sessions,
                                shared(node, store),
                                handlers(posts::handle));
        filter =
                new RequestFilter(
                                context,
                                routing == null
                                        ? handlers(posts::handle)
                                        : routing.forwarding(handlers(posts::handleOrForward)))
                        .withPage();
        if (routing != null) {
            posts.forwardBy(routing);
        }
    }

    private static SessionStore.Membership shared(
            SessionStore.Membership node, @Nullable EventStore store) {
        if (store == null || store.sessions().isEmpty()) {
            throw new IllegalStateException(
                    "HttpOptions.peers needs an event store that all nodes share, such as"
                            + " HttpOptions.eventStore(JdbcEvents.on(database))");
        }
        return node;
    }

    /** Returns the node to which requests in a stored session are forwarded; empty for this one. */
    private Optional<SessionStore.Owner> owner(SessionStore.Found found) {
        if (settings.peers == null) {
            return Optional.empty();
        }
        return found.owner() == null && draining
                ? node.another()
                : Optional.ofNullable(found.owner());
    }

    /**
     * Hands the sessions over in which nothing is under way, so that other nodes continue them at
     * once; those that remain follow when the endpoint is closed.
     */
    @Override
    public void draining() {
        if (routing != null) {
            draining = true;
            node.drain();
            sessions.handOver();
        }
    }

    /** Returns the routes of the port for other nodes. */
    public List<Route> peerRoutes() {
        return routing == null ? List.of() : routing.routes();
    }

    /** Sets the report of this node for operators at other nodes. */
    public void reportToNodes(Supplier<JsonObject> report) {
        if (routing != null) {
            routing.reportToNodes(report);
        }
    }

    /** Asks the other nodes for their reports to operators. */
    public List<JsonObject> nodeReports() {
        return routing == null ? List.of() : routing.nodeReports();
    }

    /** Announces the address of that port. */
    public void reachedAt(String address) {
        if (routing != null) {
            routing.announce(address);
        }
    }

    private SessionRegistry<HttpSession> sessions(
            EndpointContext context, @Nullable EventStore store) {
        Settings settings = context.settings();
        var maker =
                new HttpSession.Maker(
                        settings,
                        store,
                        context.clock(),
                        context.counters(),
                        new WaitingBytes(settings.maxPendingSum));
        SessionRegistry<HttpSession> sessions = new SessionRegistry<>(context, maker::begin);
        Optional<SessionStore> kept = Optional.ofNullable(store).flatMap(EventStore::sessions);
        if (kept.isPresent()) {
            Restoration restoration =
                    new Restoration(
                            kept.get(),
                            sessions,
                            context.host(),
                            Housekeeping.kept(settings.sessionIdleTimeout),
                            this::owner,
                            (id, stored) -> maker.make(id, stored, sessions::close));
            sessions.lookInto(restoration::find);
        }
        return sessions;
    }

    private Map<String, RequestFilter.Handler> handlers(RequestFilter.Handler post) {
        Map<String, RequestFilter.Handler> handlers = new LinkedHashMap<>();
        boolean sessions = context.hasSessions();
        if (sessions) {
            handlers.put("GET", inSession(this::get));
        }
        handlers.put("POST", post);
        if (sessions) {
            handlers.put("DELETE", inSession(this::delete));
        }
        return handlers;
    }

    /** The handling of a request in the session that it names. */
    @FunctionalInterface
    private interface InSession {
        void handle(HttpExchange exchange, Reply reply, HttpSession session);
    }

    private RequestFilter.Handler inSession(InSession handler) {
        return (exchange, reply, caller) -> {
            checkHasSessions(exchange, reply);
            checkVersion(exchange, context.host());
            handler.handle(exchange, reply, posts.session(exchange, caller));
        };
    }

    /**
     * Checks the version that a request of another method than POST names.
     *
     * @throws HttpRefusalException if it is served, but has no sessions
     */
    private void checkHasSessions(HttpExchange exchange, Reply reply) {
        String named = exchange.header(HttpSession.VERSION).orElse("");
        if (PerRequestHandler.isServed(named, context.host())) {
            reply.header("Allow", "POST, OPTIONS");
            throw new HttpRefusalException(
                    RefusalReason.METHOD, "Revision " + named + " has no method but POST");
        }
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(settings.path, filter::handle));
    }

    public SessionRegistry<HttpSession> sessions() {
        return sessions;
    }

    @Override
    public int openSessions() {
        return sessions.size();
    }

    @Override
    public Stream<HttpSessionStatus> sessionStatuses() {
        return sessions.statuses();
    }

    @Override
    public boolean endSession(String name) {
        return sessions.endNamed(name);
    }

    /**
     * Checks the version that a request names, if it does.
     *
     * @throws HttpRefusalException if it is not served
     */
    static void checkVersion(HttpExchange exchange, SessionHost host) {
        Optional<String> named = exchange.header(HttpSession.VERSION);
        if (named.isPresent()
                && Revision.withHandshake(named.get())
                        .filter(host.revisions()::contains)
                        .isEmpty()) {
            throw new HttpRefusalException(
                    RefusalReason.PROTOCOL_VERSION,
                    PerRequestHandler.isServed(named.get(), host)
                            ? "Revision "
                                    + named.get()
                                    + " has no responses of clients: an answer comes in"
                                    + " inputResponses of the next request"
                            : "This MCP-Protocol-Version is not supported, but "
                                    + Revision.dates(host.revisions()));
        }
    }

    private void get(HttpExchange exchange, Reply reply, HttpSession session) {
        if (!MediaTypes.acceptsEvents(exchange.headers("Accept"))) {
            throw new HttpRefusalException(
                    RefusalReason.ACCEPT, "The answer is " + MediaTypes.EVENTS);
        }
        Optional<String> last = exchange.header("Last-Event-ID").filter(id -> !id.isEmpty());
        if (last.isPresent()) {
            resume(reply, session, EventId.parse(last.get()).orElse(null));
            return;
        }
        if (context.open().isClosed()) {
            throw new HttpRefusalException(OpenExchanges.CLOSED);
        }
        if (session.isRetired()) { // nothing is to be kept for it any more
            throw SessionRegistry.ended(session);
        }
        EventStream stream = session.listen(session.isResumable());
        connect(stream, reply, session, stream::open);
    }

    private void resume(Reply reply, HttpSession session, @Nullable EventId last) {
        Optional<EventStream> stream = last == null ? Optional.empty() : session.find(last);
        if (stream.isEmpty() || last == null) {
            // Not 404, which means that the session is gone.
            throw new HttpRefusalException(
                    RefusalReason.EVENTS_GONE, "The events after this Last-Event-ID are not kept");
        }
        connect(stream.get(), reply, session, writer -> stream.get().resume(writer, last));
    }

    /**
     * Gives a stream its connection. From when one of GET is expected its session is in use, unless
     * it was about to end before.
     */
    private void connect(
            EventStream stream, Reply reply, HttpSession session, Consumer<StreamWriter> opening) {
        boolean listening = HttpSession.isListening(stream);
        if (listening && session.isRetired()) {
            session.streamDisconnected(stream, List.of());
            throw SessionRegistry.ended(session);
        }
        StreamWriter writer = session.connect(stream, reply, context.writers());
        opening.accept(writer);
        if (listening) {
            session.listening(stream);
        }
        writer.greet();
    }

    private void delete(HttpExchange exchange, Reply reply, HttpSession session) {
        if (!sessions.end(session, Reason.DELETED)) {
            throw new SessionMovedException("Another node owns the session; repeat the request");
        }
        reply.empty(204);
    }

    @Override
    public void round() {
        Instant now = context.clock().instant();
        context.open()
                .forEach(
                        exchange -> exchange.streamIfWaitingSince(now.minus(settings.streamAfter)));
        housekeeping.round();
        if (routing != null) {
            routing.round();
        }
    }

    @Override
    public void close() {
        housekeeping.close();
        context.open().forEach(OpenExchanges.Open::serverClosedWithoutSession);
        if (routing != null) {
            routing.close();
        }
        sessions.closeAll();
        node.close();
    }
}
