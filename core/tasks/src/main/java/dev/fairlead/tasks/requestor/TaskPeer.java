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
     * @param patience how long to wait without a response or progress; null for the usual time
     *     limit of requests
     * @return the result as it came
     */
    RawJson result(TaskId id, @Nullable Duration patience) throws InterruptedException;

    /** Sends {@code tasks/cancel}, within the usual time limit of requests. */
    Task cancel(TaskId id) throws InterruptedException;

    /** Returns whether the peer cannot be reached any more, by any later session. */
    boolean isLost();

    /** Reports that the set of {@linkplain RemoteTasks#awaited awaited} tasks has changed. */
    default void awaitedChanged() {}
}
