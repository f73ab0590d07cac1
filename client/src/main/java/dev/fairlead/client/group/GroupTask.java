package dev.fairlead.client.group;

import dev.fairlead.client.TaskHandle;
import dev.fairlead.protocol.CallToolResult;

import java.util.Objects;

/**
 * A tool that was started through a group. A task belongs to its server: another one may have a
 * task with the same id, so that it takes both to find it again.
 *
 * @param server the name of the server in the group
 * @param handle the task on the connection that there was; once that is lost, waits fail with
 *     {@link dev.fairlead.jsonrpc.ConnectionException} and the task goes on. When the server
 *     {@linkplain McpClients#awaitConnected is back}, {@code group.server(server).task(id, …)}
 *     finds it
 */
public record GroupTask(String server, TaskHandle<CallToolResult> handle) {
    public GroupTask {
        Objects.requireNonNull(server, "server");
        Objects.requireNonNull(handle, "handle");
    }
}
