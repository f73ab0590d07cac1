package dev.fairlead.client.tasks;

import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.tasks.requestor.RemoteTask;

/** The result of a call of a tool as a task. */
public sealed interface StartedTool {
    /** A task, and the answer of the server that created it. */
    record Running(RemoteTask task, CreateTaskResult created) implements StartedTool {}

    /** The server answered at once. */
    record Answered(CallToolResult result) implements StartedTool {}
}
