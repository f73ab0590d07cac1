package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.tasks.AnsweredQuestion;
import dev.fairlead.tasks.TaskOutcome;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A request to run as a task.
 *
 * @param method the method of the request, such as {@code tools/call}
 * @param name the name of the item, such as the tool; empty where the method needs none
 * @param origin all that a run needs, see {@link dev.fairlead.tasks.NewTask}
 * @param progressToken under which its requestor wants progress; null for none
 * @param ttl the time to live that the requestor wishes; null where it asks for none
 * @param answers the questions that the requestor has answered already, in the order in which the
 *     work asks
 * @param values the recorded values, by key; see {@link TaskContext#once}
 * @param peer identifies an anonymous requestor in all its sessions; null if nothing does
 */
public record TaskRequest(
        String method,
        String name,
        RawJson origin,
        @Nullable ProgressToken progressToken,
        @Nullable Duration ttl,
        boolean rerunnable,
        List<Answered> answers,
        Map<String, RawJson> values,
        @Nullable Object peer) {
    /** A question that the requestor has answered before its request became a task. */
    public record Answered(RunQuestion request, TaskOutcome answer) {
        public Answered {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(answer, "answer");
        }
    }

    public TaskRequest {
        answers = List.copyOf(answers);
        values = Map.copyOf(values);
    }

    /** Creates a request without answers. */
    public TaskRequest(
            String method,
            String name,
            RawJson origin,
            @Nullable ProgressToken progressToken,
            @Nullable Duration ttl,
            boolean rerunnable) {
        this(method, name, origin, progressToken, ttl, rerunnable, List.of(), Map.of(), null);
    }

    /** Returns the answers in the form of the store. */
    List<AnsweredQuestion> answeredQuestions() {
        return answers.stream().map(TaskRequest::stored).toList();
    }

    private static AnsweredQuestion stored(Answered answered) {
        RunQuestion asked = answered.request();
        return new AnsweredQuestion(asked.digest(), asked.method(), answered.answer());
    }

    /** Returns the time to live that a request asks for; null for none. */
    public static @Nullable Duration ttl(@Nullable TaskMetadata asked) {
        Long millis = asked == null ? null : asked.ttl();
        return millis == null ? null : Duration.ofMillis(millis);
    }
}
