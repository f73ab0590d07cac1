package dev.fairlead.server;

import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.session.ServerCore;
import dev.fairlead.server.tools.ServerTool;
import dev.fairlead.server.tools.ToolOutput;
import dev.fairlead.server.tools.ToolReply;
import dev.fairlead.server.tools.ToolWork;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The outside jobs that tasks of a server are parked on, see {@link Call#park}: for the webhook, or
 * other code that is notified when one is done. Works on every node that shares the store, and for
 * tasks that were parked before a restart. Each method blocks for the store, is thread-safe, and
 * gives false where no task is parked on that job: no more, or not yet, since a task is parked only
 * after its handler has returned. A webhook that gets false asks its sender to come again, as one
 * does with {@code 503}, or relies on {@link ToolDeclaration#pollJob}.
 */
public final class Jobs {
    private final ServerCore core;

    Jobs(ServerCore core) {
        this.core = core;
    }

    /**
     * Ends a task with the output of its tool.
     *
     * @param output as the handler of the tool would have returned it
     * @throws IllegalArgumentException if there is no such tool, or the output is not of its type
     */
    public boolean finish(String tool, String job, @Nullable Object output) {
        return finish(tool, job, reply(tool(tool), output));
    }

    /**
     * Ends a task as failed.
     *
     * @param message for the model
     * @throws IllegalArgumentException if there is no such tool
     */
    public boolean fail(String tool, String job, String message) {
        return finish(tool(tool).name(), job, ToolReply.of(CallToolResult.failure(message)));
    }

    /**
     * Has the handler of a task run again, from its start, with the answers and the {@link
     * Call#once} values that it had.
     */
    public boolean resume(String tool, String job) {
        return engine().resume(tool(tool).name(), Objects.requireNonNull(job, "job"));
    }

    private boolean finish(String tool, String job, ToolReply reply) {
        return engine().finish(tool, Objects.requireNonNull(job, "job"), ToolWork.outcome(reply));
    }

    private static ToolReply reply(ServerTool tool, @Nullable Object output) {
        try {
            return tool.body().reply(output);
        } catch (ToolOutput.BrokenOutputException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "not an output of the tool " + tool.name() + ": " + e.getMessage(), e);
        }
    }

    private ServerTool tool(String name) {
        ServerTool tool = core.features().tools().find(Objects.requireNonNull(name, "tool"));
        if (tool == null) {
            throw new IllegalArgumentException("there is no tool " + name);
        }
        return tool;
    }

    private TaskEngine engine() {
        TaskReceiver tasks = core.tasks();
        if (tasks == null) {
            throw new IllegalStateException("the server has no tasks");
        }
        return tasks.engine();
    }
}
