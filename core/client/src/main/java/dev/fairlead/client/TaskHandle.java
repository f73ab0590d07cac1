package dev.fairlead.client;

import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;

import java.time.Duration;
import java.util.Optional;

/**
 * A tool call that was started and runs on the server. Thread-safe, not for implementing.
 *
 * <p>The client polls the task in the background: from {@link RemoteTool#start} on, or, if the
 * handle comes from {@link McpClient#task}, from the first wait or listener on. The handlers of the
 * client answer the questions of a task that it started or waits for; a listener alone observes a
 * task, and leaves its questions open. A lost connection, a new session and failures of the server
 * only cost time: the client asks again, after at most 30 seconds, until the time to live of the
 * task is over, or for an hour if it is not known. Then waits fail with {@link
 * dev.fairlead.jsonrpc.ConnectionException}. They fail at once if a server over a pipe has ended
 * that cannot be started again.
 *
 * @param <O> the output of the tool
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks Tasks
 */
public sealed interface TaskHandle<O> permits RunningTask, AnsweredTask {
    /**
     * The id of the task, with which any client of the same user finds it again; empty if the
     * server created no task but answered at once.
     */
    Optional<TaskId> id();

    /**
     * Asks the server for the status of the task.
     *
     * @throws dev.fairlead.jsonrpc.CallException as every request does: {@code -32602} if the
     *     server no longer has the task
     */
    TaskStatus status() throws InterruptedException;

    /**
     * Asks the server for the task; empty if the server created none. Fails as {@link #status}
     * does.
     */
    Optional<Task> task() throws InterruptedException;

    /**
     * The answer of the server when the task was started; empty if it was not started by this
     * handle.
     */
    Optional<CreateTaskResult> created();

    /** Text for the model while the task runs; empty where the server sends none. */
    default Optional<String> immediateResponse() {
        return created().flatMap(CreateTaskResult::immediateResponse);
    }

    /**
     * Waits for the end of the task. The limit and an interrupt end the wait only: the task
     * continues, and may be waited for again.
     *
     * @return the output
     * @throws dev.fairlead.jsonrpc.RequestTimeoutException if the task has not ended in time, or
     *     the server could not be asked; the message states which
     * @throws dev.fairlead.protocol.tools.ToolFailedException if the tool failed; it has the whole
     *     result
     * @throws dev.fairlead.tasks.TaskCancelledException if the task was cancelled
     * @throws dev.fairlead.tasks.TaskExpiredException if the server no longer has the task
     * @throws dev.fairlead.jsonrpc.JsonRpcException if the task ended with this error
     * @throws dev.fairlead.jsonrpc.CallException as {@link RemoteTool#call} does
     */
    O await(Duration limit) throws InterruptedException;

    /** Waits as long as the task lives; otherwise as {@link #await(Duration)}. */
    O await() throws InterruptedException;

    /**
     * Cancels the task; callers that wait for it get a {@link
     * dev.fairlead.tasks.TaskCancelledException}. The server may delete the task at once. In
     * revision 2026-07-28 this is a request to cancel: the task may still end in another way.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if the task is unknown or, up to
     *     revision 2025-11-25, has ended
     * @throws dev.fairlead.protocol.CapabilityException if the server cancels no tasks
     */
    void cancel() throws InterruptedException;

    /**
     * Adds a listener of progress, called on a thread of its own. Receives no progress that arrives
     * after the outcome: over HTTP the two come on different streams, so the last reports before
     * the end can be missing.
     *
     * @return this handle
     */
    TaskHandle<O> onProgress(ProgressListener listener);

    /**
     * Adds a listener, called on a thread of its own, for the state of the task: first the state
     * that is known here, if any, then each change of status or status message. The server is
     * polled for that also while a caller waits for the end.
     *
     * @return this handle
     */
    TaskHandle<O> onStatus(TaskStatusListener listener);
}
