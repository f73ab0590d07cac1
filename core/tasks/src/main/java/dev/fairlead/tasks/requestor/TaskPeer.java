package dev.fairlead.tasks.requestor;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The side that runs tasks, over any of its sessions. Thread-safe. Each method sends one request,
 * blocks until it is answered, and throws a {@link dev.fairlead.jsonrpc.CallException} if there is
 * no result; an interrupt ends the request.
 */
public interface TaskPeer {
    /** Sends {@code tasks/get}, within the usual time limit of requests. */
    Task get(TaskId id) throws InterruptedException;

    /**
     * Sends {@code tasks/result}.
     *
     * @param patience how long to wait without a sign of life, however long that is in all; null
     *     for the usual time limit of requests
     * @return the result as it came
     */
    RawJson result(TaskId id, @Nullable Duration patience) throws InterruptedException;

    /** Sends {@code tasks/cancel}, within the usual time limit of requests. */
    Task cancel(TaskId id) throws InterruptedException;

    /** Whether the peer cannot be reached any more, by no later session either. */
    boolean isLost();

    /** The tasks whose changes are {@linkplain RemoteTasks#awaited awaited} are others now. */
    default void awaitedChanged() {}
}
