package dev.fairlead.client;

import dev.fairlead.protocol.base.ProgressListener;

import java.time.Duration;

/**
 * A tool of the server with its input and output types. Immutable, thread-safe, not for
 * implementing.
 *
 * @param <I> the input
 * @param <O> the output
 */
public sealed interface RemoteTool<I, O> permits TypedTool {
    String name();

    /** A copy with another time limit, as {@link ClientRequests#withTimeout(Duration)}. */
    RemoteTool<I, O> withTimeout(Duration timeout);

    /** A copy with other time limits, as {@link ClientRequests#withTimeout(Duration, Duration)}. */
    RemoteTool<I, O> withTimeout(Duration idle, Duration maxTotal);

    /** A copy that asks for progress, as {@link ClientRequests#withProgress}. */
    RemoteTool<I, O> withProgress(ProgressListener listener);

    /**
     * A copy that lets the person visit pages that the tool needs, as {@link
     * ClientRequests#withUrlElicitation}.
     */
    RemoteTool<I, O> withUrlElicitation(Duration wait);

    /**
     * A copy that asks for its tasks to be kept so long, from their creation; the server may decide
     * otherwise. By default the server decides. Has no effect since revision 2026-07-28, in which a
     * request cannot ask for that; a warning is logged once then.
     *
     * @param ttl at least a millisecond
     */
    RemoteTool<I, O> withTaskTtl(Duration ttl);

    /**
     * Calls the tool. Before the first typed call the definitions of the tools are read, so that
     * the output can be checked against its schema; they are read again after the server reported
     * that they changed.
     *
     * <p>A tool that requires it is called as a task, which makes no difference here: the wait ends
     * after the maximum of {@link #withTimeout(Duration, Duration)}, or by an interrupt, and the
     * task is cancelled then.
     *
     * @return the output, bound to its type
     * @throws dev.fairlead.protocol.tools.ToolFailedException if the tool failed; it has the whole
     *     result
     * @throws dev.fairlead.protocol.InvalidResultException if the result does not fit its schema or
     *     its type
     * @throws dev.fairlead.jsonrpc.CallException as every request does, see {@link ClientRequests}
     */
    O call(I input) throws InterruptedException;

    /**
     * Starts the tool as a task, and returns when the server has it. If the caller is interrupted
     * before that, the task is cancelled as soon as its id is known.
     *
     * <p>Listeners of {@link #withProgress} do not receive progress of such tasks; those of {@link
     * TaskHandle#onProgress} do.
     *
     * @throws dev.fairlead.protocol.CapabilityException if the server takes no calls as tasks, or
     *     the tool may not be called so; nothing is sent then
     * @throws dev.fairlead.jsonrpc.CallException as every request does, see {@link ClientRequests}
     */
    TaskHandle<O> start(I input) throws InterruptedException;
}
