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
 * The answer to one POST that carries requests (HTTP-011, ROOM-057). It is JSON if the responses
 * are all that is sent, and becomes a stream of events as soon as anything else is, or after a
 * while.
 *
 * <p>The lock guards the state: what is still to be answered, and which of the two the answer is.
 * Everything that writes happens after it was released.
 */
final class PostExchange implements Exchange, OpenExchanges.Open {
    /**
     * What became of a request that has no answer of its own; in the range that is left to us
     * (ERR-026).
     */
    private static final int NO_ANSWER = -32000;

    /** What an exchange needs of the place in which it runs. */
    interface Site {
        /** A new stream; with a priming event if the client knows those. */
        EventStream stream(Answering answering);

        /** A new stream is not used, since it cannot keep what it is to begin with. */
        void discard(EventStream stream);

        /** Gives a stream its connection. */
        void connect(EventStream stream, Reply reply);

        /** Called just before the answer begins, with the first response where it is JSON. */
        void answering(Reply reply, @Nullable JsonRpcMessage response);

        /** Everything is answered; called once. */
        void answered(PostExchange exchange, @Nullable EventStream stream);
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
    private final Instant started;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RequestId> open;
    private final List<JsonRpcMessage> responses;
    private volatile State state = State.WAITING; // changed under the lock
    private @Nullable EventStream stream;
    private final List<Runnable> whenGone = new ArrayList<>();

    /**
     * @param answered responses that are there from the start, to the malformed messages of a batch
     */
    PostExchange(
            HttpExchange http,
            Reply reply,
            Caller caller,
            Answering answering,
            List<? extends JsonRpcMessage> answered,
            Site site,
            Instant started) {
        this.http = http;
        this.reply = reply;
        this.caller = caller;
        this.answering = answering;
        this.open = new ArrayList<>(answering.requests());
        this.responses = new ArrayList<>(answered);
        this.site = site;
        this.started = started;
    }

    /** What is to be done once the lock is released. */
    private record Step(boolean connect, boolean json, boolean end, boolean lost) {
        static final Step NOTHING = new Step(false, false, false, false);
        static final Step JSON = new Step(false, true, false, false);
        static final Step CONNECT = new Step(true, false, false, false);
        static final Step LOST = new Step(false, false, false, true);
    }

    @Override
    public void send(JsonRpcMessage message) {
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
        } catch (EventStoreException e) {
            return lose(e);
        }
    }

    /**
     * A response could not be kept. The connection is dropped and the stream not ended, so that a
     * client that comes back is told so.
     */
    private Step lose(EventStoreException cause) {
        LOGGER.log(System.Logger.Level.ERROR, "A response could not be kept", cause);
        open.clear();
        state = State.DONE;
        return Step.LOST;
    }

    private static @Nullable RequestId idOf(JsonRpcMessage response) {
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

    /** Nothing has changed if the stream cannot be begun. */
    private void startStream() {
        EventStream begun = site.stream(answering);
        try {
            responses.forEach(response -> begun.add(OutgoingEvent.of(response)));
        } catch (EventStoreException e) {
            site.discard(begun);
            throw e;
        }
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
        return new Step(connect, false, true, false);
    }

    /** Whatever fails meanwhile, an exchange that is answered gives its place back. */
    private void perform(Step step) {
        EventStream events = stream; // set before the lock was released, and never changed
        try {
            if (step.json()) {
                site.answering(reply, responses.isEmpty() ? null : responses.get(0));
                answer();
            } else if (events != null) {
                write(events, step);
            } else if (step.lost()) {
                reply.unavailable("The server cannot keep its answer just now");
            }
        } catch (RuntimeException | Error e) { // of the engine, or of who learns of the answer
            reply.failed();
            throw e;
        } finally {
            if (step.json() || step.end() || step.lost()) {
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
            reply.json(200, new Batch(responses, List.of()).toBytes());
        } else {
            reply.response(responses.get(0));
        }
    }

    @Override
    public void abandon(RequestId request) {
        drop(List.of(request), new JsonRpcError(NO_ANSWER, "The request was cancelled"));
    }

    @Override
    public void sessionClosed() {
        giveUp(NO_ANSWER, "The session was closed");
    }

    /** The server ends, and nobody else will answer what is still open (SSE-020). */
    void serverClosed() {
        var closed =
                new JsonRpcError(
                        ErrorCode.INTERNAL_ERROR, "The server was closed before it answered");
        for (RequestId request : stillOpen()) {
            try {
                send(new JsonRpcErrorResponse(request, closed));
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

    /** A stream just ends; an answer that is to be JSON cannot be left out (ROOM-041). */
    private void drop(List<RequestId> requests, JsonRpcError error) {
        Step step = Step.NOTHING;
        lock.lock();
        try {
            for (RequestId request : requests) {
                if (state == State.DONE || !open.remove(request)) {
                    continue;
                }
                if (state == State.WAITING && answering.json()) {
                    responses.add(new JsonRpcErrorResponse(request, error));
                }
                if (open.isEmpty()) {
                    step = close();
                }
            }
        } catch (EventStoreException e) {
            step = lose(e);
        } finally {
            lock.unlock();
        }
        perform(step);
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
            stream.sendAway(retryAfter);
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
        } catch (EventStoreException e) { // the next round tries again
            LOGGER.log(System.Logger.Level.DEBUG, "An answer cannot become a stream", e);
            return;
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

    /** The client has left and is not expected to come back. */
    private void gone() {
        List<Runnable> actions;
        lock.lock();
        try {
            actions = state == State.DONE ? List.of() : List.copyOf(whenGone);
            whenGone.clear();
        } finally {
            lock.unlock();
        }
        actions.forEach(PostExchange::start);
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
