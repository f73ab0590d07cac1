package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.engine.TaskWork;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The cost of a task while it waits for a person. */
class WaitingReadsTest {
    private static final int TASKS = 30;
    private static final int SECONDS = 300;

    @TempDir Path folder;
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    private int calls(String method) {
        return calls.computeIfAbsent(method, name -> new AtomicInteger()).get();
    }

    private TaskStore counting(TaskStore store) {
        return (TaskStore)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {TaskStore.class},
                        (proxy, method, arguments) -> {
                            calls(method.getName());
                            calls.get(method.getName()).incrementAndGet();
                            try {
                                return method.invoke(store, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    /** Asks, and waits for an answer that nobody gives. */
    private static final class Asking implements TaskWork {
        @Override
        public TaskOutcome run(TaskContext context) throws Exception {
            return context.ask("elicitation/create", RawJson.EMPTY_OBJECT);
        }

        @Override
        public Optional<TaskOutcome> poll(TakenTask parked) {
            return Optional.empty();
        }
    }

    @Test
    void aTaskThatWaitsIsNotReadAgainUnlessItHasChanged() throws Exception {
        try (Database database = Database.sqlite(folder.resolve("tasks.db"));
                ManualTimers timers = new ManualTimers()) {
            Tasks.Parts parts = JdbcTasks.on(database).parts();
            Tasks tasks =
                    Tasks.on(
                            () ->
                                    new Tasks.Parts(
                                            counting(parts.store()),
                                            parts.executor(),
                                            parts.signals()));
            try (TaskEngine engine = TaskEngine.open(tasks, "node", new Asking(), timers)) {
                for (int i = 0; i < TASKS; i++) {
                    begin(engine);
                }
                await().until(() -> calls("ask") >= TASKS && calls("answer") >= TASKS);

                for (int second = 1; second <= SECONDS; second++) {
                    timers.advance(Duration.ofSeconds(1));
                    int rounds = second / 30; // in each, every task has its turn
                    await().until(() -> calls("versions") >= rounds);
                }

                assertThat(calls("versions")).isLessThanOrEqualTo(SECONDS);
                assertThat(calls("find")).isLessThanOrEqualTo(3 * TASKS);
                assertThat(calls("questions")).isLessThanOrEqualTo(3 * TASKS);
                assertThat(calls("answer")).isLessThanOrEqualTo(3 * TASKS);
            }
        }
    }

    private static void begin(TaskEngine engine) throws Exception {
        StoredTask task =
                engine.create(
                        NodeProcess.OWNER,
                        new TaskRequest(
                                "tools/call", "ask", RawJson.EMPTY_OBJECT, null, null, true));
        engine.begin(task, null);
    }
}
