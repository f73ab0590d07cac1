package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.base.MetaKey;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * The task of a message in its {@code _meta}: {@code "io.modelcontextprotocol/related-task":
 * {"taskId": …}}.
 */
public final class RelatedTask {
    private static final String TASK_ID = "taskId";

    private RelatedTask() {}

    /** Returns the same {@code _meta} with this task in place of any other. */
    public static JsonObject add(@Nullable JsonObject meta, TaskId task) {
        JsonObject known = meta == null ? JsonObject.EMPTY : meta;
        return known.with(MetaKey.RELATED_TASK, JsonObject.of(TASK_ID, task.value()));
    }

    /** Returns the {@code _meta} without a task; null if nothing else is left. */
    public static @Nullable JsonObject remove(@Nullable JsonObject meta) {
        JsonObject rest = meta == null ? JsonObject.EMPTY : meta.without(MetaKey.RELATED_TASK);
        return rest.isEmpty() ? null : rest;
    }

    /** Returns the task; empty for none, or a malformed one. */
    public static Optional<TaskId> of(@Nullable JsonObject meta) {
        return meta != null
                        && meta.get(MetaKey.RELATED_TASK) instanceof JsonObject related
                        && related.get(TASK_ID) instanceof JsonString id
                ? Optional.of(new TaskId(id.value()))
                : Optional.empty();
    }
}
