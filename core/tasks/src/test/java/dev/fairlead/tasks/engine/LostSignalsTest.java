package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A node whose connection for signals was lost, so that any of its tasks may have changed. */
class LostSignalsTest {
    private static final int TASKS = 20;
    private static final int ROUNDS = 20;

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger finds = new AtomicInteger();
    private final AtomicInteger compared = new AtomicInteger();
    private final Set<TaskId> found = ConcurrentHashMap.newKeySet();
    private final TaskStore real = Tasks.inMemory().parts().store();
    private volatile TaskSignals.Listener listener;

    /** Signals of several nodes, none of which arrives. */
    private final class NoSignals implements TaskSignals {
        @Override
        public void open(Listener opened) {
            listener = opened;
        }

        @Override
        public void changed(TaskId id) {}

        @Override
        public void close() {}
    }

    private final class Waiting implements TaskWork {
        @Override
        public TaskOutcome run(TaskContext context) throws InterruptedException {
            end.await();
            return Bench.DONE;
        }

        @Override
        public Optional<TaskOutcome> poll(TakenTask parked) {
            return Optional.empty();
        }
    }

    private TaskStore counted() {
        return (TaskStore)
                Proxy.newProxyInstance(
                        TaskStore.class.getClassLoader(),
                        new Class<?>[] {TaskStore.class},
                        (proxy, method, arguments) -> {
                            try {
                                return method.getName().equals("versions")
                                        ? versions((Collection<?>) arguments[0])
                                        : method.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            } finally {
                                count(method.getName(), arguments);
                            }
                        });
    }

    /** A store in memory has none, since its signals are reliable. */
    private Map<TaskId, String> versions(Collection<?> ids) {
        return ids.stream()
                .map(id -> real.find(Bench.OWNER, (TaskId) id).orElseThrow())
                .collect(Collectors.toMap(StoredTask::id, StoredTask::toString));
    }

    private void count(String method, Object[] arguments) {
        if (method.equals("find")) {
            finds.incrementAndGet();
            found.add((TaskId) arguments[1]);
        } else if (method.equals("versions")) {
            compared.addAndGet(((Collection<?>) arguments[0]).size());
        }
    }

    private void lose() {
        int before = compared.get();
        listener.anyChanged();
        Bench.until(() -> compared.get() >= before + TASKS);
    }

    /** Each look at a task is a statement for which all requests of that moment would wait. */
    @Test
    void onlyTasksWithAnotherVersionAreLookedAt() {
        Tasks tasks = Tasks.on(counted(), TaskExecutor.virtualThreads(), new NoSignals());
        try (TaskEngine engine =
                TaskEngine.open(tasks, "test", new Waiting(), new ManualTimers())) {
            List<StoredTask> begun =
                    IntStream.range(0, TASKS)
                            .mapToObj(i -> engine.create(Bench.OWNER, Bench.request()))
                            .toList();
            begun.forEach(task -> engine.begin(task, null));
            found.clear();
            lose(); // versions are not known before
            Set<TaskId> all = new HashSet<>(begun.stream().map(StoredTask::id).toList());
            Bench.until(() -> found.containsAll(all));

            int before = finds.get();
            for (int i = 0; i < ROUNDS; i++) {
                lose();
            }
            StoredTask changed = begun.getFirst();
            found.clear();
            assertThat(real.update(changed.key(), "changed", null)).isTrue();
            lose();
            Bench.until(() -> found.contains(changed.id()));
            assertThat(finds.get() - before).isLessThan(ROUNDS * TASKS / 2);
            end.countDown();
        }
    }
}
