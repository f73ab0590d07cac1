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

/** Every notification of the protocol (ledgers, "Wire surface"). */
public final class Notifications {
    /** The client is ready. */
    public static final Notification<EmptyParams> INITIALIZED =
            new Notification<>(
                    "notifications/initialized",
                    Side.SERVER,
                    EmptyParams.class,
                    null,
                    Revision.V2024_11_05,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** A request was given up by its sender. */
    public static final Notification<CancelledNotification> CANCELLED =
            new Notification<>(
                    "notifications/cancelled",
                    Side.BOTH,
                    CancelledNotification.class,
                    null,
                    Revision.V2024_11_05);

    /** How far a request has come. */
    public static final Notification<ProgressNotification> PROGRESS =
            new Notification<>(
                    "notifications/progress",
                    Side.BOTH,
                    ProgressNotification.class,
                    null,
                    Revision.V2024_11_05);

    /** A log message. */
    public static final Notification<LoggingMessageNotification> LOGGING_MESSAGE =
            new Notification<>(
                    "notifications/message",
                    Side.CLIENT,
                    LoggingMessageNotification.class,
                    "logging",
                    Revision.V2024_11_05);

    /** The list of resources or resource templates changed. */
    public static final Notification<EmptyParams> RESOURCE_LIST_CHANGED =
            new Notification<>(
                    "notifications/resources/list_changed",
                    Side.CLIENT,
                    EmptyParams.class,
                    "resources.listChanged",
                    Revision.V2024_11_05);

    /** A watched resource changed. */
    public static final Notification<ResourceUpdatedNotification> RESOURCE_UPDATED =
            new Notification<>(
                    "notifications/resources/updated",
                    Side.CLIENT,
                    ResourceUpdatedNotification.class,
                    "resources.subscribe",
                    Revision.V2024_11_05);

    /** The list of tools changed. */
    public static final Notification<EmptyParams> TOOL_LIST_CHANGED =
            new Notification<>(
                    "notifications/tools/list_changed",
                    Side.CLIENT,
                    EmptyParams.class,
                    "tools.listChanged",
                    Revision.V2024_11_05);

    /** The list of prompts changed. */
    public static final Notification<EmptyParams> PROMPT_LIST_CHANGED =
            new Notification<>(
                    "notifications/prompts/list_changed",
                    Side.CLIENT,
                    EmptyParams.class,
                    "prompts.listChanged",
                    Revision.V2024_11_05);

    /** The roots changed. */
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

    /** A task changed. Do not rely on it: it can get lost. */
    public static final Notification<Task> TASK_STATUS =
            new Notification<>(
                    "notifications/tasks/status",
                    Side.BOTH,
                    Task.class,
                    "tasks.requests",
                    Revision.V2025_11_25,
                    Revision.NEWEST_WITH_HANDSHAKE);

    /** A subscription has begun. */
    public static final Notification<SubscriptionsAcknowledgedNotification>
            SUBSCRIPTIONS_ACKNOWLEDGED =
                    new Notification<>(
                            "notifications/subscriptions/acknowledged",
                            Side.CLIENT,
                            SubscriptionsAcknowledgedNotification.class,
                            null,
                            Revision.V2026_07_28);

    /** A task that a client listens to has changed: all of it, of the tasks extension. */
    public static final Notification<DetailedTask> TASK =
            new Notification<>(
                    "notifications/tasks",
                    Side.CLIENT,
                    DetailedTask.class,
                    null,
                    Revision.V2026_07_28);

    /** All of them. */
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
