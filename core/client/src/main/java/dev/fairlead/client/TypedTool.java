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

/** A tool bound to its types. */
record TypedTool<I, O>(
        Requests requests,
        String name,
        JsonCodec<I> input,
        ToolOutputReader<O> output,
        @Nullable TaskMetadata task)
        implements RemoteTool<I, O> {
    private TypedTool<I, O> with(Requests changed) {
        return new TypedTool<>(changed, name, input, output, task);
    }

    @Override
    public RemoteTool<I, O> withTimeout(Duration timeout) {
        return with(requests.withTimeout(timeout));
    }

    @Override
    public RemoteTool<I, O> withTimeout(Duration idle, Duration maximum) {
        return with(requests.withTimeout(idle, maximum));
    }

    @Override
    public RemoteTool<I, O> withProgress(ProgressListener listener) {
        return with(requests.withProgress(listener));
    }

    @Override
    public RemoteTool<I, O> withUrlElicitation(Duration wait) {
        return with(requests.withUrlElicitation(wait));
    }

    @Override
    public RemoteTool<I, O> withTaskTtl(Duration ttl) {
        return new TypedTool<>(
                requests, name, input, output, new TaskMetadata().withTtl(ttl.toMillis()));
    }

    @Override
    public O call(I in) throws InterruptedException {
        CallToolRequest request = request(in);
        Requests once = requests.begun();
        once.calls().learn(name);
        CallToolResult result =
                task == null ? once.callTool(request) : once.callTool(request, task);
        if (result.isError()) {
            throw new ToolFailedException(result);
        }
        return output.read(name, result);
    }

    @Override
    public TaskHandle<O> start(I in) throws InterruptedException {
        CallToolRequest request = request(in);
        Requests once = requests.begun();
        once.calls().requireTaskSupport(name);
        return once.start(
                request.withTask(task == null ? new TaskMetadata() : task),
                result -> output.read(name, result));
    }

    private CallToolRequest request(I in) {
        if (input.toValue(in) instanceof JsonObject arguments) {
            return new CallToolRequest(name, arguments);
        }
        throw new IllegalArgumentException(
                "the arguments of a tool must be an object, but "
                        + in.getClass().getName()
                        + " is none");
    }
}
