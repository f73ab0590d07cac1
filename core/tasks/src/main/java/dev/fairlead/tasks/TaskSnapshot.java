package dev.fairlead.tasks;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A task, its open questions and its outcome, as they stood at the same moment.
 *
 * @param questions in the order of their ordinals; empty unless the task is {@link
 *     TaskState#INPUT_REQUIRED}
 * @param outcome null unless the task has ended with a result or an error, and has not expired
 */
public record TaskSnapshot(
        StoredTask task, List<TaskQuestion> questions, @Nullable TaskOutcome outcome) {
    public TaskSnapshot {
        questions = List.copyOf(questions);
    }
}
