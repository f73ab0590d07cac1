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
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.engine.WireLog;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The answer to one POST that carries requests. It is JSON if only the responses are sent, and
 * becomes a stream of events with any other message, or after a while.
 *
 * <table>
 * <caption>Transitions of the answer, and the step after each ({@link Step})</caption>
 * <tr><th>Event<th>Waiting<th>Streaming<th>Answered
 * <tr><td>a response, not the last<td>is kept<td>is added, WAKE<td>refused
 * <tr><td>the last response<td>Answered, JSON; or BEGIN_AND_END for a client without JSON
 *     <td>Answered, END<td>refused
 * <tr><td>any other message<td>Streaming, BEGIN<td>is added, WAKE<td>refused
 * <tr><td>{@link #streamIfWaitingSince}<td>Streaming, BEGIN<td>–<td>–
 * <tr><td>{@link #disconnect}<td>Streaming, BEGIN; the client is disconnected<td>the client is disconnected<td>–
 * <tr><td>the last request is cancelled<td>Answered, EMPTY<td>Answered, END<td>–
 * <tr><td>the store keeps no response of a client that has left<td>–<td>Answered, LOST<td>–
 * </table>
 *
 * <p>The lock orders the messages, and is held while one gets its place in the stream, thus while
 * the event store is called. The state of the answer is read without it. Steps of the connection
 * follow when it is released.
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

    /** The state of the answer. */
    private sealed interface State {
        /** Nothing is sent yet. */
        record Waiting() implements State {}

        record Streaming(EventStream events) implements State {}

        /**
         * Nothing more will be sent.
         *
         * @param events null if there was no stream
         */
        record Answered(@Nullable EventStream events) implements State {
            private static final Answered WITHOUT_STREAM = new Answered(null);
        }

        Waiting WAITING = new Waiting();

        default @Nullable EventStream stream() {
            return switch (this) {
                case Waiting waiting -> null;
                case Streaming streaming -> streaming.events();
                case Answered answered -> answered.events();
            };
        }
    }

    /** The step to take once the lock is released. */
    private enum Step {
        /** Writes the added messages to the stream, if there is one. */
        WAKE,
        /** Gives the stream its connection. */
        BEGIN,
        /** Gives the stream its connection, which ends after the present events. */
        BEGIN_AND_END,
        /** Ends the stream after the present events. */
        END,
        /** Sends the responses as JSON. */
        JSON,
        /** Ends the answer without a response. */
        EMPTY,
        /** Drops the connection, since a response could be neither kept nor sent. */
        LOST;

        boolean isLast() {
            return this != WAKE && this != BEGIN;
        }
    }

    private final HttpExchange http;
    private final Reply reply;
    private final Caller caller;
    private final Optional<InetAddress> address;
    private final boolean batch; // JSON answers are one as well
    private final boolean json; // the client takes JSON
    private final AnswerKind kind;
    private final Site site;
    private final RequestPermits.Held permits;
    private final Instant started;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RequestId> open;
    private final List<JsonRpcMessage> responses; // until they are sent; guarded by lock
    private final List<Runnable> whenGone = new ArrayList<>(); // guarded by itself
    private volatile State state = State.WAITING; // changed under the lock
    private volatile boolean streamIsDue; // a thread is to begin a stream
    private int status = 200; // of an answer that is JSON; guarded by lock

    /**
     * The answer to a POST, which for the malformed messages of a batch is there from the start.
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
        this.json = MediaTypes.acceptsJson(http.headers("Accept"));
        this.kind = kind;
        this.open = new ArrayList<>(post.requests());
        this.responses =
                new ArrayList<>(post.batch() == null ? List.of() : post.batch().malformed());
        this.site = site;
        this.permits = permits;
        this.started = started;
    }

    /** The engine has noticed that the client has left. */
    void left() {
        EventStream events = state.stream();
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
        boolean response =
                message instanceof JsonRpcResponse || message instanceof JsonRpcErrorResponse;
        Step step;
        ConnectionException refusal = null;
        lock.lock();
        try {
            if (isAnswered()) {
                throw new ConnectionException("The request was answered already");
            }
            step = response ? respond(message) : stream();
            if (!response) {
                refusal = refusal(message);
            }
        } finally {
            lock.unlock();
        }
        perform(step); // a stream that has begun needs its connection, also after a refusal
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
        lock.lock();
        try {
            status =
                    switch (kind) {
                        case INVALID -> 400;
                        case UNKNOWN_METHOD -> 404;
                        case LIMIT -> 429;
                        case CLOSING -> 503;
                    };
        } finally {
            lock.unlock();
        }
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

    private boolean isAnswered() {
        return state instanceof State.Answered;
    }

    private Step respond(JsonRpcMessage response) {
        open.remove(Reply.answeredBy(response));
        try {
            if (state == State.WAITING) {
                responses.add(response);
            } else {
                add(response);
            }
            return open.isEmpty() ? close() : Step.WAKE;
        } catch (RuntimeException | Error e) { // of the store: the places must be given back
            return lose(e);
        }
    }

    /**
     * A response could neither be stored nor sent, since the client has left. The stream is not
     * ended, so that a client that comes back gets an error.
     */
    private Step lose(Throwable cause) {
        LimitedLog.failed(
                LOGGER, System.Logger.Level.ERROR, "", cause, "A response could not be kept");
        open.clear();
        state = new State.Answered(state.stream());
        return Step.LOST;
    }

    private Step stream() {
        if (!isStreaming()) {
            throw new ConnectionException("This answer can carry nothing but the response");
        }
        if (state != State.WAITING) {
            return Step.WAKE;
        }
        startStream();
        return Step.BEGIN;
    }

    /** Adds a message that is not a response; returns why that was not possible, if so. */
    private @Nullable ConnectionException refusal(JsonRpcMessage message) {
        try {
            return add(message) || !(message instanceof JsonRpcRequest)
                    ? null
                    : new ConnectionException("The client's connection is gone");
        } catch (EventStoreException e) {
            return e;
        }
    }

    private EventStream startStream() {
        EventStream begun = site.stream(kind == AnswerKind.RESUMABLE_MESSAGES);
        responses.forEach(response -> begun.add(OutgoingEvent.of(response)));
        begun.onGivenUp(this::gone);
        state = new State.Streaming(begun);
        return begun;
    }

    /**
     * Adds to the stream; other messages than requests are dropped where no client is connected.
     */
    private boolean add(JsonRpcMessage message) {
        EventStream events = state.stream();
        return events != null && events.add(OutgoingEvent.of(message));
    }

    private Step close() {
        switch (state) {
            case State.Waiting waiting when json || status != 200 -> {
                state = State.Answered.WITHOUT_STREAM;
                return Step.JSON;
            }
            case State.Waiting waiting -> {
                state = new State.Answered(startStream());
                return Step.BEGIN_AND_END;
            }
            case State.Streaming streaming -> {
                state = new State.Answered(streaming.events());
                return Step.END;
            }
            case State.Answered answered -> {
                return Step.WAKE;
            }
        }
    }

    /** Takes a step; an exchange that is answered is no longer open, also if the step fails. */
    private void perform(Step step) {
        EventStream events = state.stream(); // never changes once there is one
        try {
            switch (step) {
                case JSON -> {
                    List<JsonRpcMessage> taken = takeResponses();
                    site.answering(reply, first(taken));
                    answer(taken);
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
                site.answering(reply, first(takeResponses()));
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

    private void answer(List<JsonRpcMessage> taken) {
        if (batch) {
            reply.batch(new Batch(taken, List.of()));
        } else if (status != 200 && taken.get(0) instanceof JsonRpcErrorResponse refusal) {
            reply.refused(status, refusal);
        } else {
            reply.response(taken.get(0));
        }
    }

    /** Returns the responses so far, which others that refer to this exchange no longer keep. */
    private List<JsonRpcMessage> takeResponses() {
        lock.lock();
        try {
            List<JsonRpcMessage> taken = List.copyOf(responses);
            responses.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void abandon(RequestId request) {
        permits.ended(request);
        drop(List.of(request), null);
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
        for (RequestId request : stillOpen()) {
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
            List<RequestId> running = stillOpen();
            try {
                serverClosed();
            } finally {
                site.cancel(running, "The server was closed");
            }
        }
    }

    private List<RequestId> stillOpen() {
        lock.lock();
        try {
            return List.copyOf(open);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the requests that are still open: no responses will come for them. */
    void giveUp(int code, String reason) {
        drop(stillOpen(), new JsonRpcError(code, reason));
    }

    /**
     * Ends the exchange for requests without a response.
     *
     * @param error the error that a JSON answer contains for each; null if they were cancelled, and
     *     the answer contains nothing for them
     */
    private void drop(List<RequestId> requests, @Nullable JsonRpcError error) {
        Step step = Step.WAKE;
        lock.lock();
        try {
            for (RequestId request : requests) {
                if (isAnswered() || !open.remove(request)) {
                    continue;
                }
                if (error != null && state == State.WAITING && json) {
                    responses.add(new JsonRpcErrorResponse(request, error));
                }
                if (open.isEmpty()) {
                    step = error == null && hasNothingToSend() ? silence() : close();
                }
            }
        } catch (RuntimeException | Error e) { // of the store, as for a response
            step = lose(e);
        } finally {
            lock.unlock();
        }
        perform(step);
    }

    private boolean hasNothingToSend() {
        return state == State.WAITING && responses.isEmpty();
    }

    private Step silence() {
        state = State.Answered.WITHOUT_STREAM;
        return Step.EMPTY;
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        Step step = Step.WAKE;
        lock.lock();
        try {
            if (kind != AnswerKind.RESUMABLE_MESSAGES || isAnswered()) {
                return false;
            }
            if (state == State.WAITING) {
                startStream();
                step = Step.BEGIN;
            }
        } finally {
            lock.unlock();
        }
        perform(step);
        EventStream events = state.stream();
        if (events != null) {
            events.closeWithRetry(retryAfter);
        }
        return true;
    }

    @Override
    public void streamIfWaitingSince(Instant time) {
        if (state == State.WAITING && isStreaming() && !started.isAfter(time) && !streamIsDue) {
            streamIsDue = true;
            Thread.ofVirtual().name("mcp-http-stream").start(this::streamIfWaiting);
        }
    }

    private void streamIfWaiting() {
        streamIsDue = false;
        if (!lock.tryLock()) { // its holder answers, or is just beginning a stream
            return;
        }
        try {
            if (state != State.WAITING) {
                return;
            }
            startStream();
        } finally {
            lock.unlock();
        }
        perform(Step.BEGIN);
    }

    @Override
    public boolean isStreaming() {
        return kind != AnswerKind.RESPONSES;
    }

    @Override
    public boolean isOpen() {
        State now = state;
        return !(now instanceof State.Answered) && !isGone(now);
    }

    private static boolean isGone(State now) {
        EventStream events = now.stream();
        return events != null && events.isGivenUp();
    }

    @Override
    public boolean isConnected() {
        State now = state;
        EventStream events = now.stream();
        return !(now instanceof State.Answered) && (events == null || !events.isLeft());
    }

    @Override
    public void checkConnected() {
        EventStream events = state.stream();
        if (events != null) {
            events.probe();
        }
    }

    @Override
    public void onGone(Runnable action) {
        if (!isAnswered()) {
            synchronized (whenGone) {
                whenGone.add(action);
            }
            if (isGone(state)) { // meanwhile
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
        if (isAnswered()) {
            return;
        }
        startWhenGone();
        if (site.endsWithClient() || !permits.detach()) {
            start(this::cancel);
        }
    }

    private void cancel() {
        List<RequestId> running = stillOpen();
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
