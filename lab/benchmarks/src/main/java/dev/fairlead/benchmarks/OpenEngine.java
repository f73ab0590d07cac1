package dev.fairlead.benchmarks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.engine.TaskWork;

import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** An engine of tasks with its store. */
final class OpenEngine implements AutoCloseable {
    /** What a tool of some size is given and gives. */
    static final RawJson ORIGIN =
            RawJson.parse("{\"arguments\":{\"text\":\"%s\"}}".formatted("x".repeat(200)));

    static final TaskOutcome RESULT =
            new TaskOutcome.Result(
                    RawJson.parse(
                            "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}"
                                    .formatted("y".repeat(200))),
                    false);

    private static final TaskRequest REQUEST =
            new TaskRequest("tools/call", "work", ORIGIN, null, null, true);

    private final OpenStore store;
    private final Timers timers = Timers.system("benchmark-timers");
    private final TaskEngine engine;

    /** The work of tasks. */
    @FunctionalInterface
    interface Body {
        TaskOutcome run(TaskContext context) throws Exception;
    }

    OpenEngine(String url, Body body) {
        this(url, body, tasks -> tasks);
    }

    OpenEngine(String url, Body body, UnaryOperator<Tasks> options) {
        store = new OpenStore(url);
        engine = TaskEngine.open(options.apply(store.tasks()), "benchmark", work(body), timers);
    }

    private static TaskWork work(Body body) {
        return new TaskWork() {
            @Override
            public TaskOutcome run(TaskContext context) throws Exception {
                return body.run(context);
            }

            @Override
            public Optional<TaskOutcome> poll(TakenTask parked) {
                return Optional.empty();
            }
        };
    }

    OpenStore store() {
        return store;
    }

    TaskEngine engine() {
        return engine;
    }

    /** Creates a task and begins it, as a server does. */
    TaskId start(Owner owner) {
        StoredTask task = engine.create(owner, REQUEST);
        engine.begin(task, null);
        return task.id();
    }

    TaskOutcome await(Owner owner, TaskId id) throws InterruptedException {
        return engine.await(owner, id, new SilentStream());
    }

    /** Has so many callers wait, or more. */
    void untilWaiting(int callers) {
        Pauses.until(Duration.ofSeconds(60), () -> engine.gauges().waitingCallers() >= callers);
    }

    @Override
    public void close() {
        engine.close();
        store.close();
        timers.close();
    }
}
