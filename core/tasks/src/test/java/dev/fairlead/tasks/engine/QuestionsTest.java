package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Questions of a task to its requestor, and their delivery. */
class QuestionsTest {
    private static final RawJson QUESTION = RawJson.parse("{\"message\":\"Go on?\"}");
    private static final String YES = "{\"action\":\"accept\"}";

    private final Bench bench = new Bench(QuestionsTest::ask);

    @AfterEach
    void close() {
        bench.close();
    }

    private static TaskOutcome ask(TaskContext context) throws InterruptedException {
        return context.ask("elicitation/create", QUESTION);
    }

    private TaskId asking(TaskCarrier origin) {
        TaskId id = bench.start(origin);
        bench.untilState(id, TaskState.INPUT_REQUIRED);
        return id;
    }

    @Test
    @Requirement("TASK-055")
    @Requirement("TASK-058")
    void aTaskNeedsInputUntilItsQuestionIsAnswered() throws Exception {
        TaskId id = asking(null);
        Requestor stream = Requestor.stream();
        CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);

        Requestor.Asked asked = stream.next();
        assertThat(asked.params.toJson()).isEqualTo(QUESTION.toJson());
        asked.answer(YES);

        assertThat(Bench.text(Bench.get(waiting))).isEqualTo(YES);
        assertThat(bench.find(id).state()).isEqualTo(TaskState.RESULT);
    }

    @Test
    void aQuestionGoesToTheSessionAtOnceIfNoCallerWaits() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = asking(session);

        session.next().answer(YES);

        assertThat(Bench.text(bench.await(id))).isEqualTo(YES);
    }

    @Test
    void aQuestionWaitsForASessionThatCannotBeReached() throws Exception {
        Requestor session = Requestor.session();
        session.open = false;
        TaskId id = asking(session);
        assertThat(session.wasAskedNothing()).isTrue();

        session.open = true;
        bench.engine.reachable(session);
        session.next().answer(YES);

        assertThat(Bench.text(bench.await(id))).isEqualTo(YES);
    }

    @Test
    void aResultStreamIsNotAskedWhatALiveSessionWasAsked() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = asking(session);
        Requestor.Asked asked = session.next();
        Requestor stream = Requestor.stream();

        CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);

        bench.passUntil(() -> session.probes.get() >= 3);
        assertThat(stream.wasAskedNothing()).isTrue();
        asked.answer(YES);
        assertThat(Bench.text(Bench.get(waiting))).isEqualTo(YES);
        assertThat(session.wasAskedNothing()).isTrue();
        assertThat(stream.wasAskedNothing()).isTrue();
    }

    @Test
    void aResultStreamTakesAQuestionOverFromASessionThatIsGone() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = asking(session);
        Requestor.Asked before = session.next();
        session.open = false;
        Requestor stream = Requestor.stream();

        CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);

        Requestor.Asked after = stream.next();
        assertThat(before.isWithdrawn()).isTrue();
        after.answer(YES);
        assertThat(Bench.text(Bench.get(waiting))).isEqualTo(YES);
    }

    @Test
    void aResultStreamTakesAQuestionOverOnceTheSessionIsSeenToBeGone() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = asking(session);
        Requestor.Asked before = session.next();
        Requestor stream = Requestor.stream();
        CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);
        bench.passUntil(() -> session.probes.get() >= 3);

        session.open = false;

        bench.passUntil(() -> !stream.wasAskedNothing());
        assertThat(before.isWithdrawn()).isTrue();
        stream.next().answer(YES);
        assertThat(Bench.text(Bench.get(waiting))).isEqualTo(YES);
    }

    @Test
    void aQuestionOnAResumableStreamIsNotAskedInTheSession() throws Exception {
        Requestor session = Requestor.session();
        session.open = false;
        TaskId id = asking(session);
        Requestor stream = Requestor.stream();
        CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);
        Requestor.Asked asked = stream.next();
        stream.connected = false;
        session.open = true;

        bench.engine.reachable(session);

        Bench.until(() -> bench.faults.calls("questions") > 1);
        bench.timers.advance(DeadlineTicker.BEAT);
        assertThat(session.wasAskedNothing()).isTrue();
        asked.answer(YES);
        assertThat(Bench.text(Bench.get(waiting))).isEqualTo(YES);
    }

    @Test
    @Requirement("TASK-061")
    void aReturningCallerIsAskedAgainAndTheOldQuestionIsWithdrawn() throws Exception {
        TaskId id = asking(null);
        Requestor cut = Requestor.stream();
        CompletableFuture<TaskOutcome> first = bench.awaitAside(id, cut);
        Requestor.Asked before = cut.next();
        first.cancel(true);
        Bench.until(() -> bench.engine.gauges().waitingCallers() == 0);

        Requestor repeated = Requestor.stream();
        CompletableFuture<TaskOutcome> second = bench.awaitAside(id, repeated);

        repeated.next().answer(YES);
        assertThat(before.isWithdrawn()).isTrue();
        assertThat(Bench.text(Bench.get(second))).isEqualTo(YES);
    }

    @Test
    @Requirement("TASK-061")
    void anAnswerCountsAfterItsCallerHasStoppedWaiting() throws Exception {
        TaskId id = asking(null);
        Requestor stream = Requestor.stream();
        CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);
        Requestor.Asked asked = stream.next();
        waiting.cancel(true);
        Bench.until(() -> bench.engine.gauges().waitingCallers() == 0);

        asked.answer(YES);

        assertThat(Bench.text(bench.await(id))).isEqualTo(YES);
    }

    @Test
    void aQuestionThatLosesItsWayIsAskedAgainOnTheNext() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = asking(session);
        Requestor.Asked lost = session.next();
        session.open = false;
        lost.fail();
        Requestor stream = Requestor.stream();

        CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, stream);

        stream.next().answer(YES);
        assertThat(Bench.text(Bench.get(waiting))).isEqualTo(YES);
    }

    @Test
    void aSessionThatFailsIsNotAskedAgainBeforeItHasComeBack() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = asking(session);
        session.next().fail();
        Bench.until(() -> isUnclaimed(id));
        assertThat(session.wasAskedNothing()).isTrue();

        bench.engine.reachable(session);

        session.next().answer(YES);
        assertThat(Bench.text(bench.await(id))).isEqualTo(YES);
    }

    private boolean isUnclaimed(TaskId id) {
        return bench.faults.store().questions(Bench.OWNER, id).getFirst().delivery() == null;
    }

    @Test
    void askingHowATaskIsBringsItsQuestionToALiveSessionWhereTheOldOneCannotBeReached()
            throws Exception {
        Requestor old = Requestor.session();
        old.open = false;
        TaskId id = asking(old);
        Requestor session = Requestor.session();

        bench.engine.find(Bench.OWNER, id, session);

        session.next().answer(YES);
        assertThat(Bench.text(bench.await(id))).isEqualTo(YES);
    }

    @Test
    void askingHowATaskIsBringsItsQuestionToALiveSessionWhereTheOldOneHasFailed() throws Exception {
        Requestor old = Requestor.session();
        TaskId id = asking(old);
        old.next().fail();
        Bench.until(() -> isUnclaimed(id));
        Requestor session = Requestor.session();

        bench.engine.find(Bench.OWNER, id, session);

        session.next().answer(YES);
        assertThat(Bench.text(bench.await(id))).isEqualTo(YES);
    }

    @Test
    void aSessionThatCanBeReachedKeepsItsTask() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = bench.start(session);
        Requestor.Asked asked = session.next();
        Requestor other = Requestor.session();

        bench.engine.find(Bench.OWNER, id, other);

        asked.answer(YES);
        assertThat(Bench.text(bench.await(id))).isEqualTo(YES);
        Bench.until(() -> !session.changes.isEmpty());
        assertThat(other.changes).isEmpty();
    }

    @Test
    void pollingATaskThatIsNotRunningDeliversItsQuestionOncePerCarrier() throws Exception {
        TaskId id = asking(null);
        bench.node().lost(bench.find(id).key());
        Bench.until(() -> bench.engine.gauges().running() == 0);
        Requestor dead = Requestor.session().dead();

        bench.engine.find(Bench.OWNER, id, dead);
        Bench.until(() -> dead.losses.get() > 0 && isUnclaimed(id));

        Requestor session = Requestor.session();
        bench.engine.find(Bench.OWNER, id, session);
        session.next().answer(YES);
        bench.untilState(id, TaskState.WORKING);
        assertThat(dead.losses).hasValue(1);
    }

    @Test
    @Requirement("TASK-062")
    void theEndOfATaskWithdrawsItsQuestionsAndALateAnswerIsIgnored() throws Exception {
        Requestor session = Requestor.session();
        TaskId id = asking(session);
        Requestor.Asked asked = session.next();

        bench.engine.cancel(Bench.OWNER, id);

        assertThat(asked.isWithdrawn()).isTrue();
        asked.answer(YES);
        assertThat(bench.find(id).state()).isEqualTo(TaskState.CANCELLED);
    }

    @Test
    void onlyTheFirstOfTwoWaitingCallersIsAskedWhileConnected() throws Exception {
        TaskId id = asking(null);
        Requestor first = Requestor.stream();
        CompletableFuture<TaskOutcome> one = bench.awaitAside(id, first);
        Requestor.Asked before = first.next();
        Requestor second = Requestor.stream();
        CompletableFuture<TaskOutcome> other = bench.awaitAside(id, second);
        bench.passUntil(() -> first.probes.get() >= 3);
        assertThat(second.wasAskedNothing()).isTrue();

        first.connected = false; // it may come back
        bench.passUntil(() -> !second.wasAskedNothing());

        assertThat(before.isWithdrawn()).isTrue();
        second.next().answer(YES);
        assertThat(first.wasAskedNothing()).isTrue();

        assertThat(Bench.text(Bench.get(one))).isEqualTo(YES);
        assertThat(Bench.text(Bench.get(other))).isEqualTo(YES);
    }

    @Test
    void anInterruptFromElsewhereWithdrawsTheQuestionAndTheTaskContinues() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread[] handler = new Thread[1];
        try (Bench other =
                new Bench(
                        context -> {
                            handler[0] = Thread.currentThread();
                            try {
                                return ask(context);
                            } catch (InterruptedException e) {
                                interrupted.countDown();
                                return Bench.DONE;
                            }
                        })) {
            TaskId id = other.start();
            other.untilState(id, TaskState.INPUT_REQUIRED);

            handler[0].interrupt();

            interrupted.await();
            assertThat(other.await(id)).isEqualTo(Bench.DONE);
        }
    }
}
