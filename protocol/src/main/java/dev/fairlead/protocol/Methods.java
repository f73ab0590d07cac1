package dev.fairlead.protocol;

import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.base.PaginatedRequest;
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

import java.util.List;

/** Every request of the protocol (ledgers, "Wire surface"). */
public final class Methods {
    /** Opens a session. */
    public static final Method<InitializeRequest, InitializeResult> INITIALIZE =
            new Method<>(
                    "initialize",
                    Side.SERVER,
                    InitializeRequest.class,
                    InitializeResult.class,
                    null,
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Asks whether the other side is there. */
    public static final Method<EmptyParams, EmptyResult> PING =
            new Method<>(
                    "ping",
                    Side.BOTH,
                    EmptyParams.class,
                    EmptyResult.class,
                    null,
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** One page of the tools. */
    public static final Method<PaginatedRequest, ListToolsResult> LIST_TOOLS =
            new Method<>(
                    "tools/list",
                    Side.SERVER,
                    PaginatedRequest.class,
                    ListToolsResult.class,
                    "tools",
                    Revision.V2024_11_05);

    /** Calls a tool. */
    public static final Method<CallToolRequest, CallToolResult> CALL_TOOL =
            new Method<>(
                    "tools/call",
                    Side.SERVER,
                    CallToolRequest.class,
                    CallToolResult.class,
                    "tools",
                    Revision.V2024_11_05);

    /** One page of the resources. */
    public static final Method<PaginatedRequest, ListResourcesResult> LIST_RESOURCES =
            new Method<>(
                    "resources/list",
                    Side.SERVER,
                    PaginatedRequest.class,
                    ListResourcesResult.class,
                    "resources",
                    Revision.V2024_11_05);

    /** One page of the resource templates. */
    public static final Method<PaginatedRequest, ListResourceTemplatesResult>
            LIST_RESOURCE_TEMPLATES =
                    new Method<>(
                            "resources/templates/list",
                            Side.SERVER,
                            PaginatedRequest.class,
                            ListResourceTemplatesResult.class,
                            "resources",
                            Revision.V2024_11_05);

    /** Reads a resource. */
    public static final Method<ReadResourceRequest, ReadResourceResult> READ_RESOURCE =
            new Method<>(
                    "resources/read",
                    Side.SERVER,
                    ReadResourceRequest.class,
                    ReadResourceResult.class,
                    "resources",
                    Revision.V2024_11_05);

    /** Watches a resource. */
    public static final Method<SubscribeRequest, EmptyResult> SUBSCRIBE =
            new Method<>(
                    "resources/subscribe",
                    Side.SERVER,
                    SubscribeRequest.class,
                    EmptyResult.class,
                    "resources.subscribe",
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Watches a resource no longer. */
    public static final Method<UnsubscribeRequest, EmptyResult> UNSUBSCRIBE =
            new Method<>(
                    "resources/unsubscribe",
                    Side.SERVER,
                    UnsubscribeRequest.class,
                    EmptyResult.class,
                    "resources.subscribe",
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** One page of the prompts. */
    public static final Method<PaginatedRequest, ListPromptsResult> LIST_PROMPTS =
            new Method<>(
                    "prompts/list",
                    Side.SERVER,
                    PaginatedRequest.class,
                    ListPromptsResult.class,
                    "prompts",
                    Revision.V2024_11_05);

    /** Fills a prompt in. */
    public static final Method<GetPromptRequest, GetPromptResult> GET_PROMPT =
            new Method<>(
                    "prompts/get",
                    Side.SERVER,
                    GetPromptRequest.class,
                    GetPromptResult.class,
                    "prompts",
                    Revision.V2024_11_05);

    /** Completes an argument. Revision 2024-11-05 has the method and not the capability. */
    public static final Method<CompleteRequest, CompleteResult> COMPLETE =
            new Method<>(
                    "completion/complete",
                    Side.SERVER,
                    CompleteRequest.class,
                    CompleteResult.class,
                    "completions",
                    Revision.V2024_11_05);

    /** Sets the least severe log level to be sent. */
    public static final Method<SetLevelRequest, EmptyResult> SET_LEVEL =
            new Method<>(
                    "logging/setLevel",
                    Side.SERVER,
                    SetLevelRequest.class,
                    EmptyResult.class,
                    "logging",
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** All roots. */
    public static final Method<EmptyParams, ListRootsResult> LIST_ROOTS =
            new Method<>(
                    "roots/list",
                    Side.CLIENT,
                    EmptyParams.class,
                    ListRootsResult.class,
                    "roots",
                    Revision.V2024_11_05);

    /** Lets a model speak. */
    public static final Method<CreateMessageRequest, CreateMessageResult> CREATE_MESSAGE =
            new Method<>(
                    "sampling/createMessage",
                    Side.CLIENT,
                    CreateMessageRequest.class,
                    CreateMessageResult.class,
                    "sampling",
                    Revision.V2024_11_05);

    /** Asks the person. Which way needs which capability is told by {@link ClientCapabilities}. */
    public static final Method<ElicitRequest, ElicitResult> ELICIT =
            new Method<>(
                    "elicitation/create",
                    Side.CLIENT,
                    ElicitRequest.class,
                    ElicitResult.class,
                    "elicitation",
                    Revision.V2025_06_18);

    /** Where a task stands. */
    public static final Method<GetTaskRequest, Task> GET_TASK =
            new Method<>(
                    "tasks/get",
                    Side.BOTH,
                    GetTaskRequest.class,
                    Task.class,
                    "tasks.requests",
                    Revision.V2025_11_25,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /**
     * The outcome of a task, once it has one: the result of the request that became the task, or
     * its error.
     */
    public static final Method<GetTaskPayloadRequest, GetTaskPayloadResult> GET_TASK_PAYLOAD =
            new Method<>(
                    "tasks/result",
                    Side.BOTH,
                    GetTaskPayloadRequest.class,
                    GetTaskPayloadResult.class,
                    "tasks.requests",
                    Revision.V2025_11_25,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** One page of the tasks. */
    public static final Method<PaginatedRequest, ListTasksResult> LIST_TASKS =
            new Method<>(
                    "tasks/list",
                    Side.BOTH,
                    PaginatedRequest.class,
                    ListTasksResult.class,
                    "tasks.list",
                    Revision.V2025_11_25,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Cancels a task. */
    public static final Method<CancelTaskRequest, Task> CANCEL_TASK =
            new Method<>(
                    "tasks/cancel",
                    Side.BOTH,
                    CancelTaskRequest.class,
                    Task.class,
                    "tasks.cancel",
                    Revision.V2025_11_25,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Where a task stands, with what belongs to that; of the tasks extension. */
    public static final Method<GetTaskRequest, DetailedTask> GET_DETAILED_TASK =
            new Method<>(
                    "tasks/get",
                    Side.SERVER,
                    GetTaskRequest.class,
                    DetailedTask.class,
                    TasksExtension.CAPABILITY,
                    Revision.V2026_07_28);

    /** Answers what a task waits for; of the tasks extension. */
    public static final Method<UpdateTaskRequest, EmptyResult> UPDATE_TASK =
            new Method<>(
                    "tasks/update",
                    Side.SERVER,
                    UpdateTaskRequest.class,
                    EmptyResult.class,
                    TasksExtension.CAPABILITY,
                    Revision.V2026_07_28);

    /** Requests that a task is cancelled; of the tasks extension. */
    public static final Method<CancelTaskRequest, EmptyResult> REQUEST_TASK_CANCELLATION =
            new Method<>(
                    "tasks/cancel",
                    Side.SERVER,
                    CancelTaskRequest.class,
                    EmptyResult.class,
                    TasksExtension.CAPABILITY,
                    Revision.V2026_07_28);

    /** Says which revisions and capabilities the server has. */
    public static final Method<EmptyParams, DiscoverResult> DISCOVER =
            new Method<>(
                    "server/discover",
                    Side.SERVER,
                    EmptyParams.class,
                    DiscoverResult.class,
                    null,
                    Revision.V2026_07_28);

    /** Listens to changes until the request ends. */
    public static final Method<SubscriptionsListenRequest, EmptyResult> LISTEN =
            new Method<>(
                    "subscriptions/listen",
                    Side.SERVER,
                    SubscriptionsListenRequest.class,
                    EmptyResult.class,
                    null,
                    Revision.V2026_07_28);

    /** All of them. */
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
}
