package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;

import org.jspecify.annotations.Nullable;

/**
 * A connection to the requestor of a task: the stream of an open {@code tasks/result}, or a session
 * that can be reached. Translates to the wire, of which the engine is independent. Thread-safe.
 */
public interface TaskCarrier {
    /** Returns whether a message that is sent now reaches the requestor now. */
    boolean isOpen();

    /**
     * Returns whether the connection stands, as far as is known. Unlike {@link #isOpen}, false
     * while a requestor is disconnected that is still expected to reconnect.
     */
    default boolean isConnected() {
        return isOpen();
    }

    /** Checks whether the requestor is still connected. Returns at once. */
    default void checkConnected() {}

    /** Returns whether this is the stream of a {@code tasks/result}, which has precedence. */
    boolean isResultStream();

    /**
     * Asks the requestor and waits for its answer; an interrupt withdraws the question.
     *
     * @param params in neutral form, as they are stored
     * @return its answer, in neutral form, an error of the protocol included
     * @throws dev.fairlead.jsonrpc.CallException if there will be no answer over this connection
     */
    TaskOutcome ask(StoredTask task, String method, RawJson params) throws InterruptedException;

    /**
     * A request for a question before it is sent.
     *
     * @param name the name of its delivery, by which {@link TaskEngine#answerDelivered} finds the
     *     question when the answer comes to another node
     */
    record Prepared(String name, RequestId id) {}

    /**
     * Prepares the request for a question; null if its answer can come to this node alone.
     *
     * @param params in neutral form, as they are stored
     */
    default @Nullable Prepared prepare(RawJson params) {
        return null;
    }

    /**
     * Asks as {@link #ask(StoredTask, String, RawJson)} does.
     *
     * @param prepared the request, which is sent once; null for a new one
     */
    default TaskOutcome ask(
            StoredTask task, String method, RawJson params, @Nullable Prepared prepared)
            throws InterruptedException {
        return ask(task, method, params);
    }

    /**
     * Returns the stored result of a task, which has neutral form, in the form of this connection.
     */
    default RawJson write(StoredTask task, RawJson result) {
        return result;
    }

    /** Sends progress under the token of the task. Never fails, returns soon. */
    void progressed(StoredTask task, Progress progress);

    /** Sends a change of state or status message. Never fails, returns soon. */
    void changed(StoredTask task);
}
