package dev.fairlead.tasks.receiver;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.tasks.CancelTaskRequest;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.GetTaskRequest;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tasks.UpdateTaskRequest;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.engine.TaskEngine;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Answers {@code tasks/get}, {@code tasks/update} and {@code tasks/cancel} of the tasks extension,
 * for the tasks of the same engine as {@link TaskReceiver}: a task can be created by one revision
 * and read, answered and cancelled by another. Unknown, foreign, malformed and expired ids are
 * refused alike, {@code -32602}. Thread-safe.
 *
 * @spec https://modelcontextprotocol.io/extensions/tasks/overview Tasks extension
 */
public final class ExtensionReceiver {
    private final TaskEngine engine;

    ExtensionReceiver(TaskEngine engine) {
        this.engine = engine;
    }

    /**
     * Answers {@code tasks/get}: the whole task at one moment.
     *
     * @param face the form of the result or the error of the task
     */
    public DetailedTask get(Owner owner, GetTaskRequest request, WireFace face) {
        return detailed(engine.snapshot(owner, request.taskId()), face);
    }

    /**
     * Returns the task for {@code notifications/tasks}, which counts against no limit; empty for a
     * task that is unknown, foreign or expired.
     */
    public Optional<DetailedTask> find(Owner owner, TaskId id, WireFace face) {
        return engine.findSnapshot(owner, id).map(found -> detailed(found, face));
    }

    /**
     * Returns which of these tasks belong to an owner and have not expired; one operation of the
     * owner.
     *
     * @throws JsonRpcException with {@code -32000} if the owner has no operation left
     */
    public Set<TaskId> existing(Owner owner, Collection<TaskId> ids) {
        return engine.existing(owner, ids);
    }

    /** Calls an action whenever a task may have changed, until the registration is closed. */
    public TaskEngine.Registration watch(TaskId id, Runnable changed) {
        return engine.watch(id, changed);
    }

    private DetailedTask detailed(TaskSnapshot now, WireFace face) {
        Task task = TaskReceiver.task(now.task(), engine.limits().pollInterval());
        return switch (now.outcome()) {
            case TaskOutcome.Result outcome ->
                    DetailedTask.of(
                                    task.withStatus(TaskStatus.COMPLETED)
                                            .withStatusMessage(now.task().statusMessage()))
                            .withResult(
                                    NeutralForm.resultTo(
                                            face, now.task().method(), outcome.value()));
            case TaskOutcome.Error outcome -> {
                String message = now.task().statusMessage();
                yield DetailedTask.of(
                                task.withStatusMessage(
                                        message == null ? outcome.error().message() : message))
                        .withError(face.error(outcome.error()));
            }
            case null -> {
                DetailedTask alone = DetailedTask.of(task);
                yield task.status() == TaskStatus.INPUT_REQUIRED
                        ? alone.withInputRequests(inputRequests(now.questions()))
                        : alone;
            }
        };
    }

    private static Map<String, InputRequest> inputRequests(List<TaskQuestion> open) {
        Map<String, InputRequest> requests = new LinkedHashMap<>();
        for (TaskQuestion question : open) {
            requests.put(
                    question.key(), NeutralForm.inputRequest(question.method(), question.params()));
        }
        return requests;
    }

    /**
     * Answers {@code tasks/update}: takes all answers of the message, or none if one is malformed.
     * Answers to unknown and answered keys are ignored, as are those to a task that has ended.
     *
     * @throws JsonRpcException also with {@code -32602} if an entry is not an object, or not an
     *     answer to its question
     */
    public EmptyResult update(Owner owner, UpdateTaskRequest request) {
        JsonObject responses = request.inputResponses();
        engine.answer(owner, request.taskId(), open -> answers(open, responses));
        return EmptyResult.EMPTY;
    }

    private static Map<String, TaskOutcome> answers(List<TaskQuestion> open, JsonObject responses) {
        for (Map.Entry<String, JsonValue> response : responses.members().entrySet()) {
            if (!(response.getValue() instanceof JsonObject)) {
                throw malformed(response.getKey(), "it must be an object");
            }
        }
        Map<String, TaskOutcome> answers = new HashMap<>();
        for (TaskQuestion question : open) {
            JsonValue response = responses.get(question.key());
            if (response != null) {
                answers.put(question.key(), answer(question, RawJson.of(response)));
            }
        }
        return answers;
    }

    private static TaskOutcome answer(TaskQuestion question, RawJson response) {
        try {
            return new TaskOutcome.Result(
                    NeutralForm.checkedResult(question.method(), response), false);
        } catch (InvalidResultException e) {
            throw malformed(question.key(), e.getMessage());
        }
    }

    private static JsonRpcException malformed(String key, String what) {
        return JsonRpcException.invalidParams(
                "Invalid params: inputResponses."
                        + Printable.excerpt(key)
                        + " is no answer to its question: "
                        + what);
    }

    /** Answers {@code tasks/cancel}; without effect if the task has ended. */
    public EmptyResult cancel(Owner owner, CancelTaskRequest request) {
        engine.cancelIfOpen(owner, request.taskId());
        return EmptyResult.EMPTY;
    }
}
