package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Calls of the work on its context while it runs. */
class RunsTest {
    private static final RawJson VALUE = RawJson.parse("{\"value\":1}");

    @Test
    @Requirement("TASK-072")
    void progressAlwaysRisesAndGoesToTheWaitersOrElseToTheSession() throws Exception {
        CountDownLatch waited = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    context.progress(new Progress(1, 4d, "one"));
                    context.progress(new Progress(1, 4d, "again"));
                    told.countDown();
                    waited.await();
                    context.progress(new Progress(0.5, 4d, "back"));
                    context.progress(new Progress(2, 4d, "two"));
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);
            told.await();
            Requestor stream = Requestor.stream();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);
            waited.countDown();
            Bench.get(waiting);

            assertThat(session.progress).containsExactly(new Progress(1, 4d, "one"));
            assertThat(stream.progress).containsExactly(new Progress(2, 4d, "two"));
        }
    }

    @Test
    void progressIsStoredAtOnceThenNowAndThenAndTheLastOfAll() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    for (int i = 1; i <= Progression.AT_ONCE + 50; i++) {
                        context.progress(new Progress(i, null, null));
                    }
                    told.countDown();
                    return LifecycleTest.forever(context);
                };
        try (Bench bench = new Bench(body)) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);
            told.await();
            assertThat(bench.find(id).progress()).isEqualTo(Progression.AT_ONCE);

            bench.timers.advance(Progression.EVERY);

            Bench.until(() -> session.progress.size() > Progression.AT_ONCE);
            List<Double> all = new ArrayList<>(); // the reports were stored before they were sent
            for (double i = 1; i <= Progression.AT_ONCE; i++) {
                all.add(i);
            }
            all.add(Progression.AT_ONCE + 50d);
            assertThat(session.progress).extracting(Progress::progress).isEqualTo(all);
            assertThat(bench.find(id).progress()).isEqualTo(Progression.AT_ONCE + 50);
        }
    }

    /** Timers whose thread cannot be started when a test says so. */
    private static final class Failing implements Timers {
        private final ManualTimers timers;
        private final AtomicBoolean failing = new AtomicBoolean();
        private final AtomicInteger beatsFailing = new AtomicInteger();

        Failing(ManualTimers timers) {
            this.timers = timers;
        }

        @Override
        public Clock clock() {
            return timers.clock();
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            if (failing.get() && delay.compareTo(DeadlineTicker.BEAT) < 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            if (isBeat(delay) && beatsFailing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new OutOfMemoryError("of the test");
            }
            return timers.schedule(delay, () -> repeated(action));
        }

        /** Returns whether the ticker asks: the sweep of the store has the same delay. */
        private static boolean isBeat(Duration delay) {
            String ticker = DeadlineTicker.class.getName();
            return delay.equals(DeadlineTicker.BEAT)
                    && StackWalker.getInstance()
                            .walk(
                                    frames ->
                                            frames.anyMatch(
                                                    it -> it.getClassName().equals(ticker)));
        }

        /** Runs an action that finds no memory again, as the timers of the system do. */
        private static void repeated(Runnable action) {
            try {
                action.run();
            } catch (OutOfMemoryError e) {
                repeated(action);
            }
        }

        @Override
        public void close() {}
    }

    /** Tasks that end by their time. */
    private static final class Endless implements TaskWork {
        @Override
        public TaskOutcome run(TaskContext context) throws Exception {
            return LifecycleTest.forever(context);
        }

        @Override
        public Optional<TaskOutcome> poll(TakenTask parked) {
            return Optional.empty();
        }
    }

    @Test
    void deadlinesAreCheckedAfterOneThatFailed() {
        ManualTimers clock = new ManualTimers();
        Failing timers = new Failing(clock);
        try (TaskEngine engine = TaskEngine.open(Tasks.inMemory(), "test", new Endless(), timers)) {
            engine.begin(engine.create(Bench.OWNER, Bench.request(Duration.ofMillis(2_500))), null);
            clock.advance(DeadlineTicker.BEAT);
            timers.failing.set(true);
            clock.advance(DeadlineTicker.BEAT); // sets the timer for its expiry
            timers.failing.set(false);
            assertThat(engine.gauges().running()).isOne();
            clock.advance(DeadlineTicker.BEAT);

            Bench.until(() -> engine.gauges().running() == 0);
        }
    }

    /** Each beat is scheduled by the one before. */
    @Test
    void deadlinesAreCheckedAlthoughThereWasNoMemoryForTheNextBeat() {
        ManualTimers clock = new ManualTimers();
        Failing timers = new Failing(clock);
        try (TaskEngine engine = TaskEngine.open(Tasks.inMemory(), "test", new Endless(), timers)) {
            timers.beatsFailing.set(1);
            TaskRequest request = Bench.request(Duration.ofMillis(2_500));
            assertThatThrownBy(() -> engine.create(Bench.OWNER, request))
                    .isInstanceOf(OutOfMemoryError.class);
            engine.begin(engine.create(Bench.OWNER, request), null);
            timers.beatsFailing.set(2);
            for (int i = 0; i < 3; i++) {
                clock.advance(DeadlineTicker.BEAT);
            }
            assertThat(timers.beatsFailing).hasValue(0);
            Bench.until(() -> engine.gauges().running() == 0);
        }
    }

    @Test
    void aTaskThatFindsNoMemoryForItsTimerKeepsNoPlace() {
        Failing timers = new Failing(new ManualTimers());
        Tasks one = Tasks.inMemory().maxRunning(1);
        try (TaskEngine engine = TaskEngine.open(one, "test", new Endless(), timers)) {
            timers.failing.set(true);
            assertThatThrownBy(
                            () -> engine.create(Bench.OWNER, Bench.request(Duration.ofMillis(500))))
                    .isInstanceOf(OutOfMemoryError.class);
            timers.failing.set(false);
            engine.create(Bench.OWNER, Bench.request(Duration.ofMillis(500)));
        }
    }

    @Test
    void theLastProgressIsSentBeforeTheEnd() throws Exception {
        Bench.Body body =
                context -> {
                    for (int i = 1; i <= Progression.AT_ONCE + 10; i++) {
                        context.progress(new Progress(i, null, null));
                    }
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            Requestor session = Requestor.session();

            bench.untilState(bench.start(session), TaskState.RESULT);

            assertThat(session.progress)
                    .extracting(Progress::progress)
                    .hasSize(Progression.AT_ONCE + 1)
                    .endsWith(Progression.AT_ONCE + 0d, Progression.AT_ONCE + 10d);
        }
    }

    @Test
    void progressThatCannotBeStoredIsNotSent() throws Exception {
        Bench.Body body =
                context -> {
                    context.progress(new Progress(1, null, null));
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            Requestor session = Requestor.session();
            bench.faults.down("update");

            bench.untilState(bench.start(session), TaskState.RESULT);

            assertThat(session.progress).isEmpty();
        }
    }

    @Test
    void theStatusMessageIsStoredAndSent() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    context.status("half way");
                    told.countDown();
                    return LifecycleTest.forever(context);
                };
        try (Bench bench = new Bench(body)) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);
            told.await();

            assertThat(bench.find(id).statusMessage()).isEqualTo("half way");
            assertThat(session.changes)
                    .extracting(StoredTask::statusMessage)
                    .containsExactly("half way");
        }
    }

    /** Else one client with many requests would multiply each change by their number. */
    @Test
    void aChangeIsReadOnceForAllThatWait() throws Exception {
        int callers = 30;
        Semaphore go = new Semaphore(0);
        Bench.Body body =
                context -> {
                    for (int i = 1; i <= callers; i++) {
                        go.acquire();
                        context.status("step " + i);
                    }
                    go.acquire();
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            TaskId id = bench.start();
            List<Requestor> streams = Stream.generate(Requestor::stream).limit(callers).toList();
            List<CompletableFuture<TaskOutcome>> waiting =
                    streams.stream().map(stream -> bench.awaitAside(id, stream)).toList();
            int before = bench.faults.calls("find");
            for (int i = 1; i <= callers; i++) {
                String step = "step " + i;
                go.release();
                Bench.until(
                        () ->
                                streams.getLast().changes.stream()
                                        .anyMatch(it -> step.equals(it.statusMessage())));
            }
            assertThat(streams.subList(0, callers - 1)).allMatch(it -> it.changes.isEmpty());

            go.release();
            for (CompletableFuture<TaskOutcome> one : waiting) {
                assertThat(Bench.get(one)).isEqualTo(Bench.DONE);
            }
            assertThat(bench.faults.calls("find") - before).isLessThan(5 * callers);
        }
    }

    @Test
    void aValueIsComputedOnceAndRememberedUnderItsKey() throws Exception {
        AtomicInteger computed = new AtomicInteger();
        Bench.Body body =
                context -> {
                    for (String key : List.of("a", "b", "a")) {
                        context.once(
                                key,
                                () -> RawJson.parse("{\"n\":" + computed.incrementAndGet() + "}"));
                    }
                    RawJson known = context.once("b", () -> VALUE);
                    return new TaskOutcome.Result(known, false);
                };
        try (Bench bench = new Bench(body)) {
            assertThat(Bench.text(bench.await(bench.start()))).isEqualTo("{\"n\":2}");
            assertThat(computed).hasValue(2);
        }
    }

    @Test
    void idempotencyKeysAreDifferentForEachKeyAndTask() throws Exception {
        List<String> keys = new ArrayList<>();
        Bench.Body body =
                context -> {
                    keys.add(context.idempotencyKey("a"));
                    keys.add(context.idempotencyKey("b"));
                    keys.add(context.idempotencyKey("a"));
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            bench.await(bench.start());
            bench.await(bench.start());

            assertThat(keys.get(0)).isEqualTo(keys.get(2)).isNotEqualTo(keys.get(1));
            assertThat(keys.get(3)).isNotEqualTo(keys.get(0));
        }
    }

    @Test
    void anInterruptHitsTheCodeOfUsersAndNeverTheStoreOrACarrier() throws Exception {
        CountDownLatch computing = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    try {
                        context.once(
                                "key",
                                () -> {
                                    computing.countDown();
                                    new CountDownLatch(1).await();
                                    return VALUE;
                                });
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        context.status("too late");
                        context.progress(new Progress(1, null, null));
                        interrupted.countDown();
                    }
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);
            computing.await();

            bench.engine.cancel(Bench.OWNER, id);

            interrupted.await();
            Bench.until(() -> bench.engine.gauges().running() == 0);
            assertThat(bench.faults.wasCalledInterrupted()).isFalse();
            assertThat(session.wasInterruptedInSend).isFalse();
        }
    }

    @Test
    void aRunThatTakesTooLongEndsItsTaskAndIsInterrupted() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    context.limit(Duration.ofSeconds(90), Bench.result("{\"late\":true}"));
                    try {
                        return LifecycleTest.forever(context);
                    } catch (InterruptedException e) {
                        stopped.countDown();
                        throw e;
                    }
                };
        try (Bench bench = new Bench(body)) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());
            bench.passUntil(() -> stopped.getCount() == 0);

            assertThat(Bench.text(Bench.get(waiting))).isEqualTo("{\"late\":true}");
            stopped.await();
        }
    }

    @Test
    void aClockThatIsSetForwardEndsNoRun() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    context.limit(Duration.ofSeconds(90), Bench.result("{\"late\":true}"));
                    begun.countDown();
                    go.await();
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            TaskId id = bench.start();
            begun.await();

            bench.timers.setClock(Duration.ofMinutes(10));
            bench.timers.advance(Duration.ofSeconds(5));
            go.countDown();

            assertThat(bench.await(id)).isEqualTo(Bench.DONE);
        }
    }

    @Test
    void theTimeThatAPersonTakesDoesNotCount() throws Exception {
        Bench.Body body =
                context -> {
                    context.limit(Duration.ofMinutes(1), Bench.result("{\"late\":true}"));
                    return context.ask("elicitation/create", RawJson.EMPTY_OBJECT);
                };
        try (Bench bench = new Bench(body)) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);
            Requestor.Asked asked = session.next();

            bench.timers.advance(Duration.ofMinutes(30));
            asked.answer("{}");

            assertThat(Bench.text(bench.await(id))).isEqualTo("{}");
        }
    }

    // ---- outside jobs

    private static TaskOutcome park(TaskContext context) {
        if (context.task().run() == 1) {
            context.park("job-1", null);
        }
        return Bench.DONE;
    }

    @Test
    void aParkedTaskHoldsNoPlaceAndEndsWithItsOutsideJob() throws Exception {
        try (Bench bench = new Bench(RunsTest::park, tasks -> tasks.maxRunning(1))) {
            TaskId id = parked(bench);
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());
            assertThat(bench.find(id).state()).isEqualTo(TaskState.WORKING);
            bench.engine.create(Bench.OWNER, Bench.request());

            assertThat(bench.engine.finish("work", "no-such-job", Bench.DONE)).isFalse();
            assertThat(bench.engine.finish("work", "job-1", Bench.result("{\"job\":1}"))).isTrue();

            assertThat(Bench.text(Bench.get(waiting))).isEqualTo("{\"job\":1}");
            assertThat(bench.engine.finish("work", "job-1", Bench.DONE)).isFalse();
            assertThat(bench.kinds()).contains(TaskEvent.Kind.PARKED, TaskEvent.Kind.FINISHED);
        }
    }

    private static TaskId parked(Bench bench) {
        TaskId id = bench.start();
        Bench.until(() -> bench.find(id).job() != null && bench.engine.gauges().running() == 0);
        return id;
    }

    @Test
    void aParkedTaskContinuesInItsNextRun() throws Exception {
        try (Bench bench = new Bench(RunsTest::park)) {
            TaskId id = parked(bench);

            assertThat(bench.engine.resume("work", "job-1")).isTrue();

            assertThat(bench.await(id)).isEqualTo(Bench.DONE);
            assertThat(bench.find(id).run()).isEqualTo(2);
        }
    }

    @Test
    void anOutsideJobIsLookedAfterUntilItIsDone() throws Exception {
        AtomicInteger polls = new AtomicInteger();
        Bench.Body body =
                context -> {
                    context.park("job-1", Duration.ofSeconds(5));
                    return Bench.DONE;
                };
        try (Bench bench = new Bench(body)) {
            bench.polling =
                    parked ->
                            polls.incrementAndGet() < 3
                                    ? Optional.empty()
                                    : Optional.of(Bench.result("{\"polled\":true}"));
            TaskId id = parked(bench);

            bench.passUntil(() -> bench.find(id).state().isEnded());

            assertThat(Bench.text(bench.await(id))).isEqualTo("{\"polled\":true}");
        }
    }

    @Test
    void twoTasksCannotWaitForTheSameJob() throws Exception {
        try (Bench bench = new Bench(RunsTest::park)) {
            parked(bench);

            TaskOutcome.Error outcome = (TaskOutcome.Error) bench.await(bench.start());

            assertThat(outcome.error().message()).isEqualTo("Another task waits for the job job-1");
        }
    }

    @Test
    void theEndOfTheEngineStopsHandlersAndWaitsWithoutEndingTheirTasks() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    begun.countDown();
                    try {
                        return LifecycleTest.forever(context);
                    } catch (InterruptedException e) {
                        stopped.countDown();
                        throw e;
                    }
                };
        try (Bench bench = new Bench(body)) {
            TaskId id = bench.start();
            begun.await();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());

            bench.engine.close();

            stopped.await();
            assertThatThrownBy(() -> Bench.get(waiting)).cause().hasMessage("Tasks are closing");
            assertThatThrownBy(bench::start).hasMessage("Tasks are closing");
            assertThat(bench.kinds()).doesNotContain(TaskEvent.Kind.FINISHED);
        }
    }

    @Test
    void closingWaitsUntilHandlersHaveStopped() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayStop = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        Bench.Body body =
                context -> {
                    begun.countDown();
                    try {
                        return LifecycleTest.forever(context);
                    } finally {
                        mayStop.await(); // the cleanup of the work
                        stopped.set(true);
                    }
                };
        try (Bench bench = new Bench(body)) {
            bench.start();
            begun.await();

            Thread closing =
                    Thread.ofPlatform().start(() -> bench.engine.close(Duration.ofDays(1)));
            Bench.until(() -> closing.getState() == Thread.State.TIMED_WAITING);
            mayStop.countDown();
            closing.join();

            assertThat(stopped).isTrue();
        }
    }

    @Test
    void closingWaitsNotLongForAHandlerThatIgnoresItsInterrupt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stop = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    begun.countDown();
                    return LimitsTest.ignore(stop);
                };
        try (Bench bench = new Bench(body)) {
            bench.start();
            begun.await();

            bench.engine.close(); // returns

            assertThat(bench.engine.gauges().running()).isOne();
            stop.countDown();
        }
    }
}
