package dev.fairlead.client;

import dev.fairlead.client.calls.CallParts;
import dev.fairlead.client.calls.TaskCalls;
import dev.fairlead.client.calls.ToolCalls;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;

import java.util.Objects;
import java.util.function.Function;

/**
 * Handles for tasks, those that are started here and those of others.
 *
 * @param options of the call that starts a task
 */
record TaskHandles(CallParts parts, CallOptions options) {
    /**
     * Starts a tool.
     *
     * @param output reads a result that is no failure
     */
    <O> TaskHandle<O> start(CallToolRequest request, Function<CallToolResult, O> output)
            throws InterruptedException {
        String tool = request.name();
        Function<CallToolResult, O> checked =
                result -> {
                    new ToolCalls(parts, options).check(tool, result);
                    return succeeded(result, output);
                };
        return switch (started(request)) {
            case TaskCalls.Started.Answered answered ->
                    new AnsweredTask<>(answered.result(), checked);
            case TaskCalls.Started.Running running -> {
                running.task().watch();
                yield new RunningTask<>(
                        running.task(),
                        running.created(),
                        parts.settings().maxListenerBytes,
                        result -> checked.apply(parts.tasks().read(result)));
            }
        };
    }

    private TaskCalls.Started started(CallToolRequest request) throws InterruptedException {
        CallOptions once = parts.begun(options);
        TaskCalls calls = new TaskCalls(parts, once, true);
        try {
            return calls.start(request);
        } catch (UrlElicitationRequiredException required) {
            parts.pipeline().visit(required, once);
        }
        return calls.start(request);
    }

    private static <O> O succeeded(CallToolResult result, Function<CallToolResult, O> output) {
        if (result.isError()) {
            throw new ToolFailedException(result);
        }
        return output.apply(result);
    }

    /** Returns a handle for a task, whose result is bound to a type. */
    <O> TaskHandle<O> task(TaskId id, TypeRef<O> output) {
        ToolOutputReader<O> reading = ToolOutputReader.of(output);
        return resume(
                id,
                result ->
                        succeeded(
                                parts.tasks().read(result),
                                done -> reading.read("of task " + id, done, null)));
    }

    /** Returns a handle for a task. */
    <O> TaskHandle<O> resume(TaskId id, Function<RawJson, O> output) {
        Objects.requireNonNull(id, "id");
        return new RunningTask<>(
                parts.tasks().resume(id), null, parts.settings().maxListenerBytes, output);
    }
}
