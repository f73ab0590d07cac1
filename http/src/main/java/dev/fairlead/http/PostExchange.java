package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;
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

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The answer to one POST that carries requests. It is JSON if the responses are all that is sent,
 * and becomes a stream of events as soon as anything else is, or after a while.
 *
 * <p>The lock guards the state: what is still to be answered, and which of the two the answer is.
 * Everything that writes happens after it was released.
 */
final class PostExchange implements Exchange, OpenExchanges.Open {
    /** What became of a request that has no answer of its own; in the range that is left to us. */
    private static final int NO_ANSWER = -32000;

    /** What an exchange needs of the place in which it runs. */
    interface Site {
        /** A new stream; with a priming event if the client knows those. */
        EventStream stream(Answering answering);

        /** Gives a stream its connection. */
        void connect(EventStream stream, Reply reply);

        /** Called just before the answer begins, with the first response where it is JSON. */
        void answering(Reply reply, @Nullable JsonRpcMessage response);

        /** Everything is answered; called once. */
        void answered(PostExchange exchange, @Nullable EventStream stream);

        /** The exchange never began. */
        void refused();

        /** Has the handlers of requests interrupted, as their client would. */
        void cancel(List<RequestId> requests, String reason);
    }

    private static final System.Logger LOGGER = System.getLogger(PostExchange.class.getName());

    private enum State {
        WAITING,
        STREAMING,
        DONE
    }

    private final HttpExchange http;
    private final Reply reply;
    private final Caller caller;
    private final Answering answering;
    private final Site site;
    private final RequestPlaces.Held places;
    private final Instant started;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RequestId> open;
    private final List<JsonRpcMessage> responses;
    private volatile State state = State.WAITING; // changed under the lock
    private @Nullable EventStream stream;
    private final List<Runnable> whenGone = new ArrayList<>();

    /**
     * @param answered responses that are there from the start, to the malformed messages of a batch
     * @param places given back when all requests have ended
     */
    PostExchange(
            HttpExchange http,
            Reply reply,
            Caller caller,
            Answering answering,
            List<? extends JsonRpcMessage> answered,
            Site site,
            RequestPlaces.Held places,
            Instant started) {
        this.http = http;
        this.reply = reply;
        this.caller = caller;
        this.answering = answering;
        this.open = new ArrayList<>(answering.requests());
        this.responses = new ArrayList<>(answered);
        this.site = site;
        this.places = places;
        this.started = started;
    }

    /** What is to be done once the lock is released. */
    private record Step(boolean connect, boolean json, boolean end, boolean lost, boolean silent) {
        static final Step NOTHING = new Step(false, false, false, false, false);
        static final Step JSON = new Step(false, true, false, false, false);
        static final Step CONNECT = new Step(true, false, false, false, false);
        static final Step LOST = new Step(false, false, false, true, false);
        static final Step SILENT = new Step(false, false, false, false, true);
    }

    /** A client that has its answer finds room for its next request. */
    @Override
    public void send(JsonRpcMessage message) {
        RequestId answered = idOf(message);
        if (answered != null) {
            places.ended(answered);
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
            if (state == State.DONE) {
                throw new ConnectionException("The request was answered already");
            }
            step = response ? respond(message) : stream();
            if (!response) {
                refusal = refusal(message);
            }
        } finally {
            lock.unlock();
        }
        perform(step); // a stream that has begun needs its connection, whatever became of this
        if (refusal != null) {
            throw refusal;
        }
    }

    private Step respond(JsonRpcMessage response) {
        open.remove(idOf(response));
        try {
            if (state == State.WAITING) {
                responses.add(response);
            } else {
                add(response);
            }
            return open.isEmpty() ? close() : Step.NOTHING;
        } catch (RuntimeException | Error e) { // of the store: the places must be given back
            return lose(e);
        }
    }

    /**
     * A response could neither be stored nor sent, since the client has left. The stream is not
     * ended, so that a client that comes back gets an error.
     */
    private Step lose(Throwable cause) {
        LOGGER.log(System.Logger.Level.ERROR, "A response could not be kept", cause);
        open.clear();
        state = State.DONE;
        return Step.LOST;
    }

    /** The id of the request that a message answers; null if it is no response, or has none. */
    static @Nullable RequestId idOf(JsonRpcMessage response) {
        return switch (response) {
            case JsonRpcResponse success -> success.id();
            case JsonRpcErrorResponse failure -> failure.id();
            default -> null;
        };
    }

    private Step stream() {
        if (!answering.streaming()) {
            throw new ConnectionException("This answer can carry nothing but the response");
        }
        if (state != State.WAITING) {
            return Step.NOTHING;
        }
        startStream();
        return Step.CONNECT;
    }

    /** Adds what is no response; why that was not possible, if so. */
    private @Nullable ConnectionException refusal(JsonRpcMessage message) {
        try {
            return add(message) || !(message instanceof JsonRpcRequest)
                    ? null
                    : new ConnectionException("The client's connection is gone");
        } catch (EventStoreException e) {
            return e;
        }
    }

    private void startStream() {
        EventStream begun = site.stream(answering);
        responses.forEach(response -> begun.add(OutgoingEvent.of(response)));
        begun.onGivenUp(this::gone);
        stream = begun;
        state = State.STREAMING;
    }

    /** Adds to the stream; what is no request is silently lost where nobody is there to take it. */
    private boolean add(JsonRpcMessage message) {
        return stream != null && stream.add(OutgoingEvent.of(message));
    }

    private Step close() {
        if (state == State.WAITING && answering.json()) {
            state = State.DONE;
            return Step.JSON;
        }
        boolean connect = state == State.WAITING;
        if (connect) {
            startStream();
        }
        state = State.DONE;
        return new Step(connect, false, true, false, false);
    }

    /** Whatever fails meanwhile, an exchange that is answered is no longer open. */
    private void perform(Step step) {
        EventStream events = stream; // set before the lock was released, and never changed
        boolean last = step.json() || step.silent() || step.end() || step.lost();
        try {
            if (step.json()) {
                site.answering(reply, responses.isEmpty() ? null : responses.get(0));
                answer();
            } else if (step.silent()) {
                reply.nothing(MediaTypes.accepts(http.headers("Accept"), MediaTypes.EVENTS));
            } else if (events != null) {
                write(events, step);
            } else if (step.lost()) { // before a stream began
                reply.failed();
            }
        } catch (RuntimeException | Error e) { // of the engine, or of who learns of the answer
            reply.failed();
            throw e;
        } finally {
            if (last) {
                site.answered(this, events);
            }
        }
        if (events != null && step.lost()) { // whoever comes back at once must not meet it again
            events.abort();
        }
    }

    private void write(EventStream events, Step step) {
        try {
            if (step.connect()) {
                site.answering(reply, responses.isEmpty() ? null : responses.get(0));
                site.connect(events, reply);
            } else {
                events.wake();
            }
        } finally {
            if (step.end()) {
                events.end();
            }
        }
    }

    private void answer() {
        if (answering.batch()) {
            reply.batch(new Batch(responses, List.of()));
        } else {
            reply.response(responses.get(0));
        }
    }

    @Override
    public void abandon(RequestId request) {
        places.ended(request);
        drop(List.of(request), null);
    }

    @Override
    public void ended(RequestId request) {
        places.ended(request);
    }

    @Override
    public void sessionClosed() {
        giveUp(NO_ANSWER, "The session was closed");
    }

    /** The server ends, and nobody else will answer what is still open. */
    void serverClosed() {
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

    private List<RequestId> stillOpen() {
        lock.lock();
        try {
            return List.copyOf(open);
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more will come for what is still open. */
    void giveUp(int code, String reason) {
        drop(stillOpen(), new JsonRpcError(code, reason));
    }

    /**
     * Ends the exchange for requests without a response.
     *
     * @param error what an answer that is to be JSON contains for each; null if they were
     *     cancelled, and the answer contains nothing for them
     */
    private void drop(List<RequestId> requests, @Nullable JsonRpcError error) {
        Step step = Step.NOTHING;
        lock.lock();
        try {
            for (RequestId request : requests) {
                if (state == State.DONE || !open.remove(request)) {
                    continue;
                }
                if (error != null && state == State.WAITING && answering.json()) {
                    responses.add(new JsonRpcErrorResponse(request, error));
                }
                if (open.isEmpty()) {
                    step = error == null && hasNothingToSend() ? silence() : close();
                }
            }
        } finally {
            lock.unlock();
        }
        perform(step);
    }

    private boolean hasNothingToSend() {
        return state == State.WAITING && responses.isEmpty();
    }

    private Step silence() {
        state = State.DONE;
        return Step.SILENT;
    }

    @Override
    public boolean disconnect(Duration retryAfter) {
        boolean connect;
        lock.lock();
        try {
            if (!answering.resumable() || !answering.streaming() || state == State.DONE) {
                return false;
            }
            connect = state == State.WAITING;
            if (connect) {
                startStream();
            }
        } finally {
            lock.unlock();
        }
        perform(connect ? Step.CONNECT : Step.NOTHING);
        if (stream != null) {
            stream.closeWithRetry(retryAfter);
        }
        return true;
    }

    @Override
    public void streamIfWaitingSince(Instant time) {
        if (state == State.WAITING && answering.streaming() && !started.isAfter(time)) {
            Thread.ofVirtual().name("mcp-http-stream").start(this::streamIfWaiting);
        }
    }

    private void streamIfWaiting() {
        if (!lock.tryLock()) { // whoever has it answers, or is just beginning a stream
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
        perform(Step.CONNECT);
    }

    @Override
    public boolean isStreaming() {
        return answering.streaming();
    }

    @Override
    public boolean isOpen() {
        lock.lock();
        try {
            return state != State.DONE && !isGone();
        } finally {
            lock.unlock();
        }
    }

    private boolean isGone() {
        return stream != null && stream.isGivenUp();
    }

    @Override
    public boolean isConnected() {
        EventStream events;
        lock.lock();
        try {
            if (state == State.DONE) {
                return false;
            }
            events = stream;
        } finally {
            lock.unlock();
        }
        return events == null || !events.isLeft();
    }

    @Override
    public void checkConnected() {
        EventStream events;
        lock.lock();
        try {
            events = stream;
        } finally {
            lock.unlock();
        }
        if (events != null) {
            events.probe();
        }
    }

    @Override
    public void onGone(Runnable action) {
        lock.lock();
        try {
            if (state == State.DONE) {
                return;
            }
            if (!isGone()) {
                whenGone.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        start(action);
    }

    /**
     * The client has left and is not expected to come back. That is no cancellation, so that what
     * runs continues, but in a place of its own; only where too many run like this it is stopped.
     */
    private void gone() {
        List<Runnable> actions;
        lock.lock();
        try {
            if (state == State.DONE) {
                return;
            }
            actions = List.copyOf(whenGone);
            whenGone.clear();
        } finally {
            lock.unlock();
        }
        actions.forEach(PostExchange::start);
        if (!places.detach()) {
            start(() -> site.cancel(stillOpen(), "The client has left"));
        }
    }

    private static void start(Runnable action) {
        Thread.ofVirtual().name("mcp-http-gone").start(action);
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
