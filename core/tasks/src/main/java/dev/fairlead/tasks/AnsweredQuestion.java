package dev.fairlead.tasks;

import java.util.Objects;

/**
 * A question that its requestor answered before the task was created.
 *
 * @param digest as in {@link TaskQuestion}
 * @param method such as {@code elicitation/create}
 */
public record AnsweredQuestion(String digest, String method, TaskOutcome answer) {
    public AnsweredQuestion {
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(answer, "answer");
    }
}
