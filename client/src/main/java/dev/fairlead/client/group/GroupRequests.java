package dev.fairlead.client.group;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.CompleteRequest;
import dev.fairlead.protocol.CompleteResult;
import dev.fairlead.protocol.GetPromptRequest;
import dev.fairlead.protocol.GetPromptResult;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.ProgressListener;
import dev.fairlead.protocol.ReadResourceRequest;
import dev.fairlead.protocol.ReadResourceResult;
import dev.fairlead.protocol.Reference;

import java.time.Duration;
import java.util.Map;

/**
 * The requests that a group sends, each to the server that it is for. Not for implementing; grows
 * by methods.
 *
 * <p>Every method runs on the thread of the caller, blocks, ends and fails as those of {@link
 * ClientRequests} do. Besides, each throws a {@link ServerUnavailableException} that names the
 * server: at once if it is not connected, or when the connection is lost meanwhile; and a {@link
 * dev.fairlead.jsonrpc.JsonRpcException} with {@code -32602} if no server of the group has such an
 * item.
 *
 * <p>Tools and prompts go by their names in the group ({@link McpClients#tools}); one that an item
 * had earlier is still understood. A resource goes to the server that lists it, else to one with a
 * template that its URI matches, else to each that has resources, in their order, until one knows
 * it. Where several list the same URI, the first in their order has it.
 */
public sealed interface GroupRequests permits McpClients, RoutedRequests {
    /** As {@link ClientRequests#withTimeout(Duration)}. */
    GroupRequests withTimeout(Duration timeout);

    /** As {@link ClientRequests#withTimeout(Duration, Duration)}. */
    GroupRequests withTimeout(Duration idle, Duration maxTotal);

    /** As {@link ClientRequests#withProgress}. */
    GroupRequests withProgress(ProgressListener listener);

    /** As {@link ClientRequests#withUrlElicitation}. */
    GroupRequests withUrlElicitation(Duration wait);

    /** Calls a tool by its name in the group; else as {@link ClientRequests#callTool}. */
    CallToolResult callTool(String name, JsonObject arguments) throws InterruptedException;

    /** Calls a tool by its name in the group; else as {@link ClientRequests#callTool}. */
    CallToolResult callTool(CallToolRequest request) throws InterruptedException;

    /**
     * Starts a tool as a task, by its name in the group; else as {@link ClientRequests#startTool}.
     * Tools that require a task need not be started so: {@link #callTool} does it underneath.
     */
    GroupTask startTool(CallToolRequest request) throws InterruptedException;

    /** Reads a resource. */
    ReadResourceResult readResource(String uri) throws InterruptedException;

    /** Reads a resource. */
    ReadResourceResult readResource(ReadResourceRequest request) throws InterruptedException;

    /**
     * Watches a resource, also when its server was lost and is back; the listener then hears of it
     * once, since it may have changed meanwhile.
     *
     * @param listener hears the URI that changed
     */
    WatchedResource watch(String uri, GroupListener<String> listener) throws InterruptedException;

    /** Gets a prompt by its name in the group. */
    GetPromptResult getPrompt(String name, Map<String, String> arguments)
            throws InterruptedException;

    /** Gets a prompt by its name in the group. */
    GetPromptResult getPrompt(GetPromptRequest request) throws InterruptedException;

    /** Asks how an argument could go on; a prompt is meant by its name in the group. */
    CompleteResult complete(Reference ref, String argument, String value)
            throws InterruptedException;

    /** Asks how an argument could go on; a prompt is meant by its name in the group. */
    CompleteResult complete(CompleteRequest request) throws InterruptedException;

    /**
     * Asks every server that logs for messages of this level and above, also those that connect
     * later. Returns when all that are connected have answered; one that refuses is only logged.
     */
    void setLoggingLevel(LoggingLevel level) throws InterruptedException;
}
