package dev.fairlead.client;

import dev.fairlead.client.calls.ListCalls;
import dev.fairlead.client.calls.ToolCalls;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.Caller;
import dev.fairlead.client.link.ResponseCache;
import dev.fairlead.client.link.Round;
import dev.fairlead.client.link.ServerMethods;
import dev.fairlead.client.tasks.StartedTool;
import dev.fairlead.client.tasks.TaskInputs;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
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
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
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
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The requests on a connection, with the options of one copy. */
sealed class Requests implements ClientRequests, Caller permits LiveClient {
    private final ClientConnection connection;
    private final CallOptions options;

    Requests(ClientConnection connection, CallOptions options) {
        this.connection = connection;
        this.options = options;
    }

    private Requests with(CallOptions changed) {
        return new Requests(connection, changed);
    }

    @Override
    public final Requests withTimeout(Duration timeout) {
        return with(options.withTimeout(Objects.requireNonNull(timeout, "timeout")));
    }

    @Override
    public final Requests withTimeout(Duration idle, Duration maximum) {
        return with(options.withTimeout(idle, maximum));
    }

    @Override
    public final Requests withProgress(ProgressListener listener) {
        return with(options.withListener(Objects.requireNonNull(listener, "listener")));
    }

    @Override
    public final Requests withUrlElicitation(Duration wait) {
        return with(options.withUrlElicitation(Objects.requireNonNull(wait, "wait")));
    }

    @Override
    public final Requests withHeaders(Map<String, String> headers) {
        return with(options.withHeaders(OwnHeaders.added(options.headers(), headers)));
    }

    @Override
    public final Revision revision() {
        return connection.known().face().revision();
    }

    @Override
    public final Requests withFreshResults() {
        return with(options.withCache(ResponseCache.Use.FRESH));
    }

    @Override
    public final Requests withoutCache() {
        return with(options.withCache(ResponseCache.Use.NONE));
    }

    /** Returns a copy for one call, whose requests share the time that it may take in all. */
    final Requests begun() {
        return with(connection.begun(options));
    }

    @Override
    public final <P extends RequestParams, R extends Result> R call(Method<P, R> method, P params)
            throws InterruptedException {
        return connection.pipeline().call(method, params, options);
    }

    @Override
    public final void ping() throws InterruptedException {
        connection.pipeline().ping(options);
    }

    // ---- tools

    @Override
    public final <I, O> RemoteTool<I, O> tool(String name, Class<I> input, Class<O> output) {
        return tool(name, input, TypeRef.of(output));
    }

    @Override
    public final <I, O> RemoteTool<I, O> tool(String name, Class<I> input, TypeRef<O> output) {
        Objects.requireNonNull(name, "name");
        return new TypedTool<>(
                this,
                name,
                JsonCodec.of(Objects.requireNonNull(input, "input")),
                ToolOutputReader.of(output),
                null);
    }

    @Override
    public final CallToolResult callTool(CallToolRequest request) throws InterruptedException {
        connection.tasks().noteTtl(request.task());
        CallToolResult result = begun().calls().call(request, null);
        check(request.name(), result);
        return result;
    }

    /**
     * Calls a tool.
     *
     * @param task for a task that the tool requires
     */
    final CallToolResult callTool(CallToolRequest request, TaskMetadata task)
            throws InterruptedException {
        connection.tasks().noteTtl(task);
        CallToolResult result = begun().calls().call(request, task);
        check(request.name(), result);
        return result;
    }

    private ToolCalls calls() {
        return new ToolCalls(connection, options);
    }

    private void check(String tool, CallToolResult result) {
        if (connection.known().face().revision().isAtLeast(Revision.V2025_06_18)) {
            connection.tools().check(tool, result);
        }
    }

    /**
     * Reads the definitions of the tools unless this one is known. Its progress is not reported,
     * and a list that cannot be read leaves the call without a check of its output.
     */
    final void learn(String tool) throws InterruptedException {
        lists().learn(tool, 1);
    }

    private ListCalls lists() {
        return new ListCalls(connection, options);
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
    final <O> TaskHandle<O> start(CallToolRequest request, TaskOutput<O> output)
            throws InterruptedException {
        String tool = request.name();
        TaskOutput<O> checked =
                result -> {
                    check(tool, result);
                    return succeeded(result, output);
                };
        return switch (started(request)) {
            case StartedTool.Answered answered -> new AnsweredTask<>(answered.result(), checked);
            case StartedTool.Running running -> {
                running.task().watch();
                yield new RunningTask<>(
                        running.task(),
                        running.created(),
                        connection.settings().maxListenerBytes,
                        result -> checked.read(connection.tasks().read(result)));
            }
        };
    }

    private StartedTool started(CallToolRequest request) throws InterruptedException {
        CallOptions once = connection.begun(options);
        try {
            return connection.tasks().start(request, once, true);
        } catch (UrlElicitationRequiredException required) {
            connection.pipeline().visit(required, once);
        }
        return connection.tasks().start(request, once, true);
    }

    private static <O> O succeeded(CallToolResult result, TaskOutput<O> output) {
        if (result.isError()) {
            throw new ToolFailedException(result);
        }
        return output.read(result);
    }

    /** Makes sure that a tool may be called as a task. */
    final void requireTaskSupport(String tool) throws InterruptedException {
        lists().learn(tool, ListCalls.READINGS);
        connection.link().requireTaskSupport(tool, connection.tools().taskSupport(tool));
    }

    @Override
    public final <O> TaskHandle<O> task(TaskId id, Class<O> output) {
        return task(id, TypeRef.of(output));
    }

    @Override
    public final <O> TaskHandle<O> task(TaskId id, TypeRef<O> output) {
        ToolOutputReader<O> reading = ToolOutputReader.of(output);
        return resume(
                id,
                result ->
                        succeeded(
                                connection.tasks().read(result),
                                done -> reading.read("of task " + id, done)));
    }

    @Override
    public final TaskHandle<GetTaskPayloadResult> task(TaskId id) {
        return resume(id, GetTaskPayloadResult::of);
    }

    private <O> TaskHandle<O> resume(TaskId id, Function<RawJson, O> output) {
        Objects.requireNonNull(id, "id");
        return new RunningTask<>(
                connection.tasks().resume(id),
                null,
                connection.settings().maxListenerBytes,
                output);
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
                return GetTaskPayloadResult.of(connection.tasks().result(id, options.maximum()));
            } catch (TaskInputs.HandlerFailedException e) {
                throw e.forCaller();
            }
        }
        CallOptions patient = options.withTimeout(options.maximum(), options.maximum());
        return connection
                .pipeline()
                .call(Methods.GET_TASK_PAYLOAD, new GetTaskPayloadRequest(id), patient);
    }

    @Override
    public final Task cancelTask(TaskId id) throws InterruptedException {
        return has(Methods.REQUEST_TASK_CANCELLATION)
                ? connection.tasks().cancel(id)
                : call(Methods.CANCEL_TASK, new CancelTaskRequest(id));
    }

    private boolean has(Method<?, ?> method) throws InterruptedException {
        return connection.link().face().has(method);
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
        return ResourceWatch.open(connection, this, options.timeout(), uri, listener);
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
        Map<String, String> texts = new LinkedHashMap<>();
        members(arguments)
                .members()
                .forEach(
                        (argument, value) -> {
                            if (value instanceof JsonString text) {
                                texts.put(argument, text.value());
                            } else if (!(value instanceof JsonNull)) {
                                texts.put(argument, value.toJson());
                            }
                        });
        return getPrompt(name, texts);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Record> JsonObject members(T value) {
        JsonValue json = JsonCodec.of((Class<T>) value.getClass()).toValue(value);
        if (json instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException(value.getClass() + " is no object in JSON");
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
            check(request.name(), complete.result());
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
        return connection.pipeline().round(method, params, round, options);
    }

    // ---- logging, and everything else

    @Override
    public final void setLoggingLevel(LoggingLevel level) throws InterruptedException {
        connection.link().setLevel(level, this);
        connection.keepLevel(level);
    }

    @Override
    public final JsonObject request(String method, JsonObject params) throws InterruptedException {
        Objects.requireNonNull(params, "params");
        ServerMethods.requireNoHandshake(method);
        long now = connection.tools().version();
        JsonObject result = connection.pipeline().callRaw(method, params, options);
        return method.equals(Methods.LIST_TOOLS.name()) && connection.known().repeatsArguments()
                ? connection.tools().remember(result, now)
                : result;
    }

    @Override
    public final void notify(String method, JsonObject params) throws InterruptedException {
        Objects.requireNonNull(params, "params");
        ServerMethods.requireNoHandshake(method);
        connection.link().channel().notifyRaw(method, params);
    }
}
