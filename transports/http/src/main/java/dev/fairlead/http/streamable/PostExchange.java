package dev.fairlead.http.streamable;

import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestPermits;
import dev.fairlead.http.session.SessionRegistry;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.streamable.PostAnswer.Step;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.engine.WireLog;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The requests of one POST, from their permits to the {@link PostAnswer}, the steps of which it
 * takes on the connection.
 */
final class PostExchange implements Exchange, OpenExchanges.Open {
    /** The code of a request that ends without an answer; in the range of implementations. */
    private static final int NO_ANSWER = -32000;

    /** The messages that may be sent. */
    enum AnswerKind {
        /** The responses alone. */
        RESPONSES,
        /** Other messages too, on a stream that lasts as long as its connection. */
        MESSAGES,
        /** The same, and the client may be disconnected and resume the stream. */
        RESUMABLE_MESSAGES
    }

    /** The environment of an exchange: its session, or that of a single request. */
    interface Site {
        /** Returns whether no other process can take the request. */
        default boolean isOwned() {
            return false;
        }

        /**
         * The exchange begins.
         *
         * @return false if the session has just ended, or is about to
         */
        default boolean begin(PostExchange exchange) {
            return true;
        }

        /** Refuses an exchange that could not begin. */
        default HttpRefusalException ended() {
            return SessionRegistry.unknown();
        }

        /** Hands the messages over. */
        void accept(PostExchange exchange);

        /** A new stream; with a priming event if it is resumable. */
        EventStream stream(boolean resumable);

        /** Gives a stream its connection. */
        void connect(EventStream stream, Reply reply);

        /** Called just before the answer begins, with the first response if there is one. */
        default void answering(Reply reply, @Nullable JsonRpcMessage response) {}

        /** Everything is answered; called once. */
        void answered(PostExchange exchange, @Nullable EventStream stream);

        /** The exchange never began. */
        default void refused() {}

        /** No more requests are taken. */
        default void draining() {}

        /** Returns whether requests end with their client: its leaving is cancellation. */
        default boolean endsWithClient() {
            return false;
        }

        /** The name of the session in logs; that of its transport if there is none. */
        default String logName() {
            return "http";
        }

        /** Has the handlers of requests interrupted, as their client would. */
        void cancel(List<RequestId> requests, String reason);
    }

    private static final System.Logger LOGGER = System.getLogger(PostExchange.class.getName());

    private final HttpExchange http;
    private final Reply reply;
    private final Caller caller;
    private final Optional<InetAddress> address;
    private final boolean batch; // JSON answers are one as well
    private final AnswerKind kind;
    private final Site site;
    private final RequestPermits.Held permits;
    private final Instant started;
    private final PostAnswer answer;
    private final List<Runnable> whenGone = new ArrayList<>(); // guarded by itself
    private volatile boolean streamIsDue; // a thread is to begin a stream

    /**
     * Begins an exchange.
     *
     * @param permits given back when all requests have ended
     */
    PostExchange(
            PostRequest post,
            AnswerKind kind,
            Site site,
            RequestPermits.Held permits,
            Instant started) {
        this.http = post.http();
        this.reply = post.reply();
        this.caller = post.caller();
        this.address = post.http().remoteAddress();
        this.batch = post.batch() != null;
        this.kind = kind;
        this.site = site;
        this.permits = permits;
        this.started = started;
        this.answer =
                new PostAnswer(
                        post,
                        isStreaming(),
                        () -> site.stream(kind == AnswerKind.RESUMABLE_MESSAGES),
                        this::gone);
    }

    /** The engine has noticed that the client has left. */
    void left() {
        EventStream events = answer.stream();
        if (events != null) {
            events.abort();
        }
        gone();
    }

    /** A client that has its answer finds room for its next request. */
    @Override
    public void send(JsonRpcMessage message) {
        RequestId answered = Reply.answeredBy(message);
        if (answered != null) {
            permits.ended(answered);
        }
        respondEarly(message);
    }

    @Override
    public void respondEarly(JsonRpcMessage message) {
        if (message instanceof JsonRpcResponse || message instanceof JsonRpcErrorResponse) {
            perform(answer.respond(message));
            return;
        }
        PostAnswer.Added added = answer.add(message);
        perform(added.step()); // a stream that has begun needs its connection, also after a refusal
        if (added.refusal() != null) {
            throw added.refusal();
        }
    }

    @Override
    public void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
        answer.refuse(
                switch (kind) {
                    case INVALID -> 400;
                    case UNKNOWN_METHOD -> 404;
                    case LIMIT -> 429;
                    case CLOSING -> 503;
                });
        send(response);
    }

    @Override
    public Runnable inContext(Runnable task) {
        return http.inContext(task);
    }

    /** A request of a batch must not delay the others. */
    @Override
    public void run(String name, Runnable task) {
        if (batch) {
            Exchange.super.run(name, task);
        } else {
            http.run(name, task);
        }
    }

    /** Takes a step; an exchange that is answered is no longer open, also if the step fails. */
    private void perform(Step step) {
        EventStream events = answer.stream(); // never changes once there is one
        try {
            switch (step) {
                case JSON -> {
                    List<JsonRpcMessage> taken = answer.takeResponses();
                    site.answering(reply, first(taken));
                    send(taken);
                }
                case EMPTY -> reply.nothing(MediaTypes.acceptsEvents(http.headers("Accept")));
                case WAKE, BEGIN, BEGIN_AND_END, END, LOST -> write(events, step);
            }
        } catch (RuntimeException | Error e) { // of the engine, or of the site
            reply.failed();
            if (site.endsWithClient()) { // no connection will notice that it has left
                gone();
            }
            throw e;
        } finally {
            if (step.isLast()) {
                site.answered(this, events);
            }
        }
        if (events != null
                && step == Step.LOST) { // a client that reconnects at once must not find it
            events.abort();
        }
    }

    private static @Nullable JsonRpcMessage first(List<JsonRpcMessage> taken) {
        return taken.isEmpty() ? null : taken.get(0);
    }

    private void write(@Nullable EventStream events, Step step) {
        if (events == null) {
            if (step == Step.LOST) { // before a stream began
                reply.failed();
            }
            return;
        }
        try {
            if (step == Step.BEGIN || step == Step.BEGIN_AND_END) {
                site.answering(reply, first(answer.takeResponses()));
                site.connect(events, reply);
            } else {
                events.wake();
            }
        } finally {
            if (step == Step.END || step == Step.BEGIN_AND_END) {
                events.end();
            }
        }
    }

    private void send(List<JsonRpcMessage> taken) {
        if (batch) {
            reply.batch(new Batch(taken, List.of()));
        } else if (answer.isRefusal() && taken.get(0) instanceof JsonRpcErrorResponse refusal) {
            reply.refused(answer.status(), refusal);
        } else {
            reply.response(taken.get(0));
        }
    }

    @Override
    public void abandon(RequestId request) {
        permits.ended(request);
        perform(answer.drop(List.of(request), null));
    }

    @Override
    public void ended(RequestId request) {
        permits.ended(request);
    }

    @Override
    public void draining() {
        site.draining();
    }

    @Override
    public void sessionClosed() {
        giveUp(NO_ANSWER, "The session was closed");
    }

    @Override
    public void serverClosed() {
        var closed =
                new JsonRpcError(
                        ErrorCode.INTERNAL_ERROR, "The server was closed before it answered");
        for (RequestId request : answer.open()) {
            try {
                respondEarly(new JsonRpcErrorResponse(request, closed));
            } catch (ConnectionException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "{0} is answered already", request);
            }
        }
    }

    @Override
    public void serverClosedWithoutSession() {
        if (site.endsWithClient()) {
            List<RequestId> running = answer.open();
            try {
                serverClosed();
            } finally {
                site.cancel(running, "The server was closed");
            }
        }
    }

    /** Ends the requests that are still open: no responses will come for them. */
    void giveUp(int code, String reason) {
        perform(answer.drop(answer.open(), new JsonRpcError(code, reason)));
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        Step step = kind == AnswerKind.RESUMABLE_MESSAGES ? answer.streamNow() : null;
        if (step == null) {
            return false;
        }
        perform(step);
        EventStream events = answer.stream();
        if (events != null) {
            events.closeWithRetry(retryAfter);
        }
        return true;
    }

    @Override
    public void streamIfWaitingSince(Instant time) {
        if (answer.isWaiting() && isStreaming() && !started.isAfter(time) && !streamIsDue) {
            streamIsDue = true;
            Thread.ofVirtual().name("mcp-http-stream").start(this::streamIfWaiting);
        }
    }

    private void streamIfWaiting() {
        streamIsDue = false;
        if (answer.tryStream()) {
            perform(Step.BEGIN);
        }
    }

    @Override
    public boolean isStreaming() {
        return kind != AnswerKind.RESPONSES;
    }

    @Override
    public boolean isOpen() {
        return answer.isOpen();
    }

    @Override
    public boolean isConnected() {
        return answer.isConnected();
    }

    @Override
    public void checkConnected() {
        EventStream events = answer.stream();
        if (events != null) {
            events.probe();
        }
    }

    @Override
    public void onGone(Runnable action) {
        if (!answer.isAnswered()) {
            synchronized (whenGone) {
                whenGone.add(action);
            }
            if (answer.isGivenUp()) { // meanwhile
                startWhenGone();
            }
        }
    }

    /**
     * The client has left and is not expected to come back. In a session that is not a
     * cancellation: the handlers continue, but in places of their own, and are stopped only if too
     * many run like this. Without a session it is a cancellation.
     */
    private void gone() {
        if (answer.isAnswered()) {
            return;
        }
        startWhenGone();
        if (site.endsWithClient() || !permits.detach()) {
            start(this::cancel);
        }
    }

    private void cancel() {
        List<RequestId> running = answer.open();
        running.forEach(
                request ->
                        WireLog.closed(
                                site.logName(),
                                () ->
                                        "the exchange of request "
                                                + request
                                                + ", since its client has left"));
        site.cancel(running, "The client has left");
    }

    private void startWhenGone() {
        List<Runnable> actions;
        synchronized (whenGone) {
            actions = List.copyOf(whenGone);
            whenGone.clear();
        }
        actions.forEach(PostExchange::start);
    }

    private static void start(Runnable action) {
        Thread.ofVirtual().name("mcp-http-gone").start(action);
    }

    @Override
    public Optional<InetAddress> address() {
        return address;
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public List<String> header(String name) {
        return http.headers(name);
    }
}
