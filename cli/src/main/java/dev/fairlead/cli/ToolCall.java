package dev.fairlead.cli;

import dev.fairlead.cli.tasks.TaskCalls;
import dev.fairlead.cli.tasks.TaskWait;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.TaskMetadata;

import org.jspecify.annotations.Nullable;

/**
 * A call of a tool as the user wants it: plainly, or as a task. One that the server refuses because
 * the tool requires a task is called as one (TASK-015).
 *
 * @param task as which it is called in any case; null where the user asked for none
 * @param noWait whether a task is left to itself
 */
record ToolCall(String tool, JsonObject arguments, @Nullable TaskMetadata task, boolean noWait) {

    /**
     * A call as it was typed.
     *
     * @param ttl what the option {@code --ttl} gives, in milliseconds
     * @throws UsageException if the options do not go together
     */
    static ToolCall of(
            String tool, JsonObject arguments, boolean asTask, @Nullable Long ttl, boolean noWait) {
        if (ttl != null && !asTask) {
            throw new UsageException("--ttl is for tasks: it goes with --task");
        }
        if (noWait && !asTask) {
            throw new UsageException("--no-wait is for tasks: it goes with --task");
        }
        if (ttl != null && ttl < 1) {
            throw new UsageException("--ttl must be at least 1 but was " + ttl);
        }
        return new ToolCall(
                tool, arguments, asTask ? new TaskMetadata().withTtl(ttl) : null, noWait);
    }

    /** Makes the call; the result is as it is on the wire. */
    JsonObject make(ClientRequests server, TaskWait wait) throws InterruptedException {
        TaskCalls tasks = new TaskCalls(server, wait);
        if (noWait) {
            return tasks.start(request(task));
        }
        return task == null ? plainly(server, tasks) : tasks.call(request(task));
    }

    private JsonObject plainly(ClientRequests server, TaskCalls tasks) throws InterruptedException {
        try {
            return tasks.waiting()
                    .call(
                            () ->
                                    server.request(
                                            "tools/call",
                                            JsonObject.of("name", tool, "arguments", arguments)));
        } catch (JsonRpcException e) {
            boolean mayWantTask =
                    e.code() == ErrorCode.METHOD_NOT_FOUND || e.code() == ErrorCode.INVALID_REQUEST;
            if (!mayWantTask || !isTaskRequired(server)) {
                throw e;
            }
            return asRequired(tasks, e);
        }
    }

    private JsonObject asRequired(TaskCalls tasks, JsonRpcException refusal)
            throws InterruptedException {
        try {
            return tasks.call(request(new TaskMetadata()));
        } catch (CapabilityException e) {
            throw refusal; // the tool is none that can be called at all
        }
    }

    private CallToolRequest request(@Nullable TaskMetadata asTask) {
        return new CallToolRequest(tool, arguments).withTask(asTask);
    }

    private boolean isTaskRequired(ClientRequests server) throws InterruptedException {
        JsonObject list = Lists.all(server, "tools/list", "tools");
        return list.array("tools").elements().stream().anyMatch(this::isThisAndRequiresTask);
    }

    private boolean isThisAndRequiresTask(JsonValue listed) {
        return listed instanceof JsonObject definition
                && definition.get("name") instanceof JsonString name
                && name.value().equals(tool)
                && definition.get("execution") instanceof JsonObject execution
                && execution.get("taskSupport") instanceof JsonString support
                && support.value().equals("required");
    }
}
