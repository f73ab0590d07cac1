package dev.fairlead.client.tasks;

import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.tasks.requestor.RemoteTask;

/** What became of a tool that was to be called as a task. */
public sealed interface StartedTool {
    /** A task, and what the server said when it made it. */
    record Running(RemoteTask task, CreateTaskResult created) implements StartedTool {}

    /** The server answered at once. */
    record Answered(CallToolResult result) implements StartedTool {}
}
