package dev.fairlead.client;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.ProgressListener;
import dev.fairlead.protocol.ToolFailedException;

import java.time.Duration;

/** A tool bound to its types. */
record TypedTool<I, O>(Requests requests, String name, JsonCodec<I> input, ToolOutput<O> output)
        implements RemoteTool<I, O> {
    private TypedTool<I, O> with(Requests changed) {
        return new TypedTool<>(changed, name, input, output);
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
    public O call(I in) throws InterruptedException {
        if (!(input.toValue(in) instanceof JsonObject arguments)) {
            throw new IllegalArgumentException(
                    "the arguments of a tool must be an object, but "
                            + in.getClass().getName()
                            + " is none");
        }
        requests.learn(name);
        CallToolResult result = requests.callTool(name, arguments);
        if (result.failed()) {
            throw new ToolFailedException(result);
        }
        return output.read(name, result);
    }
}
