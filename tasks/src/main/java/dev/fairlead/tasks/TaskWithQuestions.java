package dev.fairlead.tasks;

import java.util.List;

/**
 * A task and its open questions, as they stood at the same moment.
 *
 * @param questions in the order of their ordinals; empty unless the task is {@link
 *     TaskState#INPUT_REQUIRED}
 */
public record TaskWithQuestions(StoredTask task, List<TaskQuestion> questions) {
    public TaskWithQuestions {
        questions = List.copyOf(questions);
    }
}
