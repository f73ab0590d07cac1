package dev.fairlead.protocol;

import dev.fairlead.protocol.base.CancelledNotification;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.ProgressNotification;
import dev.fairlead.protocol.elicitation.ElicitationCompleteNotification;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.protocol.resources.ResourceUpdatedNotification;
import dev.fairlead.protocol.subscriptions.SubscriptionsAcknowledgedNotification;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.Task;

import java.util.List;

/** All notifications of the protocol. */
public final class Notifications {
    /** Reports that the client is ready. */
    public static final Notification<EmptyParams> INITIALIZED =
            new Notification<>(
                    "notifications/initialized",
                    Side.SERVER,
                    EmptyParams.class,
                    null,
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Cancels a request of the sender. */
    public static final Notification<CancelledNotification> CANCELLED =
            new Notification<>(
                    "notifications/cancelled",
                    Side.BOTH,
                    CancelledNotification.class,
                    null,
                    Revision.V2024_11_05);

    /** Reports the progress of a request. */
    public static final Notification<ProgressNotification> PROGRESS =
            new Notification<>(
                    "notifications/progress",
                    Side.BOTH,
                    ProgressNotification.class,
                    null,
                    Revision.V2024_11_05);

    /** Carries a log message. */
    public static final Notification<LoggingMessageNotification> LOGGING_MESSAGE =
            new Notification<>(
                    "notifications/message",
                    Side.CLIENT,
                    LoggingMessageNotification.class,
                    "logging",
                    Revision.V2024_11_05);

    /** Reports a change of the list of resources or resource templates. */
    public static final Notification<EmptyParams> RESOURCE_LIST_CHANGED =
            new Notification<>(
                    "notifications/resources/list_changed",
                    Side.CLIENT,
                    EmptyParams.class,
                    "resources.listChanged",
                    Revision.V2024_11_05);

    /** Reports a change of a subscribed resource. */
    public static final Notification<ResourceUpdatedNotification> RESOURCE_UPDATED =
            new Notification<>(
                    "notifications/resources/updated",
                    Side.CLIENT,
                    ResourceUpdatedNotification.class,
                    "resources.subscribe",
                    Revision.V2024_11_05);

    /** Reports a change of the list of tools. */
    public static final Notification<EmptyParams> TOOL_LIST_CHANGED =
            new Notification<>(
                    "notifications/tools/list_changed",
                    Side.CLIENT,
                    EmptyParams.class,
                    "tools.listChanged",
                    Revision.V2024_11_05);

    /** Reports a change of the list of prompts. */
    public static final Notification<EmptyParams> PROMPT_LIST_CHANGED =
            new Notification<>(
                    "notifications/prompts/list_changed",
                    Side.CLIENT,
                    EmptyParams.class,
                    "prompts.listChanged",
                    Revision.V2024_11_05);

    /** Reports a change of the roots. */
    public static final Notification<EmptyParams> ROOTS_LIST_CHANGED =
            new Notification<>(
                    "notifications/roots/list_changed",
                    Side.SERVER,
                    EmptyParams.class,
                    "roots.listChanged",
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /**
     * Reports that the interaction on the page of a URL elicitation is complete. Only to clients
     * that declared {@code elicitation.url}.
     */
    public static final Notification<ElicitationCompleteNotification> ELICITATION_COMPLETE =
            new Notification<>(
                    "notifications/elicitation/complete",
                    Side.CLIENT,
                    ElicitationCompleteNotification.class,
                    null,
                    Revision.V2025_11_25,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Reports a change of a task. Do not rely on it: it can get lost. */
    public static final Notification<Task> TASK_STATUS =
            new Notification<>(
                    "notifications/tasks/status",
                    Side.BOTH,
                    Task.class,
                    "tasks.requests",
                    Revision.V2025_11_25,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** Reports the start of a subscription. */
    public static final Notification<SubscriptionsAcknowledgedNotification>
            SUBSCRIPTIONS_ACKNOWLEDGED =
                    new Notification<>(
                            "notifications/subscriptions/acknowledged",
                            Side.CLIENT,
                            SubscriptionsAcknowledgedNotification.class,
                            null,
                            Revision.V2026_07_28);

    /** Reports a change of a task with its whole state; of the tasks extension. */
    public static final Notification<DetailedTask> TASK =
            new Notification<>(
                    "notifications/tasks",
                    Side.CLIENT,
                    DetailedTask.class,
                    null,
                    Revision.V2026_07_28);

    /** All notifications. */
    public static final List<Notification<?>> ALL =
            List.of(
                    INITIALIZED,
                    CANCELLED,
                    PROGRESS,
                    LOGGING_MESSAGE,
                    RESOURCE_LIST_CHANGED,
                    RESOURCE_UPDATED,
                    TOOL_LIST_CHANGED,
                    PROMPT_LIST_CHANGED,
                    ROOTS_LIST_CHANGED,
                    ELICITATION_COMPLETE,
                    TASK_STATUS,
                    TASK,
                    SUBSCRIPTIONS_ACKNOWLEDGED);

    private Notifications() {}
}
