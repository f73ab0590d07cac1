package dev.fairlead.http.streamable;

import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestPermits;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.endpoint.UnansweredExchange;
import dev.fairlead.http.options.HttpSessionListener.Reason;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.session.SessionRegistry;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.http.streamable.PostExchange.AnswerKind;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.engine.WireLog;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Takes messages in by POST and has them answered. Runs on the threads of the engine. */
final class PostHandler {
    private static final System.Logger LOGGER = System.getLogger(PostHandler.class.getName());

    private final EndpointContext context;
    private final Settings settings;
    private final SessionRegistry<HttpSession> sessions;
    private final OpenExchanges open;
    private final @Nullable PerRequestHandler perRequest; // null: the host has only sessions
    private @Nullable OwnerRouting routing; // null: there are no other nodes

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

    /** Has the next rounds of calls that other nodes hold forwarded to them. */
    void forwardBy(OwnerRouting others) {
        routing = others;
        if (perRequest != null) {
            perRequest.forwardHeldCalls(others);
        }
    }

    /** Takes a request that a client has sent to this node, or that is not to be forwarded. */
    void handle(HttpExchange http, Reply reply, Caller caller) {
        handle(http, reply, caller, PostRequest::refuse);
    }

    /** Takes a request, and has it forwarded if its session has just been given to another node. */
    void handleOrForward(HttpExchange http, Reply reply, Caller caller) {
        OwnerRouting others = Objects.requireNonNull(routing);
        handle(http, reply, caller, others::forwardOrRefuse);
    }

    private void handle(
            HttpExchange http,
            Reply reply,
            Caller caller,
            BiConsumer<PostRequest, HttpRefusal> refused) {
        List<String> accept = http.headers("Accept");
        if (!MediaTypes.acceptsJson(accept) && !MediaTypes.acceptsEvents(accept)) {
            throw new HttpRefusalException(
                    RefusalReason.ACCEPT, "The answer is application/json or text/event-stream");
        }
        context.bodies()
                .take(
                        http,
                        reply,
                        source(http, reply.source(caller), caller),
                        malformed -> unanswerable(malformed, http, caller),
                        (message, share) ->
                                take(PostRequest.of(http, reply, caller, share, message), refused));
    }

    /** A session that only the store contains counts once the body is there. */
    private RequestSource source(HttpExchange http, RequestSource source, Caller caller) {
        return Reply.sessionId(http)
                .flatMap(sessions::known)
                .filter(session -> session.caller().isSame(caller))
                .map(session -> source.in(session.id()))
                .orElse(source);
    }

    private void unanswerable(
            MalformedMessageException malformed, HttpExchange http, Caller caller) {
        Reply.sessionId(http)
                .flatMap(id -> sessions.find(id, http, caller))
                .ifPresent(session -> session.unanswerable(malformed));
    }

    private void take(PostRequest post, BiConsumer<PostRequest, HttpRefusal> refused) {
        try {
            if (perRequest == null || !perRequest.takes(post)) {
                takeWithHandshake(post);
            }
        } catch (HttpRefusalException e) {
            refused.accept(post, e.refusal());
        }
    }

    private void takeWithHandshake(PostRequest post) {
        post.checkInitialize();
        boolean initializes = post.initializes();
        boolean isOfSession =
                Reply.sessionId(post.http()).isPresent()
                        && PerRequestHandler.namesSuchARevision(post); // a notification
        if (!initializes && !isOfSession) { // there the body decides
            StreamableEndpoint.checkVersion(post.http(), context.host());
        }
        if (settings.stateless) {
            takeWithoutSession(post);
        } else if (initializes && Reply.sessionId(post.http()).isEmpty()) {
            initialize(post);
        } else {
            take(post, session(post.http(), post.caller()));
        }
    }

    /**
     * The session that a request names and uses.
     *
     * @throws HttpRefusalException if there is none, or the request does not fit it
     */
    HttpSession session(HttpExchange http, Caller caller) {
        Optional<String> id = Reply.sessionId(http);
        if (id.isEmpty()) {
            throw new HttpRefusalException(
                    RefusalReason.SESSION_MISSING, "The header MCP-Session-Id is missing");
        }
        HttpSession session = sessions.require(id.get(), http, caller);
        session.touch(context.clock().instant());
        session.checkVersion(http);
        return session;
    }

    private void initialize(PostRequest post) {
        HttpSession opened = sessions.open(post.source(), post.caller());
        opened.seenFrom(post.http());
        answer(
                post,
                post.source().in(opened.id()),
                new Initializing(post, opened),
                AnswerKind.RESPONSES);
    }

    private void take(PostRequest post, HttpSession session) {
        post.checkBatch(session.revision().orElse(Revision.NEWEST_WITH_HANDSHAKE));
        if (post.requests().isEmpty()) {
            deliver(post, session);
            return;
        }
        WaitingBytes.Share waiting = post.reply().waiting();
        if (waiting != null && !waiting.awaitReader()) {
            throw new HttpRefusalException(
                    new HttpRefusal(
                                    RefusalReason.UNREAD_ANSWERS,
                                    "The answers that this session has not read leave no room for"
                                            + " another; read them, or raise"
                                            + " HttpOptions.maxAnswerSum")
                            .withRetryAfter(HttpRefusal.SOON));
        }
        answer(
                post,
                post.source().in(session.id()),
                new InSession(post, session),
                kind(post, session.isResumable()));
    }

    /** The messages that may be sent to a client, as far as it accepts a stream. */
    AnswerKind kind(PostRequest post, boolean resumable) {
        if (settings.jsonAnswers || !MediaTypes.acceptsEvents(post.http().headers("Accept"))) {
            return AnswerKind.RESPONSES;
        }
        return resumable ? AnswerKind.RESUMABLE_MESSAGES : AnswerKind.MESSAGES;
    }

    /** Notifications and responses, which have no answer. */
    private void deliver(PostRequest post, HttpSession session) {
        Batch batch = post.batch();
        if (batch != null && !batch.malformed().isEmpty()) {
            post.reply().refuseMalformed(new Batch(List.of(), batch.malformed()).toBytes());
            return;
        }
        boolean foreign = post.messages().stream().anyMatch(each -> isForeign(session, each));
        if (foreign && !session.isOwned()) {
            sessions.close(session, Reason.MOVED);
            throw SessionRegistry.ended(session);
        }
        var exchange = new UnansweredExchange(post.http(), post.caller(), session);
        post.messages().forEach(message -> session.session().accept(message, exchange));
        post.reply().empty(202);
    }

    /**
     * Returns whether a message answers a request that was not sent here. It is not acknowledged
     * before the owner of the session is certain: its call may wait at another node.
     */
    private static boolean isForeign(HttpSession session, JsonRpcMessage message) {
        RequestId answered = Reply.answeredBy(message);
        return answered != null && !session.session().hasSent(answered);
    }

    private void takeWithoutSession(PostRequest post) {
        Revision revision =
                post.http()
                        .header(HttpSession.VERSION)
                        .flatMap(Revision::withHandshake)
                        .orElse(Revision.V2025_03_26);
        post.checkBatch(revision);
        if (post.requests().isEmpty()) {
            post.reply().empty(202); // without sessions they have no receiver
        } else {
            Session session;
            try {
                session = context.host().open(withoutSession(post, revision));
            } catch (IllegalStateException e) {
                throw new HttpRefusalException(
                        new HttpRefusal(
                                        RefusalReason.SERVER_SESSION_LIMIT,
                                        "The server takes no requests now")
                                .withRetryAfter(HttpRefusal.SOON));
            }
            answer(post, post.source(), new ForOneRequest(post, session), kind(post, false));
        }
    }

    private static StatelessContext withoutSession(PostRequest post, Revision revision) {
        RequestSource source = post.source();
        return new StatelessContext(post.caller(), source.owner(), source.caller(), revision);
    }

    /**
     * Has a POST answered.
     *
     * @throws HttpRefusalException if it cannot be taken, and nothing was done
     */
    void answer(PostRequest post, RequestSource source, PostExchange.Site site, AnswerKind kind) {
        RequestPermits.Held permits;
        try {
            permits = context.requests().take(source, post.messages());
        } catch (HttpRefusalException e) {
            site.refused();
            throw e;
        }
        PostExchange exchange =
                new PostExchange(post, kind, site, permits, context.clock().instant());
        if (!open.add(exchange, post.isContinued() || site.isOwned())) {
            permits.release();
            site.refused();
            throw new HttpRefusalException(OpenExchanges.CLOSED);
        }
        permits.keep(post.share());
        if (!site.begin(exchange)) {
            open.remove(exchange);
            permits.release();
            throw site.ended();
        }
        try {
            site.accept(exchange);
        } catch (RuntimeException | Error e) { // else the exchange would keep its places
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "A session did not take a message");
            exchange.giveUp(ErrorCode.INTERNAL_ERROR, "Internal error");
        }
    }

    /** A request in a session. */
    private class InSession implements PostExchange.Site {
        private final PostRequest post;
        final HttpSession session;

        /** {@inheritDoc} A node that drains keeps its sessions while they are busy. */
        @Override
        public boolean isOwned() {
            return settings.peers != null;
        }

        InSession(PostRequest post, HttpSession session) {
            this.post = post;
            this.session = session;
        }

        @Override
        public boolean begin(PostExchange exchange) {
            return session.begin(exchange);
        }

        @Override
        public HttpRefusalException ended() {
            return SessionRegistry.ended(session);
        }

        @Override
        public void accept(PostExchange exchange) {
            post.handTo(session.session(), exchange);
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
        public EventStream stream(boolean resumable) {
            return session.answerStream(post.requests(), resumable);
        }

        @Override
        public void connect(EventStream stream, Reply reply) {
            StreamWriter writer = session.connect(stream, reply, context.writers());
            stream.open(writer);
            writer.greet();
        }

        @Override
        public void answered(PostExchange exchange, @Nullable EventStream stream) {
            session.answered(exchange, stream, context.clock().instant());
            sessions.answered(session);
            open.remove(exchange);
        }
    }

    /** The request that opens a session, whose id goes out with the result. */
    private final class Initializing extends InSession {
        private volatile boolean succeeded;

        @Override
        public boolean isOwned() {
            return false;
        }

        Initializing(PostRequest post, HttpSession session) {
            super(post, session);
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

    /** A request without a session: its session of the host ends with it. */
    private final class ForOneRequest implements PostExchange.Site {
        private final PostRequest post;
        private final Session session;

        ForOneRequest(PostRequest post, Session session) {
            this.post = post;
            this.session = session;
        }

        @Override
        public void accept(PostExchange exchange) {
            post.handTo(session, exchange);
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
        public EventStream stream(boolean resumable) {
            return EventStream.unstored(settings.streamBuffer);
        }

        @Override
        public void connect(EventStream stream, Reply reply) {
            StreamWriter writer = reply.connect(context.writers(), stream, unwritten -> {});
            stream.open(writer);
            writer.greet();
        }

        @Override
        public void answered(PostExchange exchange, @Nullable EventStream stream) {
            open.remove(exchange);
            session.close();
        }
    }
}
