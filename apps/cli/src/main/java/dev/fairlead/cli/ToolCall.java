package dev.fairlead.cli;

import dev.fairlead.cli.tasks.TaskCalls;
import dev.fairlead.cli.tasks.TaskWait;
import dev.fairlead.cli.view.ArgumentWords;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.CallToolRequest;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A call of a tool as the user wants it: plainly, or as a task. One that the server refuses because
 * the tool requires a task is called as one.
 *
 * @param words of the form {@code KEY=VALUE}, which are arguments too
 * @param task as which it is called in any case; null where the user asked for none
 * @param noWait whether a task is left to itself
 */
record ToolCall(
        String tool,
        JsonObject arguments,
        List<String> words,
        @Nullable TaskMetadata task,
        boolean noWait) {

    /**
     * A call as it was typed.
     *
     * @param ttl the value of the option {@code --ttl}, in milliseconds
     * @throws UsageException if the options do not go together
     */
    static ToolCall of(
            String tool, JsonObject arguments, boolean asTask, @Nullable Long ttl, boolean noWait) {
        if (ttl != null && !asTask) {
            throw new UsageException("--ttl needs --task");
        }
        if (noWait && !asTask) {
            throw new UsageException("--no-wait needs --task");
        }
        if (ttl != null && ttl < 1) {
            throw new UsageException("--ttl must be at least 1 but was " + ttl);
        }
        return new ToolCall(
                tool,
                arguments,
                List.of(),
                asTask ? new TaskMetadata().withTtl(ttl) : null,
                noWait);
    }

    /** The same call with words {@code KEY=VALUE}, which take the place of arguments. */
    ToolCall withWords(List<String> added) {
        return new ToolCall(tool, arguments, added, task, noWait);
    }

    /** The same call with its words as arguments, typed by the schema that the server lists. */
    private ToolCall typed(ListedTools tools) throws InterruptedException {
        if (words.isEmpty()) {
            return this;
        }
        try {
            JsonObject all = arguments.with(ArgumentWords.read(words, schema(tools)));
            return new ToolCall(tool, all, List.of(), task, noWait);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable JsonObject schema(ListedTools tools) throws InterruptedException {
        for (JsonValue listed : tools.list().array("tools").elements()) {
            if (isThis(listed)
                    && ((JsonObject) listed).get("inputSchema") instanceof JsonObject schema) {
                return schema;
            }
        }
        return null;
    }

    private boolean isThis(JsonValue listed) {
        return listed instanceof JsonObject definition
                && definition.get("name") instanceof JsonString name
                && name.value().equals(tool);
    }

    /** Makes the call; the result is as it is on the wire. */
    JsonObject make(ClientRequests server, TaskWait wait) throws InterruptedException {
        ListedTools tools = new ListedTools(server);
        try {
            return typed(tools).made(server, tools, wait);
        } catch (JsonRpcException e) {
            throw UnknownNameException.of(e, tools::list, "tools", tool);
        }
    }

    private JsonObject made(ClientRequests server, ListedTools tools, TaskWait wait)
            throws InterruptedException {
        TaskCalls tasks = new TaskCalls(server, wait);
        if (task != null && task.ttl() != null && server.revision().era() == Era.PER_REQUEST) {
            wait.status()
                    .print(
                            List.of(
                                    "--ttl has no effect: in revision "
                                            + server.revision()
                                            + " the server decides how long it keeps a task"));
        }
        if (noWait) {
            return tasks.start(request(task));
        }
        return task == null ? plainly(server, tools, tasks) : tasks.call(request(task));
    }

    private JsonObject plainly(ClientRequests server, ListedTools tools, TaskCalls tasks)
            throws InterruptedException {
        try {
            return tasks.waiting()
                    .call(
                            () ->
                                    server.request(
                                            "tools/call",
                                            JsonObject.of("name", tool, "arguments", arguments)));
        } catch (JsonRpcException e) {
            if (TasksExtension.isMissingIn(e)) {
                return asRequired(tasks, e);
            }
            boolean mayWantTask =
                    server.revision().era() == Era.HANDSHAKE
                            && (e.code() == ErrorCode.METHOD_NOT_FOUND
                                    || e.code() == ErrorCode.INVALID_REQUEST);
            if (!mayWantTask || !isTaskRequired(tools)) {
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

    private boolean isTaskRequired(ListedTools tools) throws InterruptedException {
        return tools.list().array("tools").elements().stream()
                .anyMatch(this::isThisAndRequiresTask);
    }

    private boolean isThisAndRequiresTask(JsonValue listed) {
        return isThis(listed)
                && listed instanceof JsonObject definition
                && definition.get("execution") instanceof JsonObject execution
                && execution.get("taskSupport") instanceof JsonString support
                && support.value().equals("required");
    }
}
