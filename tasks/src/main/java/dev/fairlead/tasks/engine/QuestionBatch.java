package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Questions that a run asks together, with their answers as they come in. For the thread that asks.
 */
final class QuestionBatch {
    final Wake wake = new Wake();
    private final List<TaskQuestion> questions;
    private final @Nullable TaskOutcome[] answers;

    /**
     * @param first the ordinal of the first
     */
    QuestionBatch(int first, List<InputRequest> requests) {
        this.questions =
                IntStream.range(0, requests.size())
                        .mapToObj(i -> question(first + i, requests.get(i)))
                        .toList();
        this.answers = new TaskOutcome[requests.size()];
    }

    private static TaskQuestion question(int ordinal, InputRequest request) {
        String digest = QuestionDigest.of(request.method(), request.params());
        return new TaskQuestion(ordinal, digest, request.method(), request.params(), null);
    }

    List<TaskQuestion> questions() {
        return questions;
    }

    long bytes() {
        return questions.stream().mapToLong(question -> question.params().size()).sum();
    }

    /** Those without an answer. */
    List<TaskQuestion> open() {
        return IntStream.range(0, answers.length)
                .filter(i -> answers[i] == null)
                .mapToObj(questions::get)
                .toList();
    }

    boolean isOpen() {
        return Arrays.asList(answers).contains(null);
    }

    /** Whether one was answered with an error, so that the others are not needed. */
    boolean hasFailed() {
        return Arrays.stream(answers).anyMatch(TaskOutcome.Error.class::isInstance);
    }

    void answer(TaskQuestion question, TaskOutcome answer) {
        answers[questions.indexOf(question)] = answer;
    }

    /**
     * Stores the questions.
     *
     * @param offer called if any is open then
     */
    List<TaskQuestion.Asked> store(TaskStore store, TaskRun run, Runnable offer) {
        List<TaskQuestion.Asked> stored = store.ask(run, questions);
        if (stored.stream().anyMatch(TaskQuestion.Asked.Open.class::isInstance)) {
            offer.run();
        }
        return stored;
    }

    /** Reads the answers that are missing. Always true. */
    boolean read(TaskStore store, TaskRun run) {
        for (TaskQuestion question : open()) {
            store.answer(run, question.ordinal()).ifPresent(answer -> answer(question, answer));
        }
        return true;
    }

    /** All answers, once they are in. */
    List<TaskOutcome> answers() {
        return Arrays.stream(answers).map(Objects::requireNonNull).toList();
    }
}
