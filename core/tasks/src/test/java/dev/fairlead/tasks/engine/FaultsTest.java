package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Stores that fail: nothing is acknowledged falsely, nothing leaks, and all continues afterwards.
 */
class FaultsTest {
    private static final Duration OUTAGE = Duration.ofMinutes(1);

    private static void assertUnavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .hasMessage("The task store is not available")
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32603));
    }

    @Test
    @Requirement("TASK-090")
    void whileTheStoreIsDownEveryOperationIsRefusedAndWorksAgainAfterwards() {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.maxRunning(1))) {
            TaskId id = bench.start();
            bench.untilState(id, TaskState.RESULT);
            Bench.until(() -> bench.engine.gauges().running() == 0);
            bench.faults.down();

            assertUnavailable(bench::start);
            assertUnavailable(() -> bench.find(id));
            assertUnavailable(() -> bench.engine.cancel(Bench.OWNER, id));
            assertUnavailable(() -> bench.engine.list(Bench.OWNER, null));

            bench.faults.up();
            assertThat(bench.find(id).state()).isEqualTo(TaskState.RESULT);
            bench.start();
        }
    }

    @Test
    void anOutageIsLoggedOncePerMinuteAndNotForEachOperation() {
        List<Level> logged = new CopyOnWriteArrayList<>();
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord line) {
                        logged.add(line.getLevel());
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        Logger logger = Logger.getLogger(Persistence.class.getName());
        logger.addHandler(handler);
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            TaskId id = bench.start();
            bench.faults.down();
            for (int i = 0; i < 20; i++) {
                assertUnavailable(() -> bench.engine.cancel(Bench.OWNER, id));
            }
            assertThat(logged).containsOnlyOnce(Level.SEVERE);

            bench.timers.advance(Persistence.LOGGED);
            assertUnavailable(() -> bench.engine.cancel(Bench.OWNER, id));
            assertThat(logged).filteredOn(Level.SEVERE::equals).hasSize(2);
            bench.faults.up();
        } finally {
            logger.removeHandler(handler);
        }
    }

    /** Each may have been stored, so each has to be ended: not more than there may be runs. */
    @Test
    void creationsThatFailInAnOutageAreBounded() {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.maxRunning(3))) {
            bench.faults.down("create", "end");
            for (int i = 0; i < 20; i++) {
                assertUnavailable(bench::start);
            }
            assertThat(bench.faults.failures("create")).isEqualTo(4); // the rest did not get there

            bench.faults.up();
            bench.passUntil(() -> bench.engine.gauges().running() == 0);

            bench.start();
        }
    }

    @Test
    void aTaskThatIsGivenUpBeforeItBeganIsCancelledOnceTheStoreIsBack() {
        try (Bench bench =
                new Bench(
                        context -> {
                            throw new AssertionError("it began");
                        },
                        tasks -> tasks.operationsPerSecond(1).maxRunning(1))) {
            StoredTask task = bench.engine.create(Bench.OWNER, Bench.request());
            bench.engine.find(Bench.OWNER, task.id(), null); // nothing is left of the allowance
            bench.faults.down("cancel");

            bench.engine.abandon(task);
            bench.engine.begin(task, null);

            Bench.until(() -> bench.faults.failures("cancel") > 0);
            bench.faults.up();
            bench.passUntil(() -> bench.engine.gauges().running() == 0);
            bench.timers.advance(Duration.ofSeconds(1));
            assertThat(bench.find(task.id()).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(bench.kinds()).contains(TaskEvent.Kind.CANCELLED);
        }
    }

    @Test
    void aHandlerIsStoppedThoughTheStoreFailsToSayWhatWasCancelled() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            begun.countDown();
                            try {
                                return LifecycleTest.forever(context);
                            } finally {
                                stopped.countDown();
                            }
                        })) {
            TaskId id = bench.start();
            begun.await();
            bench.faults.down("find");

            assertUnavailable(() -> bench.engine.cancel(Bench.OWNER, id));

            stopped.await();
        }
    }

    @Test
    void anInterruptThatComesAfterTheHandlerDoesNotLoseItsResult() throws Exception {
        AtomicReference<Thread> handler = new AtomicReference<>();
        try (Bench bench =
                new Bench(
                        context -> {
                            handler.set(Thread.currentThread());
                            return Bench.DONE;
                        })) {
            bench.faults.down("end");
            TaskId id = bench.start();
            for (int i = 1; i <= 3; i++) {
                int failures = i;
                bench.passUntil(() -> bench.faults.failures("end") >= failures);
                handler.get().interrupt();
            }

            bench.faults.up();
            bench.passUntil(() -> bench.engine.gauges().running() == 0);

            assertThat(bench.await(id)).isEqualTo(Bench.DONE);
        }
    }

    @Test
    void aTaskThatWasStoredAlthoughItsCreationFailedDoesNotLiveOn() {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            bench.faults.unsure("create");
            assertUnavailable(bench::start);

            bench.passUntil(() -> bench.engine.gauges().running() == 0);

            assertThat(bench.engine.list(Bench.OWNER, null).tasks())
                    .singleElement()
                    .extracting(StoredTask::state)
                    .isEqualTo(TaskState.ERROR);
        }
    }

    @Test
    void aResultIsStoredOnceTheStoreIsBackAndWaitersReceiveNothingElse() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            go.await();
                            return Bench.DONE;
                        })) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());
            bench.faults.down("end");
            go.countDown();
            bench.passUntil(() -> bench.faults.failures() > 3);
            assertThat(bench.find(id).state()).isEqualTo(TaskState.WORKING);
            assertThat(waiting).isNotDone();

            bench.faults.up();
            bench.passUntil(waiting::isDone);

            assertThat(waiting.get()).isEqualTo(Bench.DONE);
        }
    }

    @Test
    void anEndThatWasStoredAlthoughTheStoreFailedCountsOnce() throws Exception {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            bench.faults.unsure("end");
            TaskId id = bench.start();
            Bench.until(() -> bench.faults.failures() > 0);
            bench.faults.up();

            bench.passUntil(() -> bench.engine.gauges().running() == 0);

            assertThat(bench.await(id)).isEqualTo(Bench.DONE);
            assertThat(Collections.frequency(bench.kinds(), TaskEvent.Kind.FINISHED)).isOne();
        }
    }

    @Test
    void aWaitSurvivesAShortOutage() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            go.await();
                            context.status("half");
                            end.await();
                            return Bench.DONE;
                        })) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());
            bench.faults.down("find", "snapshot");
            go.countDown();
            Bench.until(() -> bench.faults.failures() > 1); // the handler's status, and the waiter

            bench.faults.up();
            end.countDown();
            bench.passUntil(waiting::isDone);

            assertThat(waiting.get()).isEqualTo(Bench.DONE);
        }
    }

    @Test
    void anOutageOfAnyLengthEndsNoWaitForATaskThatLives() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            go.await();
                            context.status("half");
                            end.await();
                            return Bench.DONE;
                        })) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());
            bench.faults.down("find", "snapshot");
            go.countDown();
            Bench.until(() -> bench.faults.failures("find") > 0);
            Instant before = bench.timers.clock().instant();
            bench.passUntil(
                    () ->
                            bench.timers.clock().instant().isAfter(before.plus(OUTAGE))
                                    || waiting.isDone());
            assertThat(waiting).isNotDone();

            bench.faults.up();
            end.countDown();
            bench.passUntil(waiting::isDone);

            assertThat(waiting.get()).isEqualTo(Bench.DONE);
        }
    }

    @Test
    void anEventStoreThatFailsDoesNotCloseTheWayOfAQuestion() throws Exception {
        try (Bench bench =
                new Bench(context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT))) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);

            session.next().fail(new EventStoreException("the database is away", null));
            bench.passUntil(() -> !session.wasAskedNothing());

            session.next().answer("{}");
            assertThat(Bench.text(bench.await(id))).isEqualTo("{}");
        }
    }

    @Test
    void waitersOnTheNodeThatRunsTheTaskDoNotReadTheStore() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            go.await();
                            return Bench.DONE;
                        })) {
            CompletableFuture<TaskOutcome> waiting =
                    bench.awaitAside(bench.start(), Requestor.stream());

            go.countDown();

            assertThat(Bench.get(waiting)).isEqualTo(Bench.DONE);
            assertThat(bench.faults.calls("snapshot")).isZero();
            assertThat(bench.faults.calls("find")).isZero();
        }
    }

    @Test
    @Requirement("TASK-090")
    void aWaitFailsIfTheOutageLasts() {
        try (Bench bench = new Bench(LifecycleTest::forever)) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> waiting = new CompletableFuture<>();
            bench.faults.down("snapshot");
            Thread.startVirtualThread(
                    () -> {
                        try {
                            waiting.complete(bench.await(id));
                        } catch (Exception e) {
                            waiting.completeExceptionally(e);
                        }
                    });

            Bench.until( // the store is not read before the task has expired
                    () -> {
                        bench.timers.advance(Duration.ofSeconds(20));
                        return waiting.isDone();
                    });

            assertThatThrownBy(() -> Bench.get(waiting))
                    .cause()
                    .hasMessage("The task store is not available");
        }
    }

    @Test
    void aQuestionIsAskedAndAnsweredOnceTheStoreIsBack() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            go.await();
                            return context.ask("elicitation/create", RawJson.EMPTY_OBJECT);
                        })) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);
            bench.faults.down("ask");
            go.countDown();
            Bench.until(() -> bench.faults.failures() > 0);
            bench.faults.up();
            bench.passUntil(() -> !session.wasAskedNothing());
            Requestor.Asked asked = session.next();
            bench.faults.unsure("answer");
            asked.answer("{}");
            Bench.until(() -> bench.faults.failures() > 1);

            bench.faults.up();
            bench.passUntil(() -> bench.find(id).state().isEnded());

            assertThat(Bench.text(bench.await(id))).isEqualTo("{}");
        }
    }

    @Test
    void aQuestionIsAskedAlthoughTheStoreFailedToSayThatItIsClaimed() throws Exception {
        try (Bench bench =
                new Bench(context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT))) {
            Requestor session = Requestor.session();
            bench.faults.unsure("deliver");
            TaskId id = bench.start(session);
            Bench.until(() -> bench.faults.failures() > 0);

            bench.faults.up();
            bench.passUntil(() -> !session.wasAskedNothing());

            session.next().answer("{}");
            assertThat(Bench.text(bench.await(id))).isEqualTo("{}");
        }
    }

    @Test
    @Requirement("ROOM-013")
    void aTaskThatIsAbandonedLeavesItsPlaceWhateverTheStoreDoes() {
        AtomicInteger runs = new AtomicInteger();
        try (Bench bench =
                new Bench(
                        context -> {
                            runs.incrementAndGet();
                            return Bench.DONE;
                        },
                        tasks -> tasks.maxRunning(1))) {
            StoredTask known = bench.engine.create(Bench.OWNER, Bench.request());
            bench.engine.abandon(known);
            StoredTask unknown = bench.engine.create(Bench.OWNER, Bench.request());
            bench.faults.down();
            bench.engine.abandon(unknown);
            Bench.until(() -> bench.faults.failures() > 0);

            bench.faults.up();
            bench.passUntil(() -> bench.engine.gauges().running() == 0);

            assertThat(bench.find(known.id()).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(bench.find(unknown.id()).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(bench.engine.create(Bench.OWNER, Bench.request())).isNotNull();
            assertThat(runs).hasValue(0);
        }
    }

    @Test
    void aQuestionThatIsGivenUpIsNotAskedAgainBeforeTheStoreKnows() throws Exception {
        try (Bench bench =
                new Bench(context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT))) {
            Requestor session = Requestor.session();
            TaskId id = bench.start(session);
            Requestor.Asked lost = session.next();
            bench.faults.down("deliver");
            lost.fail();
            Bench.until(() -> bench.faults.failures() > 0);

            for (int i = 0; i < 20; i++) {
                int looks = bench.faults.calls("questions");
                bench.engine.reachable(session);
                Bench.until(() -> bench.faults.calls("questions") > looks);
            }
            assertThat(session.wasAskedNothing()).isTrue();

            bench.faults.up();
            bench.passUntil(() -> !session.wasAskedNothing());
            session.next().answer("{}");
            assertThat(Bench.text(bench.await(id))).isEqualTo("{}");
        }
    }

    @Test
    void aValueIsRecordedOnceTheStoreIsBack() throws Exception {
        try (Bench bench =
                new Bench(
                        context ->
                                new TaskOutcome.Result(
                                        context.once("key", () -> RawJson.parse("{\"a\":1}")),
                                        false))) {
            bench.faults.down("record");
            TaskId id = bench.start();
            Bench.until(() -> bench.faults.failures() > 0);

            bench.faults.up();
            bench.passUntil(() -> bench.find(id).state().isEnded());

            assertThat(Bench.text(bench.await(id))).isEqualTo("{\"a\":1}");
        }
    }

    @Test
    void statusAndProgressThatCannotBeStoredDoNotHoldTheWorkUp() throws Exception {
        try (Bench bench =
                new Bench(
                        context -> {
                            context.status("lost");
                            context.progress(new Progress(1, null, null));
                            return Bench.DONE;
                        })) {
            bench.faults.down("update");

            assertThat(bench.await(bench.start())).isEqualTo(Bench.DONE);
        }
    }
}
