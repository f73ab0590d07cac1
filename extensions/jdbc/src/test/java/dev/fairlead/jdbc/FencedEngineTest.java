package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.engine.TaskWork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

@Tag("proof")
class FencedEngineTest {
    private static final TaskOutcome DONE = new TaskOutcome.Result(RawJson.EMPTY_OBJECT, false);

    /** The node finds out that it was declared dead when it stores the task. */
    @Test
    void aTaskThatANodeCreatesAfterItWasDeclaredDeadRuns() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        TaskWork work =
                new TaskWork() {
                    @Override
                    public TaskOutcome run(TaskContext context) {
                        ran.countDown();
                        return DONE;
                    }

                    @Override
                    public Optional<TaskOutcome> poll(TakenTask parked) {
                        return Optional.empty();
                    }
                };
        try (Database database = TestPostgres.open(TestPostgres.database());
                Timers timers = Timers.system("test-timers");
                TaskEngine engine = TaskEngine.open(JdbcTasks.on(database), "node", work, timers)) {
            database.engine().write(s -> s.update("update mcp_node set died = 1"));

            StoredTask task =
                    engine.create(
                            NodeProcess.OWNER,
                            new TaskRequest(
                                    "tools/call", "t", RawJson.EMPTY_OBJECT, null, null, true));
            engine.begin(task, null);

            assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
