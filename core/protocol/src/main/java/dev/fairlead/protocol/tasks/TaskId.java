package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonInline;

import java.util.Objects;

/**
 * The name of a task, chosen by the side that runs it and unique among the tasks of that side. On
 * the wire it is a plain string. Where tasks have no owner, every caller that knows the id can
 * access the task.
 *
 * @param value any string
 */
@JsonInline
public record TaskId(String value) {
    public TaskId {
        Objects.requireNonNull(value, "value");
    }

    /** Returns the value. */
    @Override
    public String toString() {
        return value;
    }
}
