package dev.fairlead.client;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.CallToolResult;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** No task at all: the server answered at once. */
record AnsweredTask<O>(CallToolResult result, Function<CallToolResult, O> output)
        implements TaskHandle<O> {
    @Override
    public Optional<TaskId> id() {
        return Optional.empty();
    }

    @Override
    public TaskStatus status() {
        return result.isError() ? TaskStatus.FAILED : TaskStatus.COMPLETED;
    }

    @Override
    public Optional<Task> task() {
        return Optional.empty();
    }

    @Override
    public Optional<CreateTaskResult> created() {
        return Optional.empty();
    }

    @Override
    public O await(Duration limit) {
        return await();
    }

    @Override
    public O await() {
        return output.apply(result);
    }

    @Override
    public void cancel() {
        throw JsonRpcException.invalidParams("The server made no task but answered at once");
    }

    @Override
    public TaskHandle<O> onProgress(ProgressListener listener) {
        return this;
    }

    @Override
    public TaskHandle<O> onStatus(TaskStatusListener listener) {
        return this;
    }
}
