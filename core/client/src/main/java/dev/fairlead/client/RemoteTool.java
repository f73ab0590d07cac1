package dev.fairlead.client;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * A tool of the server with its input and output types. Immutable, thread-safe.
 *
 * @param <I> the input
 * @param <O> the output
 */
public final class RemoteTool<I, O> {
    private final Requests requests;
    private final String name;
    private final JsonCodec<I> input;
    private final ToolOutputReader<O> output;
    private final @Nullable TaskMetadata task;

    RemoteTool(
            Requests requests,
            String name,
            JsonCodec<I> input,
            ToolOutputReader<O> output,
            @Nullable TaskMetadata task) {
        this.requests = requests;
        this.name = name;
        this.input = input;
        this.output = output;
        this.task = task;
    }

    private RemoteTool<I, O> with(Requests changed) {
        return new RemoteTool<>(changed, name, input, output, task);
    }

    /** Returns the name of the tool. */
    public String name() {
        return name;
    }

    /** A copy with another time limit, as {@link ClientRequests#withTimeout(Duration)}. */
    public RemoteTool<I, O> withTimeout(Duration timeout) {
        return with(requests.withTimeout(timeout));
    }

    /** A copy with other time limits, as {@link ClientRequests#withTimeout(Duration, Duration)}. */
    public RemoteTool<I, O> withTimeout(Duration idle, Duration maxTotal) {
        return with(requests.withTimeout(idle, maxTotal));
    }

    /** A copy that asks for progress, as {@link ClientRequests#withProgress}. */
    public RemoteTool<I, O> withProgress(ProgressListener listener) {
        return with(requests.withProgress(listener));
    }

    /**
     * A copy that lets the person visit pages that the tool needs, as {@link
     * ClientRequests#withUrlElicitation}.
     */
    public RemoteTool<I, O> withUrlElicitation(Duration wait) {
        return with(requests.withUrlElicitation(wait));
    }

    /**
     * A copy that asks for its tasks to be kept so long, from their creation; the server may decide
     * otherwise. By default the server decides. Has no effect since revision 2026-07-28, in which a
     * request cannot ask for that; a warning is logged once then.
     *
     * @param ttl at least a millisecond
     */
    public RemoteTool<I, O> withTaskTtl(Duration ttl) {
        TaskMetadata kept = new TaskMetadata().withTtl(ttl.toMillis());
        return new RemoteTool<>(requests, name, input, output, kept);
    }

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
    public O call(I arguments) throws InterruptedException {
        CallToolRequest request = request(arguments);
        Requests once = requests.begun();
        once.calls().learn(name);
        JsonObject schema = once.calls().wrappingSchema(name);
        CallToolResult result = once.calls().call(request, task);
        once.calls().check(name, result);
        if (result.isError()) {
            throw new ToolFailedException(result);
        }
        return output.read(name, result, schema);
    }

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
    public TaskHandle<O> start(I arguments) throws InterruptedException {
        CallToolRequest request = request(arguments);
        Requests once = requests.begun();
        once.calls().requireTaskSupport(name);
        JsonObject schema = once.calls().wrappingSchema(name);
        return once.start(
                request.withTask(task == null ? new TaskMetadata() : task),
                result -> output.read(name, result, schema));
    }

    private CallToolRequest request(I given) {
        if (input.toValue(given) instanceof JsonObject arguments) {
            return new CallToolRequest(name, arguments);
        }
        throw new IllegalArgumentException(
                "the arguments of a tool must be an object, but "
                        + given.getClass().getName()
                        + " is none");
    }
}
