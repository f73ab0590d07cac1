package dev.fairlead.client;

import dev.fairlead.client.calls.CallParts;
import dev.fairlead.client.calls.ListCalls;
import dev.fairlead.client.calls.ToolCalls;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.Caller;
import dev.fairlead.client.link.ResponseCache;
import dev.fairlead.client.link.Round;
import dev.fairlead.client.link.ServerMethods;
import dev.fairlead.client.tasks.TaskInputs;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.GetTaskPayloadRequest;
import dev.fairlead.protocol.tasks.GetTaskPayloadResult;
import dev.fairlead.protocol.tasks.GetTaskRequest;
import dev.fairlead.protocol.tasks.ListTasksResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** The requests on a connection, with the options of one copy. */
sealed class Requests implements ClientRequests, Caller permits LiveClient {
    private final CallParts parts;
    private final CallOptions options;

    Requests(CallParts parts, CallOptions options) {
        this.parts = parts;
        this.options = options;
    }

    private Requests with(Consumer<CallOptions> change) {
        return new Requests(parts, options.with(change));
    }

    @Override
    public final Requests withTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        Duration max = options.maximum.compareTo(timeout) < 0 ? timeout : options.maximum;
        return withTimeout(timeout, max);
    }

    @Override
    public final Requests withTimeout(Duration idle, Duration maximum) {
        return new Requests(parts, options.withTimeout(idle, maximum));
    }

    @Override
    public final Requests withProgress(ProgressListener listener) {
        Objects.requireNonNull(listener, "listener");
        return with(copy -> copy.listener = listener);
    }

    @Override
    public final Requests withUrlElicitation(Duration wait) {
        Objects.requireNonNull(wait, "wait");
        return with(copy -> copy.urlElicitation = wait);
    }

    @Override
    public final Requests withHeaders(Map<String, String> headers) {
        Map<String, String> all = OwnHeaders.added(options.headers, headers);
        return with(copy -> copy.headers = all);
    }

    @Override
    public final Revision revision() {
        return parts.links().known().face().revision();
    }

    @Override
    public final Requests withFreshResults() {
        return with(copy -> copy.cache = ResponseCache.Use.FRESH);
    }

    @Override
    public final Requests withoutCache() {
        return with(copy -> copy.cache = ResponseCache.Use.NONE);
    }

    /** Returns a copy for one call, whose requests share the time that it may take in all. */
    final Requests begun() {
        return new Requests(parts, parts.begun(options));
    }

    @Override
    public final <P extends RequestParams, R extends Result> R call(Method<P, R> method, P params)
            throws InterruptedException {
        return parts.pipeline().call(method, params, options);
    }

    @Override
    public final void ping() throws InterruptedException {
        parts.pipeline().ping(options);
    }

    // ---- tools

    @Override
    public final <I, O> RemoteTool<I, O> tool(String name, Class<I> input, Class<O> output) {
        return tool(name, input, TypeRef.of(output));
    }

    @Override
    public final <I, O> RemoteTool<I, O> tool(String name, Class<I> input, TypeRef<O> output) {
        Objects.requireNonNull(name, "name");
        return new RemoteTool<>(
                this,
                name,
                JsonCodec.of(Objects.requireNonNull(input, "input")),
                ToolOutputReader.of(output),
                null);
    }

    @Override
    public final CallToolResult callTool(CallToolRequest request) throws InterruptedException {
        CallToolResult result = begun().calls().call(request, null);
        calls().check(request.name(), result);
        return result;
    }

    final ToolCalls calls() {
        return new ToolCalls(parts, options);
    }

    private ListCalls lists() {
        return new ListCalls(parts, options);
    }

    @Override
    public final List<Tool> tools() throws InterruptedException {
        return lists().tools();
    }

    @Override
    public final ListToolsResult toolPage(@Nullable String cursor) throws InterruptedException {
        return lists().toolPage(cursor);
    }

    // ---- tasks

    @Override
    public final TaskHandle<CallToolResult> startTool(CallToolRequest request)
            throws InterruptedException {
        return start(request, result -> result);
    }

    /**
     * Starts a tool.
     *
     * @param output reads a result that is no failure
     */
    final <O> TaskHandle<O> start(CallToolRequest request, Function<CallToolResult, O> output)
            throws InterruptedException {
        return handles().start(request, output);
    }

    private TaskHandles handles() {
        return new TaskHandles(parts, options);
    }

    @Override
    public final <O> TaskHandle<O> task(TaskId id, Class<O> output) {
        return task(id, TypeRef.of(output));
    }

    @Override
    public final <O> TaskHandle<O> task(TaskId id, TypeRef<O> output) {
        return handles().task(id, output);
    }

    @Override
    public final TaskHandle<GetTaskPayloadResult> task(TaskId id) {
        return handles().resume(id, GetTaskPayloadResult::of);
    }

    @Override
    public final Task getTask(TaskId id) throws InterruptedException {
        return has(Methods.GET_DETAILED_TASK)
                ? call(Methods.GET_DETAILED_TASK, new GetTaskRequest(id)).task()
                : call(Methods.GET_TASK, new GetTaskRequest(id));
    }

    @Override
    public final GetTaskPayloadResult taskResult(TaskId id) throws InterruptedException {
        if (has(Methods.GET_DETAILED_TASK)) {
            try {
                return GetTaskPayloadResult.of(parts.tasks().result(id, options.maximum));
            } catch (TaskInputs.HandlerFailedException e) {
                throw e.forCaller();
            }
        }
        CallOptions patient = options.withTimeout(options.maximum, options.maximum);
        return parts.pipeline()
                .call(Methods.GET_TASK_PAYLOAD, new GetTaskPayloadRequest(id), patient);
    }

    @Override
    public final Task cancelTask(TaskId id) throws InterruptedException {
        return has(Methods.REQUEST_TASK_CANCELLATION)
                ? parts.tasks().cancel(id)
                : call(Methods.CANCEL_TASK, new CancelTaskRequest(id));
    }

    private boolean has(Method<?, ?> method) throws InterruptedException {
        return parts.links().current().face().has(method);
    }

    @Override
    public final List<Task> tasks() throws InterruptedException {
        return lists().all(Methods.LIST_TASKS, ListTasksResult::tasks);
    }

    @Override
    public final ListTasksResult taskPage(@Nullable String cursor) throws InterruptedException {
        return lists().page(Methods.LIST_TASKS, cursor);
    }

    // ---- resources

    @Override
    public final List<Resource> resources() throws InterruptedException {
        return lists().all(Methods.LIST_RESOURCES, ListResourcesResult::resources);
    }

    @Override
    public final ListResourcesResult resourcePage(@Nullable String cursor)
            throws InterruptedException {
        return lists().page(Methods.LIST_RESOURCES, cursor);
    }

    @Override
    public final List<ResourceTemplate> resourceTemplates() throws InterruptedException {
        return lists().all(
                        Methods.LIST_RESOURCE_TEMPLATES,
                        ListResourceTemplatesResult::resourceTemplates);
    }

    @Override
    public final ListResourceTemplatesResult resourceTemplatePage(@Nullable String cursor)
            throws InterruptedException {
        return lists().page(Methods.LIST_RESOURCE_TEMPLATES, cursor);
    }

    @Override
    public final ReadResourceResult readResource(ReadResourceRequest request)
            throws InterruptedException {
        return call(Methods.READ_RESOURCE, request);
    }

    @Override
    public final Subscription watch(String uri, ResourceListener listener)
            throws InterruptedException {
        Objects.requireNonNull(listener, "listener");
        return ResourceWatch.open(parts, this, options.timeout, uri, listener);
    }

    // ---- prompts and completion

    @Override
    public final List<Prompt> prompts() throws InterruptedException {
        return lists().all(Methods.LIST_PROMPTS, ListPromptsResult::prompts);
    }

    @Override
    public final ListPromptsResult promptPage(@Nullable String cursor) throws InterruptedException {
        return lists().page(Methods.LIST_PROMPTS, cursor);
    }

    @Override
    public final GetPromptResult getPrompt(String name, Record arguments)
            throws InterruptedException {
        return getPrompt(name, PromptArguments.of(arguments));
    }

    @Override
    public final GetPromptResult getPrompt(GetPromptRequest request) throws InterruptedException {
        return call(Methods.GET_PROMPT, request);
    }

    @Override
    public final CompleteResult complete(CompleteRequest request) throws InterruptedException {
        return call(Methods.COMPLETE, request);
    }

    // ---- rounds by hand

    @Override
    public final Outcome<CallToolResult> nextRound(
            CallToolRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException {
        Outcome<CallToolResult> outcome =
                begun().calls().round(request, Round.of(inputResponses, requestState));
        if (outcome instanceof Outcome.Complete<CallToolResult> complete) {
            calls().check(request.name(), complete.result());
        }
        return outcome;
    }

    @Override
    public final Outcome<GetPromptResult> nextRound(
            GetPromptRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException {
        return round(Methods.GET_PROMPT, request, Round.of(inputResponses, requestState));
    }

    @Override
    public final Outcome<ReadResourceResult> nextRound(
            ReadResourceRequest request,
            Map<String, JsonObject> inputResponses,
            @Nullable String requestState)
            throws InterruptedException {
        return round(Methods.READ_RESOURCE, request, Round.of(inputResponses, requestState));
    }

    private <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round) throws InterruptedException {
        return parts.pipeline().round(method, params, round, options);
    }

    // ---- logging, and everything else

    @Override
    public final void setLoggingLevel(LoggingLevel level) throws InterruptedException {
        parts.links().current().setLevel(level, this);
        parts.context().level().set(level);
    }

    @Override
    public final JsonObject request(String method, JsonObject params) throws InterruptedException {
        Objects.requireNonNull(params, "params");
        ServerMethods.requireNoHandshake(method);
        long now = parts.tools().version();
        JsonObject result = parts.pipeline().callRaw(method, params, options);
        return method.equals(Methods.LIST_TOOLS.name()) && parts.links().known().repeatsArguments()
                ? parts.tools().remember(result, now)
                : result;
    }

    @Override
    public final void notify(String method, JsonObject params) throws InterruptedException {
        Objects.requireNonNull(params, "params");
        ServerMethods.requireNoHandshake(method);
        parts.links().current().channel().notifyRaw(method, params);
    }
}
