package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.LocalTaskSignals;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Events while a task is being stored. */
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
                                assertThat(looked.await(60, TimeUnit.SECONDS)).isTrue();
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

    /** An event while a store stores a task. */
    private interface Meanwhile {
        void happens(TaskNode node);
    }

    private static TaskStore store(Meanwhile meanwhile) {
        TaskStore real = Tasks.inMemory().parts().store();
        AtomicReference<TaskNode> node = new AtomicReference<>();
        return (TaskStore)
                Proxy.newProxyInstance(
                        TaskStore.class.getClassLoader(),
                        new Class<?>[] {TaskStore.class},
                        (proxy, method, args) -> {
                            if (method.getName().equals("open")) {
                                node.set((TaskNode) args[0]);
                            } else if (method.getName().equals("create")) {
                                meanwhile.happens(node.get());
                            }
                            return method.invoke(real, args);
                        });
    }

    @Test
    void aNodeThatIsDeclaredDeadWhileItStoresATaskRunsIt() throws Exception {
        Tasks tasks =
                Tasks.on(
                        store(TaskNode::fenced),
                        TaskExecutor.virtualThreads(),
                        new LocalTaskSignals());
        try (Timers timers = Timers.system("creation-test");
                TaskEngine engine = TaskEngine.open(tasks, "test", WORK, timers)) {
            StoredTask task = engine.create(Bench.OWNER, Bench.request());
            engine.begin(task, null);

            CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
            Thread.startVirtualThread(() -> outcome.complete(await(engine, task)));
            assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(Bench.DONE);
        }
    }

    private static TaskOutcome await(TaskEngine engine, StoredTask task) {
        try {
            return engine.await(Bench.OWNER, task.id(), Requestor.stream());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCreationThatFailsUnexpectedlyGivesItsPlaceBack() {
        AtomicBoolean broken = new AtomicBoolean(true);
        TaskStore store =
                store(
                        node -> {
                            if (broken.get()) {
                                throw new IllegalStateException("a bug of the store");
                            }
                        });
        Tasks tasks =
                Tasks.on(store, TaskExecutor.virtualThreads(), new LocalTaskSignals())
                        .maxRunning(1);
        try (Timers timers = Timers.system("creation-test");
                TaskEngine engine = TaskEngine.open(tasks, "test", WORK, timers)) {
            assertThatThrownBy(() -> engine.create(Bench.OWNER, Bench.request()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("a bug of the store");
            broken.set(false);
            Bench.until(() -> engine.gauges().running() == 0);

            engine.create(Bench.OWNER, Bench.request());
        }
    }

    /** Fails otherwise than by a refusal, before or after the run; or has no thread. */
    private static TaskExecutor failing(AtomicBoolean broken, boolean runs, Throwable failure) {
        return (task, run) -> {
            if (!broken.getAndSet(false)) {
                Thread.startVirtualThread(run);
                return;
            }
            if (runs) {
                run.run();
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anExecutorThatFailsUnexpectedlyGivesThePlaceBackOnce(boolean runs) throws Exception {
        for (Throwable failure :
                List.of(
                        new IllegalStateException("a bug of the executor"),
                        new OutOfMemoryError("unable to create native thread"))) {
            AtomicBoolean broken = new AtomicBoolean(true);
            Tasks tasks =
                    Tasks.on(
                                    Tasks.inMemory().parts().store(),
                                    failing(broken, runs, failure),
                                    new LocalTaskSignals())
                            .maxRunning(1);
            try (Timers timers = Timers.system("creation-test");
                    TaskEngine engine = TaskEngine.open(tasks, "test", WORK, timers)) {
                StoredTask task = engine.create(Bench.OWNER, Bench.request());
                engine.begin(task, null);
                TaskOutcome outcome = await(engine, task);
                if (runs) {
                    assertThat(outcome).isEqualTo(Bench.DONE);
                } else {
                    assertThat(outcome).isInstanceOf(TaskOutcome.Error.class);
                }
                Bench.until(() -> engine.gauges().running() == 0);

                engine.create(Bench.OWNER, Bench.request());
                assertThatThrownBy(() -> engine.create(Bench.OWNER, Bench.request()))
                        .hasMessageContaining("at most 1 may run");
            }
        }
    }

    /** Signals that know whether they are closed. */
    private static final class ClosedSignals implements TaskSignals {
        private volatile boolean closed;

        @Override
        public void open(Listener hearing) {}

        @Override
        public void changed(TaskId id) {}

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void anEngineWhoseStoreDoesNotOpenClosesItsSignals() {
        TaskStore opened = Tasks.inMemory().parts().store();
        ClosedSignals signals = new ClosedSignals();
        Tasks tasks = Tasks.on(opened, TaskExecutor.virtualThreads(), signals);
        try (Timers timers = Timers.system("creation-test");
                TaskEngine first = TaskEngine.open(tasks, "first", WORK, timers)) {
            assertThatThrownBy(() -> TaskEngine.open(tasks, "second", WORK, timers))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(signals.closed).isTrue();
            assertThat(first.gauges().running()).isZero();
        }
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
