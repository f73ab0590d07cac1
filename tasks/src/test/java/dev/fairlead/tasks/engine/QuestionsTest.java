package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;

/** What a task asks its requestor, and the ways that a question takes. */
class QuestionsTest {
    private static final RawJson QUESTION = RawJson.parse("{\"message\":\"Go on?\"}");

    private static TaskOutcome ask(TaskContext context) throws InterruptedException {
        return context.ask("elicitation/create", QUESTION);
    }

    @Test
    @Requirement("TASK-055")
    @Requirement("TASK-058")
    void aTaskNeedsInputUntilItsQuestionIsAnswered() throws Exception {
        try (Bench bench = new Bench(QuestionsTest::ask)) {
            TaskId id = bench.start();
            bench.untilState(id, TaskState.INPUT_REQUIRED);
            Requestor stream = Requestor.stream();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);

            Requestor.Asked asked = stream.next();
            assertThat(asked.params).isEqualTo(QUESTION);
            asked.answer("{\"action\":\"accept\"}");

            assertThat(Bench.text(Bench.get(waiting))).isEqualTo("{\"action\":\"accept\"}");
        }
    }
}
