package dev.fairlead.tasks.engine;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.tasks.LocalTaskSignals;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.Awaiting;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** An engine over a store in memory, with a clock that the test moves. */
final class Bench implements AutoCloseable {
    static final Owner OWNER = new Owner.Local();
    static final TaskOutcome DONE = result("{\"done\":true}");

    final ManualTimers timers = new ManualTimers();
    final FaultyStore faults = new FaultyStore(Tasks.inMemory().parts().store());
    final List<TaskEvent> events = new CopyOnWriteArrayList<>();
    final TaskEngine engine;
    volatile Polling polling = parked -> Optional.empty();

    /** The work of the tasks. */
    interface Body {
        TaskOutcome run(TaskContext context) throws Exception;
    }

    /** Looks after outside jobs. */
    interface Polling {
        Optional<TaskOutcome> poll(TakenTask parked) throws Exception;
    }

    Bench(Body body) {
        this(body, tasks -> tasks);
    }

    Bench(Body body, UnaryOperator<Tasks> options) {
        this(body, options, new LocalTaskSignals());
    }

    /** All signals are lost. */
    static Bench withoutSignals(Body body) {
        return new Bench(body, tasks -> tasks, new NoSignals());
    }

    private static final class NoSignals implements TaskSignals {
        @Override
        public void open(Listener listener) {}

        @Override
        public void changed(TaskId id) {}

        @Override
        public void close() {}
    }

    private Bench(Body body, UnaryOperator<Tasks> options, TaskSignals signals) {
        Tasks tasks =
                Tasks.on(faults.store(), TaskExecutor.virtualThreads(), signals)
                        .operationsPerSecond(1_000_000)
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
        engine = TaskEngine.open(options.apply(tasks), "bench", work, timers);
    }

    TaskNode node() {
        return faults.node();
    }

    static TaskOutcome result(String json) {
        return new TaskOutcome.Result(RawJson.parse(json), false);
    }

    /** The result that a task or a person gave. */
    static String text(TaskOutcome outcome) {
        return ((TaskOutcome.Result) outcome).value().toJson();
    }

    static TaskRequest request() {
        return request(null);
    }

    static TaskRequest request(@Nullable Duration ttl) {
        return new TaskRequest("tools/call", "work", RawJson.EMPTY_OBJECT, null, ttl, true);
    }

    /** A task that has begun. */
    TaskId start() {
        return start(null);
    }

    TaskId start(@Nullable TaskCarrier origin) {
        StoredTask task = engine.create(OWNER, request());
        engine.begin(task, origin);
        return task.id();
    }

    StoredTask find(TaskId id) {
        return engine.find(OWNER, id, null);
    }

    TaskOutcome await(TaskId id) throws InterruptedException {
        return engine.await(OWNER, id, Requestor.stream());
    }

    /** Waits for a task as another caller, and returns its outcome. */
    @CheckReturnValue
    CompletableFuture<TaskOutcome> awaitAside(TaskId id, TaskCarrier stream) {
        CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
        int before = engine.gauges().waitingCallers();
        Thread waiting =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                outcome.complete(engine.await(OWNER, id, stream));
                            } catch (Throwable e) {
                                outcome.completeExceptionally(e);
                            }
                        });
        outcome.whenComplete(
                (value, failure) -> {
                    if (outcome.isCancelled()) {
                        waiting.interrupt();
                    }
                });
        until(() -> outcome.isDone() || engine.gauges().waitingCallers() > before);
        until(() -> outcome.isDone() || sleeps(waiting)); // it may look before it does
        return outcome;
    }

    private static boolean sleeps(Thread waiting) {
        return Arrays.stream(waiting.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Wake.class.getName()));
    }

    static TaskOutcome get(CompletableFuture<TaskOutcome> outcome) throws Exception {
        return outcome.get(60, TimeUnit.SECONDS);
    }

    void untilState(TaskId id, TaskState state) {
        until(() -> find(id).state() == state);
    }

    List<TaskEvent.Kind> kinds() {
        return events.stream().map(TaskEvent::kind).toList();
    }

    /** Waits until something holds, which other threads bring about. */
    static void until(BooleanSupplier condition) {
        Awaiting.await().until(condition::getAsBoolean);
    }

    /**
     * Lets time pass until something holds: less than a minute in each second, so that no task
     * expires where other threads are slow.
     */
    void passUntil(BooleanSupplier condition) {
        until(
                () -> {
                    timers.advance(Duration.ofMillis(200));
                    return condition.getAsBoolean();
                });
    }

    @Override
    public void close() {
        engine.close();
        timers.close();
    }
}
