package dev.fairlead.server.handler;

import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;

import java.util.Optional;

/**
 * Answers the requests of clients itself, in place of declared features: for a server whose lists
 * differ from session to session, or that passes requests on. See {@link
 * dev.fairlead.server.McpServer.Builder#delegate}.
 *
 * <p>Each method runs as {@link Handler#handle} does, and may throw the same exceptions; results
 * are sent as they are, without checks of arguments or outputs. Nothing becomes a task here: the
 * capability for tasks is not declared to clients, requests are plain also if they ask for a task,
 * and tools are listed without {@code execution}. Must be thread-safe.
 */
public interface Delegate {
    /**
     * Returns the features for people, such as {@code features of the servers calendar, weather}:
     * the log line of a start contains it.
     */
    default String description() {
        return "features of a delegate";
    }

    /** Returns the capabilities that are declared to clients; must not change. */
    ServerCapabilities capabilities();

    /** {@code tools/list}. The pages and their cursors are its own, also in the other lists. */
    ListToolsResult listTools(PaginatedRequest request, Call call) throws Exception;

    /** {@code tools/call}. */
    CallToolResult callTool(CallToolRequest request, Call call) throws Exception;

    /**
     * Returns the definition of a tool that a client of revision 2026-07-28 calls over HTTP. The
     * server compares the headers of the call with its arguments, as {@code x-mcp-header} in the
     * input schema declares them. Without a definition nothing is compared. Runs before {@link
     * #holdsWhileAsking} and each entry of {@link #callTool}, may block and throw as they do, and
     * must not ask the client.
     */
    default Optional<Tool> findTool(String name, Call call) throws Exception {
        return Optional.empty();
    }

    /** {@code resources/list}. */
    ListResourcesResult listResources(PaginatedRequest request, Call call) throws Exception;

    /** {@code resources/templates/list}. */
    ListResourceTemplatesResult listResourceTemplates(PaginatedRequest request, Call call)
            throws Exception;

    /** {@code resources/read}. */
    ReadResourceResult readResource(ReadResourceRequest request, Call call) throws Exception;

    /**
     * {@code resources/subscribe}. From then on the session is notified by {@link
     * ClientSession#resourceUpdated}.
     */
    void subscribe(String uri, Call call) throws Exception;

    /** {@code resources/unsubscribe}. */
    void unsubscribe(String uri, Call call) throws Exception;

    /** {@code prompts/list}. */
    ListPromptsResult listPrompts(PaginatedRequest request, Call call) throws Exception;

    /** {@code prompts/get}. */
    GetPromptResult getPrompt(GetPromptRequest request, Call call) throws Exception;

    /** {@code completion/complete}. */
    CompleteResult complete(CompleteRequest request, Call call) throws Exception;

    /**
     * Returns whether a request of revision 2026-07-28 waits in this process while it asks its
     * client, as a tool does that {@linkplain dev.fairlead.server.ToolDeclaration#holdsWhileAsking
     * holds its call}. Otherwise its method starts again with the answers, see {@link
     * Call#startsAgain}. Asked before the first round of {@code tools/call}, {@code prompts/get}
     * and {@code resources/read}, and may block and throw as their methods do.
     *
     * @param request of one of these methods
     */
    default boolean holdsWhileAsking(RequestParams request, Call call) throws Exception {
        return false;
    }

    /**
     * {@code subscriptions/listen}: a client of revision 2026-07-28 begins to listen. Runs before
     * the client has the acknowledgement; a stream for which this throws does not begin.
     *
     * @param filter the changes that the client wants and the server can announce
     * @param stream where changes are announced until it ends, after this call
     * @return the acknowledged changes: the filter, or less where something cannot be announced
     */
    default NotificationFilter listen(
            NotificationFilter filter, SubscriptionStream stream, Call call) throws Exception {
        return filter;
    }

    /** The client has notified that its roots changed; must not block. */
    default void rootsChanged(ClientSession session) {}

    /** {@code logging/setLevel}, which the session heeds besides. */
    void setLoggingLevel(LoggingLevel level, Call call) throws Exception;
}
