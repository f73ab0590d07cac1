package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.time.Timers;
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
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What happens while a task is being stored. */
class CreationTest {
    private static final TaskWork WORK =
            new TaskWork() {
                @Override
                public TaskOutcome run(TaskContext context) {
                    return Bench.DONE;
                }

                @Override
                public Optional<TaskOutcome> poll(TakenTask parked) {
                    return Optional.empty();
                }
            };

    /** Signals that may be lost, as those of several nodes. */
    private static final class LossySignals implements TaskSignals {
        private volatile Listener listener;

        @Override
        public void open(Listener hearing) {
            listener = hearing;
        }

        @Override
        public void changed(TaskId id) {
            listener.changed(id);
        }

        @Override
        public void close() {}
    }

    /** A store in which everything is looked after once more before a task is there. */
    private static TaskStore slow(TaskStore real, LossySignals signals) {
        CountDownLatch looked = new CountDownLatch(1);
        return (TaskStore)
                Proxy.newProxyInstance(
                        TaskStore.class.getClassLoader(),
                        new Class<?>[] {TaskStore.class},
                        (proxy, method, args) -> {
                            if (method.getName().equals("create")) {
                                signals.listener.anyChanged();
                                assertThat(looked.await(10, TimeUnit.SECONDS)).isTrue();
                            }
                            try {
                                return method.invoke(real, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            } finally {
                                if (method.getName().equals("find")) {
                                    looked.countDown();
                                }
                            }
                        });
    }

    @Test
    void aTaskThatIsBeingStoredIsNotTakenForOneThatIsGone() throws Exception {
        LossySignals signals = new LossySignals();
        TaskStore store = slow(Tasks.inMemory().parts().store(), signals);
        Tasks tasks = Tasks.on(store, TaskExecutor.virtualThreads(), signals);
        try (Timers timers = Timers.system("creation-test");
                TaskEngine engine = TaskEngine.open(tasks, "test", WORK, timers)) {
            StoredTask task = engine.create(Bench.OWNER, Bench.request());
            engine.begin(task, null);

            assertThat(engine.await(Bench.OWNER, task.id(), Requestor.stream()))
                    .isEqualTo(Bench.DONE);
        }
    }
}
