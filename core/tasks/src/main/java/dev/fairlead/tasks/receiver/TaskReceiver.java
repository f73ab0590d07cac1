package dev.fairlead.tasks.receiver;

import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.GetTaskPayloadRequest;
import dev.fairlead.protocol.tasks.GetTaskPayloadResult;
import dev.fairlead.protocol.tasks.GetTaskRequest;
import dev.fairlead.protocol.tasks.ListTasksResult;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.engine.TaskCarrier;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskWork;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Answers {@code tasks/get}, {@code tasks/result}, {@code tasks/list} and {@code tasks/cancel} for
 * one side, with the data of an engine. Fails as {@link TaskEngine} does. Thread-safe.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks Tasks
 */
public final class TaskReceiver implements AutoCloseable {
    private final TaskEngine engine;
    private final ExtensionReceiver extension;

    private TaskReceiver(TaskEngine engine) {
        this.engine = engine;
        this.extension = new ExtensionReceiver(engine);
    }

    /** Opens an engine, as {@link TaskEngine#open} does: it may run tasks of dead processes. */
    public static TaskReceiver open(Tasks settings, String name, TaskWork work, Timers timers) {
        return new TaskReceiver(TaskEngine.open(settings, name, work, timers));
    }

    /** Returns the engine of the tasks. */
    public TaskEngine engine() {
        return engine;
    }

    /** Returns the receiver for the same tasks by the methods of the tasks extension. */
    public ExtensionReceiver extension() {
        return extension;
    }

    /** Stops all handlers, as {@link TaskEngine#close} does. */
    @Override
    public void close() {
        engine.close();
    }

    /** Returns whether a side with this capability answers a method. */
    public static boolean serves(TasksCapability declared, String method) {
        if (method.equals(Methods.LIST_TASKS.name())) {
            return declared.lists();
        }
        if (method.equals(Methods.CANCEL_TASK.name())) {
            return declared.cancels();
        }
        return declared.takesAny();
    }

    /**
     * Returns the answer to a request that became a task, with the related-task metadata.
     *
     * @param immediateResponse a text for the model until the task ends; null for none
     */
    public CreateTaskResult created(StoredTask task, @Nullable String immediateResponse) {
        return new CreateTaskResult(task(task))
                .withMeta(RelatedTask.add(null, task.id()))
                .withImmediateResponse(immediateResponse);
    }

    /**
     * Answers {@code tasks/get}.
     *
     * @param requestor the session that asks; null where nothing can be sent to it later
     */
    public Task get(Owner owner, GetTaskRequest request, @Nullable TaskCarrier requestor) {
        return task(engine.find(owner, request.taskId(), requestor));
    }

    /**
     * Answers {@code tasks/result}: waits for the end of the task and returns exactly the result of
     * the plain request, with the related-task metadata.
     *
     * @param stream the stream of this request, on which the task sends requests and notifications
     *     meanwhile
     * @throws JsonRpcException also if the task ended with an error, which is passed on as it is
     */
    public GetTaskPayloadResult result(
            Owner owner, GetTaskPayloadRequest request, TaskCarrier stream)
            throws InterruptedException {
        return switch (engine.await(owner, request.taskId(), stream)) {
            case TaskOutcome.Result outcome -> {
                GetTaskPayloadResult plain = GetTaskPayloadResult.of(outcome.value());
                yield plain.withMeta(RelatedTask.add(plain.meta(), request.taskId()));
            }
            case TaskOutcome.Error outcome -> throw new JsonRpcException(outcome.error(), null);
        };
    }

    /**
     * Takes the response to a question that another process has asked in the same session.
     *
     * @param name that of the {@linkplain TaskCarrier.Prepared request}
     * @return false if it answers no open question of a task
     */
    public boolean answer(Owner owner, String name, WireFace face, JsonRpcMessage response) {
        return engine.answerDelivered(
                owner,
                name,
                question ->
                        switch (response) {
                            case JsonRpcErrorResponse error -> new TaskOutcome.Error(error.error());
                            case JsonRpcResponse answer ->
                                    PeerCarrier.answer(face, question.method(), answer.result());
                            default -> throw new IllegalArgumentException("not a response");
                        });
    }

    /** Answers {@code tasks/list}. */
    public ListTasksResult list(Owner owner, PaginatedRequest request) {
        TaskPage page = engine.list(owner, request.cursor());
        return new ListTasksResult(page.tasks().stream().map(this::task).toList(), page.next());
    }

    /** Answers {@code tasks/cancel}. */
    public Task cancel(Owner owner, CancelTaskRequest request) {
        return task(engine.cancel(owner, request.taskId()));
    }

    private Task task(StoredTask task) {
        return task(task, engine.limits().pollInterval());
    }

    /** Returns a task in the form of the wire, without related-task metadata. */
    static Task task(StoredTask task, Duration pollInterval) {
        return new Task(task.id(), status(task.state()), task.createdAt(), task.lastUpdatedAt())
                .withStatusMessage(message(task))
                .withTtl(task.ttl().toMillis())
                .withPollInterval(pollInterval.toMillis());
    }

    private static TaskStatus status(TaskState state) {
        return switch (state) {
            case WORKING -> TaskStatus.WORKING;
            case INPUT_REQUIRED -> TaskStatus.INPUT_REQUIRED;
            case RESULT -> TaskStatus.COMPLETED;
            case FAILURE, ERROR, EXPIRED -> TaskStatus.FAILED;
            case CANCELLED -> TaskStatus.CANCELLED;
        };
    }

    /** Returns the status message; a failed task always has one. */
    private static @Nullable String message(StoredTask task) {
        boolean failed = status(task.state()) == TaskStatus.FAILED;
        return failed && task.statusMessage() == null
                ? "The task failed: tasks/result has the error"
                : task.statusMessage();
    }
}
