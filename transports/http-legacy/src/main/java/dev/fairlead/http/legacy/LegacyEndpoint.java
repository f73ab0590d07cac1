package dev.fairlead.http.legacy;

import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.LegacyPaths;
import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.http.endpoint.MountedEndpoint;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestFilter;
import dev.fairlead.http.endpoint.RequestPermits;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.endpoint.UnansweredExchange;
import dev.fairlead.http.options.HttpSessionListener.Reason;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.session.SessionRegistry;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * HTTP+SSE of revision 2024-11-05, for clients without a newer revision: a GET opens a stream of
 * events, which is a session, and messages are posted to the place that its first event names.
 * There is no session header, no version header and no resumption. It runs on the threads of the
 * engine.
 */
public final class LegacyEndpoint implements MountedEndpoint {
    private static final String SESSION_ID = "sessionId";

    private final EndpointContext context;
    private final LegacyPaths paths;
    private final SessionRegistry<LegacySession> sessions;

    public LegacyEndpoint(EndpointContext context, LegacyPaths paths) {
        this.context = context;
        this.paths = paths;
        sessions =
                new SessionRegistry<>(
                        context,
                        (id, name, caller, onEnd) ->
                                new LegacySession(id, name, caller, context, onEnd));
    }

    @Override
    public List<Route> routes() {
        return List.of(
                route(paths.events(), "GET", this::open),
                route(paths.messages(), "POST", this::post));
    }

    private Route route(String path, String method, RequestFilter.Handler handler) {
        return new Route(path, new RequestFilter(context, Map.of(method, handler))::handle);
    }

    private void open(HttpExchange http, Reply reply, Caller caller) {
        if (!MediaTypes.acceptsEvents(http.headers("Accept"))) {
            throw new HttpRefusalException(
                    RefusalReason.ACCEPT, "The answer is " + MediaTypes.EVENTS);
        }
        if (context.open().isClosed()) {
            throw new HttpRefusalException(OpenExchanges.CLOSED);
        }
        LegacySession session = sessions.open(RequestSource.of(http, caller), caller);
        session.seenFrom(http);
        try {
            String endpoint =
                    http.prefix() + paths.messages() + "?" + SESSION_ID + "=" + session.id();
            session.connect(reply, endpoint);
        } catch (RuntimeException | Error e) { // of the engine
            sessions.close(session, Reason.ENDED);
            throw e;
        }
    }

    private void post(HttpExchange http, Reply reply, Caller caller) {
        Optional<String> id = http.query().flatMap(LegacyEndpoint::sessionId);
        if (id.isEmpty()) {
            throw new HttpRefusalException(
                    RefusalReason.SESSION_MISSING, "The parameter " + SESSION_ID + " is missing");
        }
        LegacySession session = sessions.require(id.get(), http, caller);
        context.bodies()
                .take(
                        http,
                        reply,
                        RequestSource.of(http, caller).in(session.id()),
                        session::unanswerable,
                        (message, share) ->
                                take(PostRequest.of(http, reply, caller, share, message), session));
    }

    /** Session ids have no characters that would be encoded. */
    private static Optional<String> sessionId(String query) {
        return Arrays.stream(query.split("&", -1))
                .filter(parameter -> parameter.startsWith(SESSION_ID + "="))
                .map(parameter -> parameter.substring(SESSION_ID.length() + 1))
                .findFirst();
    }

    private void take(PostRequest post, LegacySession session) {
        try {
            post.checkInitialize();
            post.checkBatch(session.revision().orElse(Revision.NEWEST_WITH_HANDSHAKE));
            if (post.requests().isEmpty()) {
                deliver(post, session, new UnansweredExchange(post.http(), post.caller(), session));
            } else {
                answer(post, session);
            }
        } catch (HttpRefusalException e) {
            post.refuse(e.refusal());
        } catch (ConnectionException e) { // its stream is gone
            post.refuse(SessionRegistry.unknown().refusal());
        }
    }

    private void answer(PostRequest post, LegacySession session) {
        RequestPermits.Held permits =
                context.requests().take(post.source().in(session.id()), post.messages());
        LegacyExchange exchange =
                new LegacyExchange(
                        post, session, context.open(), permits, () -> sessions.announce(session));
        if (!context.open().add(exchange, false)) {
            permits.release();
            throw new HttpRefusalException(OpenExchanges.CLOSED);
        }
        permits.keep(post.share());
        if (!session.begin(exchange)) {
            permits.release();
            exchange.sessionClosed();
            throw SessionRegistry.unknown();
        }
        try {
            deliver(post, session, exchange);
        } catch (RuntimeException | Error e) { // the session did not take it
            exchange.sessionClosed();
            throw e;
        }
    }

    /** Hands all to the session, which answers on the stream. */
    private static void deliver(PostRequest post, LegacySession session, Exchange exchange) {
        if (post.batch() != null) {
            sendMalformed(post, post.batch(), session, exchange);
        }
        post.handTo(session.session(), exchange);
        post.reply().empty(202);
    }

    private static void sendMalformed(
            PostRequest post, Batch batch, LegacySession session, Exchange exchange) {
        try {
            batch.malformed().forEach(session::send);
        } catch (RuntimeException | Error e) {
            post.requests().forEach(exchange::ended);
            throw e;
        }
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

    @Override
    public void round() {
        sessions.endIdle();
    }

    @Override
    public void close() {
        sessions.closeAll();
    }
}
