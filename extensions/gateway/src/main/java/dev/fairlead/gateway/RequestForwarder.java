package dev.fairlead.gateway;

import dev.fairlead.client.McpRequests;
import dev.fairlead.client.group.GroupItem;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.ServerUnavailableException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
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
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.call.PipeListener;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.handler.SubscriptionStream;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Passes the requests of clients on to the servers behind the gateway. */
final class RequestForwarder implements Delegate, PipeListener {
    private static final ServerCapabilities CAPABILITIES =
            new ServerCapabilities(
                    new ListCapability(true),
                    new ServerCapabilities.Resources(true, true),
                    new ListCapability(true),
                    JsonObject.EMPTY, // completions
                    JsonObject.EMPTY, // logging
                    null,
                    null,
                    null,
                    JsonObject.EMPTY);

    private static final JsonString OBJECT = new JsonString("object");

    private final Upstreams upstreams;
    private final int pageSize;
    private final String description;

    RequestForwarder(Upstreams upstreams, int pageSize, String description) {
        this.upstreams = upstreams;
        this.pageSize = pageSize;
        this.description = description;
    }

    @Override
    public String description() {
        return description;
    }

    /**
     * Returns all capabilities that a server behind the gateway may have: the real ones are known
     * only when they are connected, which is after the client has received the capabilities.
     */
    @Override
    public ServerCapabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void pipeEnded(Object callerKey) {
        upstreams.ownerLeft(callerKey);
    }

    // ---- passing on

    /** A request to the servers, awaited as long as the call may take. */
    @FunctionalInterface
    private interface Request<R> {
        /**
         * @param server gives the name of the server that has answered
         */
        R send(McpRequests requests, Supplier<String> server) throws InterruptedException;
    }

    private <R> R pass(Call call, Request<R> request) throws InterruptedException {
        try (Upstreams.Use use = upstreams.use(call)) {
            Upstream upstream = use.upstream();
            CallsUnderWay underWay = upstream.underWay();
            return underWay.onBehalfOf(
                    call,
                    () -> sent(request, requests(call, upstream.servers()), underWay::reached));
        } catch (CallException e) {
            throw refusal(UpstreamException.ofAsker(e));
        }
    }

    private static <R> R sent(Request<R> request, McpRequests requests, Supplier<String> server)
            throws InterruptedException {
        try {
            return request.send(requests, server);
        } catch (JsonRpcException e) {
            // the revision is that of the gateway, and the group connects again
            throw e.code() == McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION
                    ? UpstreamException.unavailable(server.get())
                    : e;
        }
    }

    /** Requests that last as long as a call, and report their progress to its client. */
    static McpRequests requests(Call call, McpRequests servers) {
        McpRequests requests = servers.withTimeout(left(call));
        return call.wantsProgress() ? requests.withProgress(call::progress) : requests;
    }

    private static Duration left(Call call) {
        Duration left = Duration.between(Instant.now(), call.deadline());
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    /**
     * Keeps the error of a server unchanged; the gateway creates one for a server that did not
     * answer. The reason may contain commands and directories of this machine, and so is only
     * logged.
     */
    private static JsonRpcException refusal(CallException cause) {
        return switch (cause) {
            case JsonRpcException refused -> refused.passedOn();
            case UpstreamException failed -> failed.error();
            case ServerUnavailableException gone -> UpstreamException.unavailable(gone.server());
            case ConnectionException lost ->
                    new JsonRpcException(
                            ErrorCode.INTERNAL_ERROR, "The connection to a server was lost");
            case CapabilityException unable ->
                    new JsonRpcException(ErrorCode.METHOD_NOT_FOUND, unable.getMessage());
            default -> new JsonRpcException(ErrorCode.INTERNAL_ERROR, cause.getMessage());
        };
    }

    /** Lists of the servers, which are kept up to date. */
    private <R> R listed(Call call, Function<McpClients, R> lists) throws InterruptedException {
        try (Upstreams.Use use = upstreams.use(call)) {
            return lists.apply(servers(call, use.upstream()));
        }
    }

    private static McpClients servers(Call call, Upstream upstream) throws InterruptedException {
        return upstream.underWay().onBehalfOf(call, upstream::servers);
    }

    private <T> ListPage<T> page(
            PaginatedRequest request, Call call, Function<McpClients, List<GroupItem<T>>> list)
            throws InterruptedException {
        return ListPage.of(listed(call, list), request.cursor(), pageSize);
    }

    /** The metadata of a result, without the entries between the gateway and the server. */
    private static @Nullable JsonObject own(@Nullable JsonObject meta) {
        JsonObject rest = RelatedTask.remove(meta);
        rest = rest == null ? null : rest.without(MetaKey.SERVER_INFO);
        return rest == null || rest.isEmpty() ? null : rest;
    }

    // ---- requests that may need input before there is a result

    /** A round of a request: the first one, or one with answers. */
    @FunctionalInterface
    private interface RoundOf<R> {
        Outcome<R> send(McpRequests requests, PassedRound round) throws InterruptedException;
    }

    /** Passes on a round of a request, and the input requests of a server for the next one. */
    private <R> R round(Call call, RoundOf<R> request) throws InterruptedException {
        PassedRound round = PassedRound.of(call.retry());
        return pass(
                call,
                (requests, server) ->
                        switch (request.send(requests, round)) {
                            case Outcome.Complete<R> complete -> complete.result();
                            case Outcome.InputRequired<R> required -> {
                                InputRequiredException asking =
                                        round.asking(server.get(), required.input());
                                if (asking.questions().isEmpty() && !call.startsAgain()) {
                                    Thread.sleep(round.pause());
                                }
                                throw asking;
                            }
                            case Outcome.TaskCreated<R> created ->
                                    throw new AssertionError("tasks are not passed on: " + created);
                        });
    }

    /**
     * {@inheritDoc} A server of a revision with a handshake asks while it answers, so that its
     * answers have to reach the same connection.
     */
    @Override
    public boolean holdsWhileAsking(RequestParams request, Call call) throws InterruptedException {
        return Downstream.of(call).canBeAsked()
                && listed(call, servers -> Asked.by(servers, request));
    }

    // ---- tools

    @Override
    public ListToolsResult listTools(PaginatedRequest request, Call call)
            throws InterruptedException {
        try (Upstreams.Use use = upstreams.use(call)) {
            Upstream upstream = use.upstream();
            List<GroupItem<Tool>> tools = servers(call, upstream).tools();
            OutputSchemas schemas = upstream.outputSchemas();
            schemas.retain(tools);
            var page = ListPage.of(tools, request.cursor(), pageSize);
            return new ListToolsResult(
                    page.items().stream().map(tool -> valid(tool, schemas)).toList(),
                    page.nextCursor());
        }
    }

    /**
     * Returns the tool without the parts for which some clients refuse the whole list: arguments
     * without a type, or with properties in an array, and an output schema that is not valid.
     */
    private static Tool valid(Tool tool, OutputSchemas schemas) {
        return withValidInput(
                schemas.isUsable(tool.outputSchema()) ? tool : tool.withOutputSchema(null));
    }

    private static Tool withValidInput(Tool tool) {
        JsonObject schema = tool.inputSchema();
        boolean isTyped = OBJECT.equals(schema.get("type"));
        JsonValue properties = schema.get("properties");
        if (isTyped && (properties == null || properties instanceof JsonObject)) {
            return tool;
        }
        JsonObject typed = schema.with("type", OBJECT);
        return tool.withInputSchema(
                properties instanceof JsonObject ? typed : typed.without("properties"));
    }

    @Override
    public CallToolResult callTool(CallToolRequest request, Call call) throws InterruptedException {
        CallToolResult result;
        try {
            result =
                    round(
                            call,
                            (requests, round) ->
                                    requests.nextRound(request, round.answers(), round.state()));
        } catch (UrlElicitationRequiredException e) {
            if (call.retry().filter(RequestForwarder::hasRefusal).isPresent()) {
                return CallToolResult.failure(e.getMessage()); // no error of this revision
            }
            throw e;
        } catch (JsonRpcException e) {
            if (e.code() == McpErrorCode.MISSING_CLIENT_CAPABILITY
                    && call.revision().era() == Era.HANDSHAKE) { // which does not have that error
                return CallToolResult.failure(e.error().message());
            }
            throw e;
        }
        return result.withMeta(own(result.meta()));
    }

    /**
     * Returns whether the person does not want to visit a page, which revision 2026-07-28 asks for.
     */
    private static boolean hasRefusal(Retry retry) {
        return retry.answers().values().stream()
                .anyMatch(answer -> !new JsonString("accept").equals(answer.get("action")));
    }

    @Override
    public Optional<Tool> findTool(String name, Call call) throws InterruptedException {
        return listed(call, McpClients::tools).stream()
                .map(GroupItem::definition)
                .filter(tool -> tool.name().equals(name))
                .findFirst();
    }

    // ---- resources

    @Override
    public ListResourcesResult listResources(PaginatedRequest request, Call call)
            throws InterruptedException {
        var page = page(request, call, McpClients::resources);
        return new ListResourcesResult(page.items(), page.nextCursor());
    }

    @Override
    public ListResourceTemplatesResult listResourceTemplates(PaginatedRequest request, Call call)
            throws InterruptedException {
        var page = page(request, call, McpClients::resourceTemplates);
        return new ListResourceTemplatesResult(page.items(), page.nextCursor());
    }

    @Override
    public ReadResourceResult readResource(ReadResourceRequest request, Call call)
            throws InterruptedException {
        try {
            ReadResourceResult result =
                    round(
                            call,
                            (requests, round) ->
                                    requests.nextRound(request, round.answers(), round.state()));
            return result.withMeta(own(result.meta()));
        } catch (JsonRpcException e) {
            throw isUnknown(request.uri(), e)
                    ? new JsonRpcException(
                            McpErrorCode.RESOURCE_NOT_FOUND, e.error().message(), e.data())
                    : e;
        }
    }

    /**
     * Returns whether a server of revision 2026-07-28 has no such resource: older ones have a code.
     */
    private static boolean isUnknown(String uri, JsonRpcException refusal) {
        return refusal.code() == ErrorCode.INVALID_PARAMS
                && refusal.data() instanceof JsonObject data
                && new JsonString(uri).equals(data.get("uri"));
    }

    @Override
    public void subscribe(String uri, Call call) throws InterruptedException {
        try (Upstreams.Use use = upstreams.use(call)) {
            use.upstream().watch(uri, left(call));
        } catch (CallException e) {
            throw refusal(e);
        }
    }

    @Override
    public void unsubscribe(String uri, Call call) {
        try (Upstreams.Use use = upstreams.use(call)) {
            use.upstream().unwatch(uri);
        }
    }

    /** {@inheritDoc} The connections stay in use as long as the stream. */
    @Override
    public NotificationFilter listen(
            NotificationFilter filter, SubscriptionStream stream, Call call)
            throws InterruptedException {
        Upstreams.Use use = upstreams.use(call);
        stream.onClose(use::close);
        return use.upstream().listen(filter, stream, left(call));
    }

    // ---- prompts and completion

    @Override
    public ListPromptsResult listPrompts(PaginatedRequest request, Call call)
            throws InterruptedException {
        var page = page(request, call, McpClients::prompts);
        return new ListPromptsResult(page.items(), page.nextCursor());
    }

    @Override
    public GetPromptResult getPrompt(GetPromptRequest request, Call call)
            throws InterruptedException {
        GetPromptResult result =
                round(
                        call,
                        (requests, round) ->
                                requests.nextRound(request, round.answers(), round.state()));
        return result.withMeta(own(result.meta()));
    }

    @Override
    public CompleteResult complete(CompleteRequest request, Call call) throws InterruptedException {
        CompleteResult result = pass(call, (requests, server) -> requests.complete(request));
        return result.withMeta(own(result.meta()));
    }

    // ---- state of a session

    @Override
    public void setLoggingLevel(LoggingLevel level, Call call) throws InterruptedException {
        if (call.clientSession().isPresent()) { // else it would be that of others too
            try (Upstreams.Use use = upstreams.use(call)) {
                use.upstream().setLoggingLevel(level);
            }
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
