package dev.fairlead.cli.tasks;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.tasks.TaskCancelledException;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Calls tools as tasks, and returns the answers of the server in their wire form.
 *
 * @param server runs the tasks
 * @param waiting how its tasks are waited for
 */
public record TaskCalls(ClientRequests server, TaskWait waiting) {
    /**
     * Calls a tool as a task, and waits for its result.
     *
     * @param request has a {@code task}
     */
    public JsonObject call(CallToolRequest request) throws InterruptedException {
        TaskHandle<CallToolResult> started = server.startTool(request);
        Optional<TaskId> id = started.id();
        return id.isPresent()
                ? result(id.get(), started.created().map(CreateTaskResult::task).orElse(null))
                : atOnce(started);
    }

    /**
     * Calls a tool as a task, and leaves it to itself.
     *
     * @param request has a {@code task}
     * @return the {@code CreateTaskResult}; the result of the tool where the server made no task
     */
    public JsonObject start(CallToolRequest request) throws InterruptedException {
        TaskHandle<CallToolResult> started = server.startTool(request);
        Optional<CreateTaskResult> created = started.created();
        return created.isPresent() ? written(created.get()) : atOnce(started);
    }

    /** The answer as the revision has it on the wire. */
    private JsonObject written(CreateTaskResult created) {
        return isExtension()
                ? JsonObject.of("resultType", "task")
                        .with(object(DetailedTask.class, DetailedTask.created(created)))
                : object(CreateTaskResult.class, created);
    }

    private boolean isExtension() {
        return server.revision().era() == Era.PER_REQUEST;
    }

    private JsonObject atOnce(TaskHandle<CallToolResult> answered) throws InterruptedException {
        try {
            return written(answered.await());
        } catch (ToolFailedException e) {
            return written(e.result());
        }
    }

    /** The result as the revision has it on the wire. */
    private JsonObject written(CallToolResult result) {
        JsonObject members = object(CallToolResult.class, result);
        return isExtension() ? JsonObject.of("resultType", "complete").with(members) : members;
    }

    private static <R> JsonObject object(Class<R> type, R result) {
        return (JsonObject) JsonCodec.of(type).toValue(result);
    }

    /** Waits for the result of a task that was started before. */
    public JsonObject result(TaskId id) throws InterruptedException {
        return result(id, null);
    }

    private JsonObject result(TaskId id, @Nullable Task known) throws InterruptedException {
        try {
            return waiting.await(server.task(id), id, known).toObject();
        } catch (TaskCancelledException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof JsonRpcException answer) {
                    throw answer;
                }
            }
            if (isExtension()) {
                throw new JsonRpcException(
                        ErrorCode.INTERNAL_ERROR, String.valueOf(e.getMessage()));
            }
            return server.request("tasks/result", JsonObject.of("taskId", id.value())); // says so
        }
    }
}
