package dev.fairlead.protocol;

import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.InitializeRequest;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.logging.SetLevelRequest;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.SubscribeRequest;
import dev.fairlead.protocol.resources.UnsubscribeRequest;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.subscriptions.SubscriptionsListenRequest;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.GetTaskPayloadRequest;
import dev.fairlead.protocol.tasks.GetTaskPayloadResult;
import dev.fairlead.protocol.tasks.GetTaskRequest;
import dev.fairlead.protocol.tasks.ListTasksResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tasks.UpdateTaskRequest;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.versioning.DiscoverResult;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** All requests of the protocol. */
public final class Methods {
    /** Opens a session. */
    public static final Method<InitializeRequest, InitializeResult> INITIALIZE =
            handshake("initialize", InitializeRequest.class, InitializeResult.class, null);

    /** Checks whether the other side is there. */
    public static final Method<EmptyParams, EmptyResult> PING =
            new Method<>(
                    "ping",
                    Side.BOTH,
                    EmptyParams.class,
                    EmptyResult.class,
                    null,
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Lists a page of the tools. */
    public static final Method<PaginatedRequest, ListToolsResult> LIST_TOOLS =
            server("tools/list", PaginatedRequest.class, ListToolsResult.class, "tools");

    /** Calls a tool. */
    public static final Method<CallToolRequest, CallToolResult> CALL_TOOL =
            server("tools/call", CallToolRequest.class, CallToolResult.class, "tools");

    /** Lists a page of the resources. */
    public static final Method<PaginatedRequest, ListResourcesResult> LIST_RESOURCES =
            server(
                    "resources/list",
                    PaginatedRequest.class,
                    ListResourcesResult.class,
                    "resources");

    /** Lists a page of the resource templates. */
    public static final Method<PaginatedRequest, ListResourceTemplatesResult>
            LIST_RESOURCE_TEMPLATES =
                    server(
                            "resources/templates/list",
                            PaginatedRequest.class,
                            ListResourceTemplatesResult.class,
                            "resources");

    /** Reads a resource. */
    public static final Method<ReadResourceRequest, ReadResourceResult> READ_RESOURCE =
            server(
                    "resources/read",
                    ReadResourceRequest.class,
                    ReadResourceResult.class,
                    "resources");

    /** Subscribes to a resource. */
    public static final Method<SubscribeRequest, EmptyResult> SUBSCRIBE =
            handshake(
                    "resources/subscribe",
                    SubscribeRequest.class,
                    EmptyResult.class,
                    "resources.subscribe");

    /** Unsubscribes from a resource. */
    public static final Method<UnsubscribeRequest, EmptyResult> UNSUBSCRIBE =
            handshake(
                    "resources/unsubscribe",
                    UnsubscribeRequest.class,
                    EmptyResult.class,
                    "resources.subscribe");

    /** Lists a page of the prompts. */
    public static final Method<PaginatedRequest, ListPromptsResult> LIST_PROMPTS =
            server("prompts/list", PaginatedRequest.class, ListPromptsResult.class, "prompts");

    /** Fills a prompt in. */
    public static final Method<GetPromptRequest, GetPromptResult> GET_PROMPT =
            server("prompts/get", GetPromptRequest.class, GetPromptResult.class, "prompts");

    /** Completes an argument. Revision 2024-11-05 has the method and not the capability. */
    public static final Method<CompleteRequest, CompleteResult> COMPLETE =
            server(
                    "completion/complete",
                    CompleteRequest.class,
                    CompleteResult.class,
                    "completions");

    /** Sets the least severe log level to be sent. */
    public static final Method<SetLevelRequest, EmptyResult> SET_LEVEL =
            handshake("logging/setLevel", SetLevelRequest.class, EmptyResult.class, "logging");

    /** Lists the roots. */
    public static final Method<EmptyParams, ListRootsResult> LIST_ROOTS =
            new Method<>(
                    "roots/list",
                    Side.CLIENT,
                    EmptyParams.class,
                    ListRootsResult.class,
                    "roots",
                    Revision.V2024_11_05);

    /** Samples a message from a model. */
    public static final Method<CreateMessageRequest, CreateMessageResult> CREATE_MESSAGE =
            new Method<>(
                    "sampling/createMessage",
                    Side.CLIENT,
                    CreateMessageRequest.class,
                    CreateMessageResult.class,
                    "sampling",
                    Revision.V2024_11_05);

    /** Asks the person. {@link ClientCapabilities} describes the capability for each mode. */
    public static final Method<ElicitRequest, ElicitResult> ELICIT =
            new Method<>(
                    "elicitation/create",
                    Side.CLIENT,
                    ElicitRequest.class,
                    ElicitResult.class,
                    "elicitation",
                    Revision.V2025_06_18);

    /** Returns the state of a task. */
    public static final Method<GetTaskRequest, Task> GET_TASK =
            taskMethod("tasks/get", GetTaskRequest.class, Task.class, "tasks.requests");

    /**
     * Returns the outcome of a task, once it has one: the result of the request that became the
     * task, or its error.
     */
    public static final Method<GetTaskPayloadRequest, GetTaskPayloadResult> GET_TASK_PAYLOAD =
            taskMethod(
                    "tasks/result",
                    GetTaskPayloadRequest.class,
                    GetTaskPayloadResult.class,
                    "tasks.requests");

    /** Lists a page of the tasks. */
    public static final Method<PaginatedRequest, ListTasksResult> LIST_TASKS =
            taskMethod("tasks/list", PaginatedRequest.class, ListTasksResult.class, "tasks.list");

    /** Cancels a task. */
    public static final Method<CancelTaskRequest, Task> CANCEL_TASK =
            taskMethod("tasks/cancel", CancelTaskRequest.class, Task.class, "tasks.cancel");

    /** Returns the state of a task with its questions, result or error; of the tasks extension. */
    public static final Method<GetTaskRequest, DetailedTask> GET_DETAILED_TASK =
            perRequest(
                    "tasks/get",
                    GetTaskRequest.class,
                    DetailedTask.class,
                    TasksExtension.CAPABILITY);

    /** Answers questions of a task; of the tasks extension. */
    public static final Method<UpdateTaskRequest, EmptyResult> UPDATE_TASK =
            perRequest(
                    "tasks/update",
                    UpdateTaskRequest.class,
                    EmptyResult.class,
                    TasksExtension.CAPABILITY);

    /** Requests that a task is cancelled; of the tasks extension. */
    public static final Method<CancelTaskRequest, EmptyResult> REQUEST_TASK_CANCELLATION =
            perRequest(
                    "tasks/cancel",
                    CancelTaskRequest.class,
                    EmptyResult.class,
                    TasksExtension.CAPABILITY);

    /** Returns the revisions and capabilities of the server. */
    public static final Method<EmptyParams, DiscoverResult> DISCOVER =
            perRequest("server/discover", EmptyParams.class, DiscoverResult.class, null);

    /** Listens to changes until the request ends. */
    public static final Method<SubscriptionsListenRequest, EmptyResult> LISTEN =
            perRequest(
                    "subscriptions/listen",
                    SubscriptionsListenRequest.class,
                    EmptyResult.class,
                    null);

    /** All methods. */
    public static final List<Method<?, ?>> ALL =
            List.of(
                    INITIALIZE,
                    PING,
                    LIST_TOOLS,
                    CALL_TOOL,
                    LIST_RESOURCES,
                    LIST_RESOURCE_TEMPLATES,
                    READ_RESOURCE,
                    SUBSCRIBE,
                    UNSUBSCRIBE,
                    LIST_PROMPTS,
                    GET_PROMPT,
                    COMPLETE,
                    SET_LEVEL,
                    LIST_ROOTS,
                    CREATE_MESSAGE,
                    ELICIT,
                    GET_TASK,
                    GET_TASK_PAYLOAD,
                    LIST_TASKS,
                    CANCEL_TASK,
                    GET_DETAILED_TASK,
                    UPDATE_TASK,
                    REQUEST_TASK_CANCELLATION,
                    DISCOVER,
                    LISTEN);

    private Methods() {}

    /** Returns a method of servers in all revisions. */
    private static <P extends RequestParams, R extends Result> Method<P, R> server(
            String name, Class<P> params, Class<R> result, @Nullable String capability) {
        return new Method<>(
                name, Side.SERVER, params, result, capability, Revision.V2024_11_05, null);
    }

    /** Returns a method of servers in all revisions with a handshake. */
    private static <P extends RequestParams, R extends Result> Method<P, R> handshake(
            String name, Class<P> params, Class<R> result, @Nullable String capability) {
        return new Method<>(
                name,
                Side.SERVER,
                params,
                result,
                capability,
                Revision.V2024_11_05,
                Revision.NEWEST_WITH_HANDSHAKE);
    }

    /** Returns a method of both sides for tasks of revision 2025-11-25. */
    private static <P extends RequestParams, R extends Result> Method<P, R> taskMethod(
            String name, Class<P> params, Class<R> result, @Nullable String capability) {
        return new Method<>(
                name,
                Side.BOTH,
                params,
                result,
                capability,
                Revision.V2025_11_25,
                Revision.NEWEST_WITH_HANDSHAKE);
    }

    /** Returns a method of servers that revision 2026-07-28 brought. */
    private static <P extends RequestParams, R extends Result> Method<P, R> perRequest(
            String name, Class<P> params, Class<R> result, @Nullable String capability) {
        return new Method<>(
                name, Side.SERVER, params, result, capability, Revision.V2026_07_28, null);
    }
}
