package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskGauges;
import dev.fairlead.tasks.TaskListener;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Reports of a store to its node, and the events of listeners. */
class NodeTest {
    /** Handlers that run until they are stopped, and why they were. */
    private final BlockingQueue<TaskContext> begun = new LinkedBlockingQueue<>();

    private TaskOutcome untilStopped(TaskContext context) throws InterruptedException {
        begun.add(context);
        new CountDownLatch(1).await();
        return Bench.DONE;
    }

    private TaskContext begun() throws InterruptedException {
        TaskContext context = begun.poll(60, TimeUnit.SECONDS);
        if (context == null) {
            throw new AssertionError("no handler began");
        }
        return context;
    }

    private static void assertStopped(TaskContext context, String reason) {
        Bench.until(context::isStopped);
        assertThat(context.stopReason()).contains(reason);
    }

    @Test
    void aNodeThatWasDeclaredDeadStopsItsHandlersAndEndsNothing() throws Exception {
        try (Bench bench = new Bench(this::untilStopped)) {
            bench.start();
            TaskContext context = begun();

            bench.node().fenced();

            assertStopped(context, "this node was declared dead");
            Bench.until(() -> bench.node().running().isEmpty());
            assertThat(bench.kinds()).doesNotContain(TaskEvent.Kind.FINISHED);
        }
    }

    @Test
    void aLostRunStopsAndTheNextOneContinues() throws Exception {
        try (Bench bench = new Bench(this::untilStopped)) {
            bench.start();
            TaskContext first = begun();
            StoredTask task = first.task();
            StoredTask next = task.withRun(2);

            bench.node().takeOver(List.of(new TakenTask(next, RawJson.EMPTY_OBJECT)));
            bench.node().lost(task.key());

            TaskContext second = begun();
            assertStopped(first, "the task has ended");
            assertThat(second.task().run()).isEqualTo(2);
            assertThat(second.isStopped()).isFalse();
            Bench.until(() -> bench.node().running().equals(Set.of(next.key())));
            assertThat(bench.kinds()).contains(TaskEvent.Kind.TAKEN_OVER);
        }
    }

    @Test
    void aNodeThatClosesTakesNothingOver() throws Exception {
        try (Bench bench = new Bench(this::untilStopped)) {
            bench.start();
            StoredTask task = begun().task();
            bench.engine.close();
            Bench.until(() -> bench.node().running().isEmpty()); // a run leaves its place first

            assertThat(bench.node().freePlaces()).isZero();
            bench.node().takeOver(List.of(new TakenTask(task.withRun(2), RawJson.EMPTY_OBJECT)));

            assertThat(bench.node().running()).isEmpty();
            assertThat(begun).isEmpty();
        }
    }

    @Test
    void aNodeReportsItsRemainingCapacity() throws Exception {
        try (Bench bench = new Bench(this::untilStopped, tasks -> tasks.maxRunning(3))) {
            bench.start();
            begun();

            assertThat(bench.node().freePlaces()).isEqualTo(2);
            assertThat(bench.node().running()).extracting(TaskRun::number).containsExactly(1L);
        }
    }

    @Test
    @Requirement("TASK-104")
    void listenersReceiveGaugesEveryTenSeconds() throws Exception {
        BlockingQueue<TaskGauges> heard = new LinkedBlockingQueue<>();
        TaskListener listener =
                new TaskListener() {
                    @Override
                    public void onEvent(TaskEvent event) {
                        throw new IllegalStateException("a failing listener affects no other");
                    }

                    @Override
                    public void onGauges(TaskGauges gauges) {
                        heard.add(gauges);
                    }
                };
        try (Bench bench =
                new Bench(
                        context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT),
                        tasks -> tasks.onEvent(listener))) {
            TaskId id = bench.start();
            bench.untilState(id, TaskState.INPUT_REQUIRED);
            Bench.until(() -> bench.engine.gauges().waitingForInput() == 1);
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());

            bench.timers.advance(Duration.ofSeconds(10));

            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(new TaskGauges(1, 1, 1));
            assertThat(waiting).isNotDone();
        }
    }

    @Test
    @Requirement("TASK-105")
    void taskEventsContainTheOwnerButNoPayload() throws Exception {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            TaskId id = bench.start();
            bench.await(id);
            bench.find(id);
            bench.engine.list(Bench.OWNER, null);

            // reported after the store has it, so perhaps after a caller has fetched it
            Bench.until(() -> bench.kinds().contains(TaskEvent.Kind.FINISHED));
            assertThat(bench.kinds())
                    .containsExactlyInAnyOrder(
                            TaskEvent.Kind.CREATED,
                            TaskEvent.Kind.FINISHED,
                            TaskEvent.Kind.RESULT_READ,
                            TaskEvent.Kind.READ,
                            TaskEvent.Kind.LISTED);
            assertThat(bench.events).allMatch(event -> event.owner().equals(Bench.OWNER));
        }
    }

    /** The signals of a database may be lost; no caller waits for ever because of that. */
    @Test
    void waitersPollTheStoreWhereSignalsAreLost() throws Exception {
        try (Bench bench =
                Bench.withoutSignals(
                        context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT))) {
            TaskId id = bench.start();
            bench.untilState(id, TaskState.INPUT_REQUIRED);
            Bench.until(() -> bench.faults.calls("answer") > 0); // it looks once after it has asked
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());

            // as another node would
            bench.faults.store().answer(Bench.OWNER, id, 1, Bench.DONE);
            assertThat(waiting).isNotDone();

            for (int beat = 0; beat <= DeadlineTicker.ROUND; beat++) {
                bench.timers.advance(DeadlineTicker.BEAT);
            }

            assertThat(Bench.get(waiting)).isEqualTo(Bench.DONE);
        }
    }

    @Test
    void aHandlerWhoseTaskAnotherNodeCancelledStopsWhereSignalsAreLost() throws Exception {
        try (Bench bench = Bench.withoutSignals(this::untilStopped)) {
            TaskId id = bench.start();
            TaskContext context = begun();
            bench.faults.store().cancel(Bench.OWNER, id, null);

            for (int beat = 0; beat <= DeadlineTicker.ROUND; beat++) {
                bench.timers.advance(DeadlineTicker.BEAT);
            }

            assertStopped(context, "the task was cancelled");
        }
    }

    /**
     * Returns whether this thread matches questions with callers; one that delivers may look too.
     */
    private static boolean isMatching() {
        return Thread.currentThread().getName().equals("mcp-task-questions");
    }

    /** A session looks at the task of another node, and waits for its result at the same time. */
    @Test
    void oneThreadAtATimeLooksAfterTheQuestionsOfATaskThatRunsElsewhere() throws Exception {
        try (Bench bench = Bench.withoutSignals(context -> Bench.DONE)) {
            TaskId id = new TaskId("elsewhere");
            RawJson none = RawJson.EMPTY_OBJECT;
            Duration ttl = Duration.ofMinutes(30);
            StoredTask task =
                    bench.faults
                            .store()
                            .create(
                                    new NewTask(
                                            id,
                                            Bench.OWNER,
                                            "tools/call",
                                            "t",
                                            none,
                                            null,
                                            ttl,
                                            true),
                                    1);
            TaskQuestion question = new TaskQuestion(1, "digest", "elicitation/create", none, null);
            bench.faults.store().ask(task.key(), question);
            CountDownLatch mayProceed = new CountDownLatch(1);
            AtomicInteger looking = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            bench.faults.onReturn(
                    method -> {
                        if (method.equals("questions") && isMatching()) {
                            most.accumulateAndGet(looking.incrementAndGet(), Math::max);
                            Uninterruptibly.await(mayProceed::await);
                            looking.decrementAndGet();
                        }
                    });
            Requestor session = Requestor.session();
            bench.engine.find(Bench.OWNER, id, session);
            Bench.until(() -> looking.get() == 1);

            Requestor stream = Requestor.stream();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);
            mayProceed.countDown();
            Requestor.Asked asked = stream.next();
            bench.faults.onReturn(method -> {});
            asked.answer("{}");

            Bench.until(() -> bench.faults.store().questions(Bench.OWNER, id).isEmpty());
            assertThat(most).hasValue(1);
            assertThat(session.wasAskedNothing()).isTrue();
            assertThat(waiting).isNotDone(); // it runs on
        }
    }
}
