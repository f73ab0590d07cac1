package dev.fairlead.http.streamable;

import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The answer to one POST that carries requests. It is JSON if only the responses are sent, and
 * becomes a stream of events with any other message, or after a while.
 *
 * <table>
 * <caption>Transitions of the answer, and the step after each ({@link Step})</caption>
 * <tr><th>Event<th>Waiting<th>Streaming<th>Answered
 * <tr><td>a response, not the last<td>is counted and kept<td>is added, WAKE<td>refused
 * <tr><td>the last response<td>Answered, JSON; or BEGIN_AND_END for a client without JSON
 *     <td>Answered, END<td>refused
 * <tr><td>any other message<td>Streaming, BEGIN<td>is added, WAKE<td>refused
 * <tr><td>{@link #tryStream}<td>Streaming, BEGIN<td>–<td>–
 * <tr><td>{@link #streamNow}<td>Streaming, BEGIN<td>WAKE<td>–
 * <tr><td>the last request is cancelled<td>Answered, EMPTY<td>Answered, END<td>–
 * <tr><td>the store keeps no response of a client that has left<td>–<td>Answered, LOST<td>–
 * </table>
 *
 * <p>The lock orders the messages, and is held while one gets its place in the stream, thus while
 * the event store is called. The state is read without it. The caller takes the steps, which use
 * the connection, when it is released.
 */
final class PostAnswer {
    private static final System.Logger LOGGER = System.getLogger(PostAnswer.class.getName());

    /** The step to take once the lock is released. */
    enum Step {
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

    /**
     * The outcome of a message that is not a response.
     *
     * @param refusal the reason why the message could not be added; null if it was
     */
    record Added(Step step, @Nullable ConnectionException refusal) {}

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

    private final Reply reply; // counts the responses that wait for others
    private final boolean json; // the client takes JSON
    private final boolean streams;
    private final Supplier<EventStream> newStream;
    private final Runnable whenGivenUp;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RequestId> open; // guarded by lock
    private final List<JsonRpcMessage> responses; // until they are sent; guarded by lock
    private volatile State state = State.WAITING; // changed under the lock
    private volatile int status = 200; // of an answer that is JSON

    /**
     * The answer to a POST, which for the malformed messages of a batch is there from the start.
     *
     * @param streams whether it may become a stream
     * @param whenGivenUp called when the client of the stream is not expected to come back
     */
    PostAnswer(
            PostRequest post,
            boolean streams,
            Supplier<EventStream> newStream,
            Runnable whenGivenUp) {
        this.reply = post.reply();
        this.json = MediaTypes.acceptsJson(post.http().headers("Accept"));
        this.streams = streams;
        this.newStream = newStream;
        this.whenGivenUp = whenGivenUp;
        this.open = new ArrayList<>(post.requests());
        this.responses =
                new ArrayList<>(post.batch() == null ? List.of() : post.batch().malformed());
    }

    // ---- the state

    /** Returns the stream of the answer, which stays the same; null if there is none. */
    @Nullable EventStream stream() {
        return state.stream();
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean isAnswered() {
        return state instanceof State.Answered;
    }

    boolean isGivenUp() {
        return isGivenUp(state);
    }

    private static boolean isGivenUp(State now) {
        EventStream events = now.stream();
        return events != null && events.isGivenUp();
    }

    boolean isOpen() {
        State now = state;
        return !(now instanceof State.Answered) && !isGivenUp(now);
    }

    boolean isConnected() {
        State now = state;
        EventStream events = now.stream();
        return !(now instanceof State.Answered) && (events == null || !events.isLeft());
    }

    /** Returns the status of an answer that is JSON. */
    int status() {
        return status;
    }

    boolean isRefusal() {
        return status != 200;
    }

    /** Returns the requests without a response. */
    List<RequestId> open() {
        lock.lock();
        try {
            return List.copyOf(open);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the responses so far, which others that refer to this answer no longer keep. */
    List<JsonRpcMessage> takeResponses() {
        lock.lock();
        try {
            List<JsonRpcMessage> taken = List.copyOf(responses);
            responses.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    // ---- transitions

    /** Makes the answer a refusal, with this status if it is JSON. */
    void refuse(int with) {
        status = with;
    }

    /**
     * Takes the response to a request.
     *
     * @throws ConnectionException if everything is answered
     */
    Step respond(JsonRpcMessage response) {
        lock.lock();
        try {
            checkNotAnswered();
            return keep(response);
        } finally {
            lock.unlock();
        }
    }

    private Step keep(JsonRpcMessage response) {
        open.remove(Reply.answeredBy(response));
        try {
            if (state == State.WAITING) {
                responses.add(open.isEmpty() ? response : reply.kept(response));
            } else {
                addEvent(response);
            }
            return open.isEmpty() ? close() : Step.WAKE;
        } catch (RuntimeException | Error e) { // of the store: the places must be given back
            return lose(e);
        }
    }

    private void checkNotAnswered() {
        if (isAnswered()) {
            throw new ConnectionException("The request was answered already");
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

    /**
     * Adds a message that is not a response.
     *
     * @throws ConnectionException if everything is answered, or the answer may be no stream
     */
    Added add(JsonRpcMessage message) {
        lock.lock();
        try {
            checkNotAnswered();
            if (!streams) {
                throw new ConnectionException("This answer can carry nothing but the response");
            }
            Step step = begin();
            return new Added(step, refusal(message));
        } finally {
            lock.unlock();
        }
    }

    /** Returns why a message could not be added; null if it was. */
    private @Nullable ConnectionException refusal(JsonRpcMessage message) {
        try {
            return addEvent(message) || !(message instanceof JsonRpcRequest)
                    ? null
                    : new ConnectionException("The client's connection is gone");
        } catch (EventStoreException e) {
            return e;
        }
    }

    /** Begins the stream of an answer that waits. */
    private Step begin() {
        if (state != State.WAITING) {
            return Step.WAKE;
        }
        startStream();
        return Step.BEGIN;
    }

    private EventStream startStream() {
        EventStream begun = newStream.get();
        responses.forEach(response -> begun.add(OutgoingEvent.of(response)));
        begun.onGivenUp(whenGivenUp);
        reply.releaseCounted(); // the stream counts them for its connection
        state = new State.Streaming(begun);
        return begun;
    }

    /**
     * Adds to the stream; other messages than requests are dropped where no client is connected.
     */
    private boolean addEvent(JsonRpcMessage message) {
        EventStream events = state.stream();
        return events != null && events.add(OutgoingEvent.of(message));
    }

    private Step close() {
        switch (state) {
            case State.Waiting waiting when json || isRefusal() -> {
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

    /**
     * Ends requests without a response.
     *
     * @param error the error that a JSON answer contains for each; null if they were cancelled, and
     *     the answer contains nothing for them
     */
    Step drop(List<RequestId> requests, @Nullable JsonRpcError error) {
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
            return step;
        } catch (RuntimeException | Error e) { // of the store, as for a response
            return lose(e);
        } finally {
            lock.unlock();
        }
    }

    private boolean hasNothingToSend() {
        return state == State.WAITING && responses.isEmpty();
    }

    private Step silence() {
        state = State.Answered.WITHOUT_STREAM;
        return Step.EMPTY;
    }

    /** Begins the stream of an answer that waits; returns null if everything is answered. */
    @Nullable Step streamNow() {
        lock.lock();
        try {
            return isAnswered() ? null : begin();
        } finally {
            lock.unlock();
        }
    }

    /** Begins the stream of an answer that waits, and is not used now; returns whether it did. */
    boolean tryStream() {
        if (!lock.tryLock()) { // its holder answers, or is just beginning a stream
            return false;
        }
        try {
            return begin() == Step.BEGIN;
        } finally {
            lock.unlock();
        }
    }
}
