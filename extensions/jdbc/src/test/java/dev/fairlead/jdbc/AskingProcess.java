package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.engine.RunQuestion;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.engine.TaskWork;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A node in a process of its own, with a task that asks two questions at once. */
final class AskingProcess {
    /** Asks two questions, and gives the answer to the first. */
    static final class Work implements TaskWork {
        @Override
        public TaskOutcome run(TaskContext context) throws Exception {
            return context.ask(
                            List.of(
                                    new RunQuestion("elicitation/create", json("age")),
                                    new RunQuestion("elicitation/create", json("place"))))
                    .getFirst();
        }

        @Override
        public Optional<TaskOutcome> poll(TakenTask parked) {
            return Optional.empty();
        }
    }

    private AskingProcess() {}

    static RawJson json(String text) {
        return RawJson.parse("{\"text\":\"" + text + "\"}");
    }

    static TaskEngine open(Database database, String name) {
        Tasks tasks = JdbcTasks.on(database).operationsPerSecond(1_000_000); // tests poll
        return TaskEngine.open(tasks, name, new Work(), Timers.system(name));
    }

    /** Arguments: the database, beat and lease in milliseconds. Prints the id of its task. */
    public static void main(String[] arguments) throws Exception {
        Database database =
                NodeProcess.open(
                        arguments[0],
                        Duration.ofMillis(Long.parseLong(arguments[1])),
                        Duration.ofMillis(Long.parseLong(arguments[2])));
        TaskEngine engine = open(database, "child");
        StoredTask task =
                engine.create(
                        NodeProcess.OWNER,
                        new TaskRequest(
                                "tools/call", "ask", RawJson.EMPTY_OBJECT, null, null, true));
        engine.begin(task, null);
        await().until(() -> engine.snapshot(NodeProcess.OWNER, task.id()).questions().size() == 2);
        System.out.println(task.id().value());
        Thread.currentThread().join(); // until it is killed
    }
}
