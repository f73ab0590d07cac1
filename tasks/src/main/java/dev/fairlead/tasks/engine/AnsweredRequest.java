package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskOutcome;

import java.util.Objects;

/** Something that the requestor was asked and has answered before its request became a task. */
public record AnsweredRequest(InputRequest request, TaskOutcome answer) {
    public AnsweredRequest {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(answer, "answer");
    }
}
