package dev.fairlead.protocol.engine;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** Handles the messages of a peer, for a server or a client. */
public interface ConnectionHandler {
    /** The duration from which a request is logged as slow unless it is set. */
    Duration DEFAULT_SLOW_REQUEST = Duration.ofSeconds(10);

    /**
     * Finds the handler of a request, or refuses it. Called on the thread that received it, before
     * any later message is looked at; must be short and run no code of users. {@code initialize}
     * and {@code ping} have their result at once.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException to refuse the request
     */
    PreparedRequest prepare(JsonRpcRequest request, Exchange exchange);

    /**
     * Reports a notification that {@link #handle} will receive later. Called on the thread that
     * brought it, before any later message is looked at; must be short and run no code of users.
     */
    default void received(JsonRpcNotification notification) {}

    /**
     * Takes a notification other than {@code notifications/cancelled} and {@code
     * notifications/progress}, one after the other on a thread of the connection.
     */
    void handle(JsonRpcNotification notification, Exchange exchange);

    /**
     * Takes progress that belongs to a task: it keeps coming after the request that became the task
     * was answered, and in later sessions. Called on the thread that received it; must return at
     * once and run no code of users.
     *
     * @param meta its metadata; null for none
     * @return false if it belongs to no task here, but perhaps to a request under way
     */
    default boolean progressed(ProgressToken token, @Nullable JsonObject meta, Progress progress) {
        return false;
    }

    /**
     * Takes a response to which no request waits here. Called on the thread that received it; must
     * return at once.
     *
     * @param own whether the request was sent here, and has ended
     */
    default void unmatched(RequestId id, JsonRpcMessage response, boolean own) {
        System.getLogger(Connection.class.getName())
                .log(Level.DEBUG, "A response to the unknown or ended request {0} is dropped", id);
    }

    /** The duration from which a request of the peer is logged as slow. */
    default Duration slowRequest() {
        return DEFAULT_SLOW_REQUEST;
    }

    /**
     * Returns whether the timeout of own requests is paused while a request of the peer is answered
     * here: for a client, whose server waits for its person or model, and not for a server, which
     * always answers a request while it asks.
     */
    default boolean isWaitedForWhileItAnswers() {
        return false;
    }
}
