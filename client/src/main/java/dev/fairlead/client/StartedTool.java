package dev.fairlead.client;

import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.tasks.requestor.RemoteTask;

/** What became of a tool that was to be called as a task. */
sealed interface StartedTool {
    /** A task, and what the server said when it made it. */
    record Running(RemoteTask task, CreateTaskResult created) implements StartedTool {}

    /** The server answered at once. */
    record Answered(CallToolResult result) implements StartedTool {}
}
