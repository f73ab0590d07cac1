package dev.fairlead.http.streamable;

import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestPermits;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.endpoint.Source;
import dev.fairlead.http.endpoint.UnansweredExchange;
import dev.fairlead.http.options.HttpSessionListener.Reason;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.session.SessionRegistry;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.engine.WireLog;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Takes messages in by POST and has them answered. Runs on the threads of the engine. */
final class PostHandler {
    private static final System.Logger LOGGER = System.getLogger(PostHandler.class.getName());

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final EndpointContext context;
    private final Settings settings;
    private final SessionRegistry<HttpSession> sessions;
    private final OpenExchanges open;
    private final @Nullable PerRequestHandler perRequest; // null: the host has only sessions

    PostHandler(EndpointContext context, SessionRegistry<HttpSession> sessions) {
        this.context = context;
        this.settings = context.settings();
        this.sessions = sessions;
        this.open = context.open();
        this.perRequest =
                context.host()
                        .requests()
                        .map(host -> new PerRequestHandler(host, context, this))
                        .orElse(null);
    }

    void handle(HttpExchange http, Reply reply, Caller caller) {
        List<String> accept = http.headers("Accept");
        if (!MediaTypes.acceptsJson(accept) && !MediaTypes.acceptsEvents(accept)) {
            reply.refuse(
                    RefusalReason.ACCEPT, "The answer is application/json or text/event-stream");
            return;
        }
        context.bodies()
                .take(
                        http,
                        reply,
                        source(http, caller),
                        malformed -> unanswerable(malformed, http, caller),
                        (message, share) ->
                                take(PostRequest.of(http, reply, caller, share, message)));
    }

    /** A session that only the store contains counts once the body is there. */
    private Source source(HttpExchange http, Caller caller) {
        Source source = Source.of(http, caller);
        return http.header(Reply.SESSION_ID)
                .flatMap(sessions::known)
                .filter(session -> session.caller().isSame(caller))
                .map(session -> source.in(session.id()))
                .orElse(source);
    }

    private void unanswerable(
            MalformedMessageException malformed, HttpExchange http, Caller caller) {
        http.header(Reply.SESSION_ID)
                .flatMap(id -> sessions.find(id, http, caller))
                .ifPresent(session -> session.unanswerable(malformed));
    }

    private void take(PostRequest post) {
        if (perRequest != null && perRequest.takes(post)) {
            return;
        }
        if (post.isRefusedWithInitialize()) {
            return;
        }
        Optional<String> unsupported =
                StreamableEndpoint.unsupportedVersion(post.http(), context.host());
        if (unsupported.isPresent() && !post.initializes()) { // there the body decides
            post.refuse(RefusalReason.PROTOCOL_VERSION, unsupported.get());
            return;
        }
        if (settings.stateless) {
            takeWithoutSession(post);
            return;
        }
        Optional<String> id = post.http().header(Reply.SESSION_ID);
        if (id.isEmpty() && post.initializes()) {
            initialize(post);
        } else if (id.isEmpty()) {
            post.refuse(RefusalReason.SESSION_MISSING, "The header MCP-Session-Id is missing");
        } else {
            sessions.find(id.get(), post.http(), post.caller())
                    .ifPresentOrElse(session -> take(post, session), post::refuseUnknownSession);
        }
    }

    private void initialize(PostRequest post) {
        sessions.open(post.source(), post.caller(), post::refuse)
                .ifPresent(
                        opened ->
                                answer(
                                        post,
                                        post.source().in(opened.id()),
                                        opened.session(),
                                        new Initializing(opened),
                                        answering(post, false, false)));
    }

    private void take(PostRequest post, HttpSession session) {
        session.touch(context.clock().instant());
        Optional<String> other = session.otherVersion(post.http());
        if (other.isPresent()) {
            post.refuse(RefusalReason.PROTOCOL_VERSION, other.get());
            return;
        }
        if (post.isRefusedAsBatch(session.revision().orElse(Revision.NEWEST_WITH_HANDSHAKE))) {
            return;
        }
        if (post.requests().isEmpty()) {
            deliver(post, session);
            return;
        }
        WaitingBytes.Share waiting = post.reply().waiting();
        if (waiting != null && !waiting.awaitReader()) {
            post.refuse(
                    new HttpRefusal(
                                    RefusalReason.UNREAD_ANSWERS,
                                    "The answers that this session has not read leave no room for"
                                            + " another; read them, or raise"
                                            + " HttpOptions.maxAnswerSum")
                            .withRetryAfter(RETRY_AFTER));
            return;
        }
        boolean streaming = streams(post);
        answer(
                post,
                post.source().in(session.id()),
                session.session(),
                new InSession(session),
                answering(post, streaming, streaming && session.isResumable()));
    }

    boolean streams(PostRequest post) {
        return !settings.jsonAnswers && MediaTypes.acceptsEvents(post.http().headers("Accept"));
    }

    static AnswerOptions answering(PostRequest post, boolean streaming, boolean resumable) {
        boolean json = MediaTypes.acceptsJson(post.http().headers("Accept"));
        return new AnswerOptions(post.requests(), post.batch() != null, json, streaming, resumable);
    }

    /** Notifications and responses, which have no answer. */
    private void deliver(PostRequest post, HttpSession session) {
        Batch batch = post.batch();
        if (batch != null && !batch.malformed().isEmpty()) {
            post.reply().refuseMalformed(new Batch(List.of(), batch.malformed()).toBytes());
            return;
        }
        var exchange = new UnansweredExchange(post.http(), post.caller(), session);
        post.messages().forEach(message -> session.session().accept(message, exchange));
        post.reply().empty(202);
    }

    private void takeWithoutSession(PostRequest post) {
        Revision revision =
                post.http()
                        .header(HttpSession.VERSION)
                        .flatMap(Revision::withHandshake)
                        .orElse(Revision.V2025_03_26);
        if (post.isRefusedAsBatch(revision)) {
            return;
        }
        if (post.requests().isEmpty()) {
            post.reply().empty(202); // without sessions they have no receiver
        } else {
            Session session;
            try {
                session = context.host().open(withoutSession(post, revision));
            } catch (IllegalStateException e) {
                post.refuse(RefusalReason.SERVER_SESSION_LIMIT, "The server takes no requests now");
                return;
            }
            answer(
                    post,
                    post.source(),
                    session,
                    new ForOneRequest(session),
                    answering(post, false, false));
        }
    }

    private static StatelessContext withoutSession(PostRequest post, Revision revision) {
        Source source = post.source();
        Owner owner = Owner.Anonymous.ofPeer(source.callerText());
        return new StatelessContext(post.caller(), owner, source.caller(), revision);
    }

    private void answer(
            PostRequest post,
            Source source,
            Session session,
            PostExchange.Site site,
            AnswerOptions answering) {
        answer(post, source, exchange -> post.handTo(session, exchange), site, answering);
    }

    /**
     * Has a POST answered.
     *
     * @param handing hands its messages over
     */
    void answer(
            PostRequest post,
            Source source,
            Consumer<PostExchange> handing,
            PostExchange.Site site,
            AnswerOptions answering) {
        RequestPermits.Held permits;
        try {
            permits = context.requests().take(source, post.messages());
        } catch (HttpRefusalException e) {
            site.refused();
            post.refuse(e.refusal());
            return;
        }
        List<? extends JsonRpcMessage> answered =
                post.batch() == null ? List.of() : post.batch().malformed();
        PostExchange exchange =
                new PostExchange(
                        post.http(),
                        post.reply(),
                        post.caller(),
                        answering,
                        answered,
                        site,
                        permits,
                        context.clock().instant());
        Optional<HttpRefusal> refusal = open.add(exchange);
        if (refusal.isPresent()) {
            permits.release();
            site.refused();
            post.refuse(refusal.get());
            return;
        }
        permits.keep(post.share());
        if (site instanceof InSession inside && !inside.session.begin(exchange)) {
            open.remove(exchange);
            permits.release();
            post.refuseUnknownSession();
            return;
        }
        try {
            handing.accept(exchange);
        } catch (RuntimeException | Error e) { // else the exchange would keep its places
            LOGGER.log(System.Logger.Level.ERROR, "A session did not take a message", e);
            exchange.giveUp(ErrorCode.INTERNAL_ERROR, "Internal error");
        }
    }

    /** A request in a session. */
    private class InSession implements PostExchange.Site {
        final HttpSession session;

        InSession(HttpSession session) {
            this.session = session;
        }

        @Override
        public void cancel(List<RequestId> requests, String reason) {
            requests.forEach(request -> session.session().cancel(request, reason));
        }

        @Override
        public String logName() {
            return WireLog.label(session);
        }

        @Override
        public EventStream stream(AnswerOptions answering) {
            return session.answerStream(answering.requests(), answering.resumable());
        }

        @Override
        public void connect(EventStream stream, Reply reply) {
            StreamWriter writer = writer(stream, reply);
            stream.open(writer);
            writer.greet();
        }

        private StreamWriter writer(EventStream stream, Reply reply) {
            try {
                return reply.connect(context.writers(), stream, session::fail);
            } catch (RuntimeException | Error e) { // of the engine
                stream.missed();
                throw e;
            }
        }

        @Override
        public void answered(PostExchange exchange, @Nullable EventStream stream) {
            session.answered(exchange, stream, context.clock().instant());
            open.remove(exchange);
        }
    }

    /** The request that opens a session, whose id goes out with the result. */
    private final class Initializing extends InSession {
        private volatile boolean succeeded;

        Initializing(HttpSession session) {
            super(session);
        }

        @Override
        public void refused() {
            sessions.close(session, Reason.ENDED);
        }

        @Override
        public void answering(Reply reply, @Nullable JsonRpcMessage response) {
            if (response instanceof JsonRpcResponse) {
                succeeded = true;
                sessions.announce(session);
                reply.header(Reply.SESSION_ID, session.id());
            } else if (response instanceof JsonRpcErrorResponse failure
                    && RetryableError.isRetryable(failure.error())) {
                reply.retryLater(failure.error());
            }
        }

        @Override
        public void answered(PostExchange exchange, @Nullable EventStream stream) {
            super.answered(exchange, stream);
            if (!succeeded) {
                sessions.close(session, Reason.ENDED);
            }
        }
    }

    /** A request without a session: what is opened for it ends with it. */
    private final class ForOneRequest implements PostExchange.Site {
        private final Session session;

        ForOneRequest(Session session) {
            this.session = session;
        }

        @Override
        public void refused() {
            session.close();
        }

        @Override
        public void cancel(List<RequestId> requests, String reason) {
            session.close();
        }

        @Override
        public EventStream stream(AnswerOptions answering) {
            var stream = new EventStore.Stream("none", "p1", answering.requests());
            return new EventStream(stream, null, settings.streamBuffer);
        }

        @Override
        public void connect(EventStream stream, Reply reply) {
            stream.open(reply.connect(context.writers(), stream, unwritten -> {}));
        }

        @Override
        public void answered(PostExchange exchange, @Nullable EventStream stream) {
            open.remove(exchange);
            session.close();
        }
    }
}
