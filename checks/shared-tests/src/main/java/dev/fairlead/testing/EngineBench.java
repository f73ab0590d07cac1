package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.tasks.engine.TaskCarrier;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.engine.TaskRequest;
import dev.fairlead.tasks.engine.TaskWork;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** An engine under test, with the work of its tasks, and a store that can fail. */
final class EngineBench implements AutoCloseable {
    static final Owner OWNER = new Owner.Local("contract");

    final FailingTaskStore failing;
    final List<TaskEvent> events = new CopyOnWriteArrayList<>();
    final TaskEngine engine;
    volatile Polling polling = parked -> Optional.empty();

    private final @Nullable ManualTimers clock;

    /** The work of a task. */
    interface Body {
        TaskOutcome run(TaskContext context) throws Exception;
    }

    /** How the outside jobs of parked tasks are looked after. */
    interface Polling {
        Optional<TaskOutcome> poll(TakenTask parked) throws Exception;
    }

    /**
     * Opens an engine.
     *
     * @param clock null to go by the system's
     */
    EngineBench(
            TaskStore store,
            TaskSignals signals,
            Body body,
            UnaryOperator<Tasks> options,
            @Nullable ManualTimers clock) {
        this.clock = clock;
        failing = new FailingTaskStore(store);
        Tasks tasks =
                Tasks.on(failing.store(), TaskExecutor.virtualThreads(), signals)
                        .operationsPerSecond(1_000_000)
                        .maxPerOwner(10_000)
                        .onEvent(events::add);
        TaskWork work =
                new TaskWork() {
                    @Override
                    public TaskOutcome run(TaskContext context) throws Exception {
                        return body.run(context);
                    }

                    @Override
                    public Optional<TaskOutcome> poll(TakenTask parked) throws Exception {
                        return polling.poll(parked);
                    }
                };
        Timers timers = clock == null ? Timers.system("contract-timers") : clock;
        engine = TaskEngine.open(options.apply(tasks), "contract", work, timers);
    }

    // ---- time

    /** Waits until something is so, while time goes by. */
    void eventually(BooleanSupplier condition) {
        RealTime.until(
                () -> {
                    if (condition.getAsBoolean()) {
                        return true;
                    }
                    if (clock != null) {
                        clock.advance(Duration.ofMillis(20));
                    }
                    return false;
                });
    }

    // ---- tasks

    /** A task that has begun. */
    TaskId start() {
        return start(true, null);
    }

    TaskId start(boolean rerunnable, @Nullable Duration ttl) {
        StoredTask task = engine.create(OWNER, request(rerunnable, ttl));
        engine.begin(task, null);
        return task.id();
    }

    static TaskRequest request(boolean rerunnable, @Nullable Duration ttl) {
        RawJson origin = TaskStoreTests.json("origin");
        return new TaskRequest("tools/call", "report", origin, null, ttl, rerunnable);
    }

    StoredTask find(TaskId id) {
        return engine.find(OWNER, id, null);
    }

    TaskState state(TaskId id) {
        return find(id).state();
    }

    /** Returns the outcome of a task, as soon as it has ended. */
    TaskOutcome outcome(TaskId id) throws Exception {
        return outcome(awaiting(id, ScriptedCarrier.stream()));
    }

    /** The outcome for a caller that waits for a task on a thread of its own. */
    @CheckReturnValue
    FutureTask<TaskOutcome> awaiting(TaskId id, TaskCarrier stream) {
        int before = engine.gauges().waitingCallers();
        FutureTask<TaskOutcome> waiting = new FutureTask<>(() -> engine.await(OWNER, id, stream));
        Thread.ofVirtual().name("contract-waiting").start(waiting);
        eventually(() -> waiting.isDone() || engine.gauges().waitingCallers() > before);
        return waiting;
    }

    TaskOutcome outcome(FutureTask<TaskOutcome> waiting) throws Exception {
        eventually(waiting::isDone);
        return waiting.get();
    }

    /** Returns the refusal of a waiting caller. */
    JsonRpcException refusal(FutureTask<TaskOutcome> waiting) {
        eventually(waiting::isDone);
        ExecutionException failed = assertThrows(ExecutionException.class, waiting::get);
        return assertInstanceOf(JsonRpcException.class, failed.getCause());
    }

    static void assertRefused(int code, String message, Executable call) {
        JsonRpcException refused = assertThrows(JsonRpcException.class, call);
        assertEquals(message, refused.getMessage());
        assertEquals(code, refused.code());
    }

    long count(TaskEvent.Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).count();
    }

    @Override
    public void close() {
        failing.recover();
        engine.close();
    }
}
