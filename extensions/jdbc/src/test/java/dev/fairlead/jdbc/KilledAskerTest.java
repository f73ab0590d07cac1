package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A process is killed while two questions of a task are open; the next one takes the answers. */
class KilledAskerTest {
    private static final Duration BEAT = Duration.ofMillis(200);
    private static final Duration LEASE = Duration.ofSeconds(5);

    @TempDir Path folder;

    String database() {
        return folder.resolve("tasks.db").toString();
    }

    @Test
    void theOpenQuestionsOfAKilledProcessAreAnsweredByTheNext() throws Exception {
        String url = database();
        TaskId id;
        try (ChildProcess child =
                ChildProcess.start(
                        ChildJvm.command(
                                AskingProcess.class,
                                url,
                                Long.toString(BEAT.toMillis()),
                                Long.toString(LEASE.toMillis())))) {
            id = new TaskId(child.line().orElseThrow());
            child.kill();
        }
        try (Database database = NodeProcess.open(url, BEAT, LEASE);
                TaskEngine engine = AskingProcess.open(database, "next")) {
            await().until(() -> engine.find(OWNER, id, null).run() == 2);
            assertThat(keys(engine, id)).containsExactly("q1", "q2");

            engine.answer(OWNER, id, Map.of("q2", answer("Rome")));
            assertThat(keys(engine, id)).containsExactly("q1");
            engine.answer(OWNER, id, Map.of("q1", answer("30"), "q2", answer("late")));

            await().until(() -> engine.find(OWNER, id, null).state() == TaskState.RESULT);
        }
        try (Database database = NodeProcess.open(url, BEAT, LEASE);
                TaskEngine engine = AskingProcess.open(database, "reader")) {
            assertThat(keys(engine, id)).isEmpty();
            assertThat(engine.find(OWNER, id, null).run()).isEqualTo(2);
        }
    }

    private static List<String> keys(TaskEngine engine, TaskId id) {
        return engine.snapshot(OWNER, id).questions().stream().map(TaskQuestion::key).toList();
    }

    private static TaskOutcome answer(String text) {
        return new TaskOutcome.Result(AskingProcess.json(text), false);
    }
}
