package dev.fairlead.gateway;

import dev.fairlead.client.McpRequests;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.ServerUnavailableException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Delegate;

import java.time.Duration;
import java.time.Instant;

/** Passes the requests of clients on to the servers behind the gateway. */
final class Relay implements Delegate {
    private static final ServerCapabilities CAPABILITIES =
            ServerCapabilities.NONE
                    .withTools(new ListCapability().withListChanged(true))
                    .withResources(
                            new ServerCapabilities.Resources()
                                    .withSubscribe(true)
                                    .withListChanged(true))
                    .withPrompts(new ListCapability().withListChanged(true))
                    .withCompletions(JsonObject.EMPTY)
                    .withLogging(JsonObject.EMPTY);

    private final Upstreams upstreams;
    private final int pageSize;

    Relay(Upstreams upstreams, int pageSize) {
        this.upstreams = upstreams;
        this.pageSize = pageSize;
    }

    /**
     * Everything that a server behind the gateway may have: which of it they do is only known when
     * they are connected, which is after the client was told.
     */
    @Override
    public ServerCapabilities capabilities() {
        return CAPABILITIES;
    }

    // ---- passing on

    /** What is sent to the servers, and awaited as long as the call may take. */
    @FunctionalInterface
    private interface Request<R> {
        R send(McpRequests requests) throws InterruptedException;
    }

    private <R> R pass(Call call, Request<R> request) throws InterruptedException {
        Upstream upstream = upstreams.of(call);
        try {
            return upstream.underWay()
                    .onBehalfOf(call, () -> request.send(requests(call, upstream.servers())));
        } catch (CallException e) {
            throw refusal(e);
        }
    }

    private static McpRequests requests(Call call, McpClients servers) {
        McpRequests requests = servers.withTimeout(left(call));
        return call.wantsProgress() ? requests.withProgress(call::progress) : requests;
    }

    private static Duration left(Call call) {
        Duration left = Duration.between(Instant.now(), call.deadline());
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    /**
     * What a server answered stays as it is; the gateway answers for one that did not. Why it did
     * not may tell of commands and directories here, and so is told nobody but the log.
     */
    private static JsonRpcException refusal(CallException cause) {
        return switch (cause) {
            case JsonRpcException refused -> refused;
            case ServerUnavailableException gone ->
                    new JsonRpcException(
                            ErrorCode.INTERNAL_ERROR,
                            "The server " + gone.server() + " is not available",
                            JsonObject.of("server", gone.server()));
            case ConnectionException lost ->
                    new JsonRpcException(
                            ErrorCode.INTERNAL_ERROR, "The connection to a server was lost");
            case CapabilityException unable ->
                    new JsonRpcException(ErrorCode.METHOD_NOT_FOUND, unable.getMessage());
            default -> new JsonRpcException(ErrorCode.INTERNAL_ERROR, cause.getMessage());
        };
    }

    private McpClients servers(Call call) throws InterruptedException {
        Upstream upstream = upstreams.of(call);
        return upstream.underWay().onBehalfOf(call, upstream::servers);
    }

    // ---- tools

    @Override
    public ListToolsResult listTools(PaginatedRequest request, Call call)
            throws InterruptedException {
        var page = Page.of(servers(call).tools(), request.cursor(), pageSize);
        return new ListToolsResult(page.items()).withNextCursor(page.nextCursor());
    }

    @Override
    public CallToolResult callTool(CallToolRequest request, Call call) throws InterruptedException {
        CallToolResult result = pass(call, requests -> requests.callTool(request));
        return result.withMeta(RelatedTask.remove(result.meta())); // of no task of the gateway
    }

    // ---- resources

    @Override
    public ListResourcesResult listResources(PaginatedRequest request, Call call)
            throws InterruptedException {
        var page = Page.of(servers(call).resources(), request.cursor(), pageSize);
        return new ListResourcesResult(page.items()).withNextCursor(page.nextCursor());
    }

    @Override
    public ListResourceTemplatesResult listResourceTemplates(PaginatedRequest request, Call call)
            throws InterruptedException {
        var page = Page.of(servers(call).resourceTemplates(), request.cursor(), pageSize);
        return new ListResourceTemplatesResult(page.items()).withNextCursor(page.nextCursor());
    }

    @Override
    public ReadResourceResult readResource(ReadResourceRequest request, Call call)
            throws InterruptedException {
        return pass(call, requests -> requests.readResource(request));
    }

    @Override
    public void subscribe(String uri, Call call) throws InterruptedException {
        try {
            upstreams.of(call).watch(uri, left(call));
        } catch (CallException e) {
            throw refusal(e);
        }
    }

    @Override
    public void unsubscribe(String uri, Call call) {
        upstreams.of(call).unwatch(uri);
    }

    // ---- prompts and completion

    @Override
    public ListPromptsResult listPrompts(PaginatedRequest request, Call call)
            throws InterruptedException {
        var page = Page.of(servers(call).prompts(), request.cursor(), pageSize);
        return new ListPromptsResult(page.items()).withNextCursor(page.nextCursor());
    }

    @Override
    public GetPromptResult getPrompt(GetPromptRequest request, Call call)
            throws InterruptedException {
        return pass(call, requests -> requests.getPrompt(request));
    }

    @Override
    public CompleteResult complete(CompleteRequest request, Call call) throws InterruptedException {
        return pass(call, requests -> requests.complete(request));
    }

    // ---- what a session keeps

    @Override
    public void setLoggingLevel(LoggingLevel level, Call call) throws InterruptedException {
        if (call.clientSession().isPresent()) { // else it would be that of others too
            upstreams.of(call).setLoggingLevel(level);
        }
    }

    @Override
    public void rootsChanged(ClientSession session) {
        Upstream upstream = upstreams.find(session);
        if (upstream != null) {
            upstream.rootsChanged();
        }
    }
}
