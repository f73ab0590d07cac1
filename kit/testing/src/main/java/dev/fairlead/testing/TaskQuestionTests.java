package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskQuestion.Asked;
import dev.fairlead.tasks.TaskQuestion.Delivery;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Questions of runs, their deliveries and their answers. */
abstract class TaskQuestionTests extends TaskStoreTests {
    TaskQuestionTests(TaskStoreContract contract) {
        super(contract);
    }

    @Test
    @Requirement({"TASK-055", "TASK-058"})
    void aTaskRequiresInputUntilItsLastQuestionIsAnswered() throws Exception {
        TaskRun run = create();
        assertInstanceOf(Asked.Open.class, store.ask(run, question(1)));
        assertInstanceOf(Asked.Open.class, store.ask(run, question(2)));
        assertEquals(TaskState.INPUT_REQUIRED, state(run));
        assertTrue(answer(run, 2, "two"));
        assertEquals(TaskState.INPUT_REQUIRED, state(run));
        assertTrue(answer(run, 1, "one"));
        assertEquals(TaskState.WORKING, state(run));
        store.ask(run, question(3));
        assertEquals(TaskState.INPUT_REQUIRED, state(run));
    }

    @Test
    @Requirement("N26-TASK-011")
    void oneLookHasTheStateWithTheOpenQuestionsOrTheOutcome() throws Exception {
        TaskRun run = create();
        assertLook(TaskState.WORKING, List.of(), null, run);
        store.ask(run, question(1));
        store.ask(run, question(2));
        store.ask(run, question(3));
        answer(run, 2, "two");
        assertLook(TaskState.INPUT_REQUIRED, List.of("q1", "q3"), null, run);
        store.end(run, error("denied"), "over");
        assertLook(TaskState.ERROR, List.of(), error("denied"), run);
        assertEquals(Optional.empty(), store.snapshot(BOB, run.id()));

        TaskRun failed = create();
        store.end(failed, failure("no"), null);
        assertLook(TaskState.FAILURE, List.of(), failure("no"), failed);
        TaskRun large = create();
        store.end(large, new TaskOutcome.Result(megabyte(), false), null);
        assertLook(TaskState.RESULT, List.of(), new TaskOutcome.Result(megabyte(), false), large);
        TaskRun cancelled = create();
        store.ask(cancelled, question(1));
        store.cancel(ALICE, cancelled.id(), null);
        assertLook(TaskState.CANCELLED, List.of(), null, cancelled);
    }

    private void assertLook(
            TaskState state, List<String> keys, @Nullable TaskOutcome outcome, TaskRun run) {
        TaskSnapshot look = store.snapshot(ALICE, run.id()).orElseThrow();
        assertEquals(state, look.task().state());
        assertEquals(keys, look.questions().stream().map(TaskQuestion::key).toList());
        if (outcome == null) {
            assertNull(look.outcome());
        } else {
            assertOutcome(outcome, Objects.requireNonNull(look.outcome()));
        }
    }

    @Test
    void questionsAskedTogetherAreOpenTogether() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        answer(run, 1, "one");
        store.ask(run, question(3, "other"));
        List<Asked> asked =
                store.ask(run, List.of(question(1), question(2), question(3), question(4)));
        assertOutcome(result("one"), assertInstanceOf(Asked.Answered.class, asked.get(0)).answer());
        assertInstanceOf(Asked.Open.class, asked.get(1));
        assertInstanceOf(Asked.Mismatch.class, asked.get(2));
        assertInstanceOf(Asked.Open.class, asked.get(3));
        assertLook(TaskState.INPUT_REQUIRED, List.of("q2", "q3", "q4"), null, run);

        AtomicBoolean halves = new AtomicBoolean();
        TaskRun watched = create();
        Thread looking =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    int open = 0;
                                    while (open == 0) {
                                        open = store.questions(ALICE, watched.id()).size();
                                    }
                                    halves.set(open < 16);
                                });
        store.ask(watched, IntStream.rangeClosed(1, 16).mapToObj(n -> question(n)).toList());
        looking.join();
        assertFalse(halves.get());

        store.end(run, result("over"), null);
        assertEquals(
                List.of(Asked.Lost.class, Asked.Lost.class),
                store.ask(run, List.of(question(5), question(6))).stream()
                        .map(Object::getClass)
                        .toList());
    }

    @Test
    void theRunGetsItsAnswersByOrdinal() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        store.ask(run, question(2));
        store.ask(run, question(3));
        assertEquals(Optional.empty(), store.answer(run, 1));
        assertTrue(store.answer(ALICE, run.id(), 3, error("denied")));
        assertTrue(store.answer(ALICE, run.id(), 1, failure("no")));
        assertOutcome(failure("no"), store.answer(run, 1).orElseThrow());
        assertEquals(Optional.empty(), store.answer(run, 2));
        assertOutcome(error("denied"), store.answer(run, 3).orElseThrow());
        assertEquals(Optional.empty(), store.answer(run, 4));
    }

    @Test
    void questionsAreThereInTheirOrderAsTheyWereAsked() throws Exception {
        TaskRun run = create();
        TaskQuestion large =
                new TaskQuestion(2, "digest", "sampling/createMessage", megabyte(), null);
        store.ask(run, question(10));
        store.ask(run, large);
        store.ask(run, question(1));
        List<TaskQuestion> open = questions(run);
        assertEquals(List.of(1, 2, 10), open.stream().map(TaskQuestion::ordinal).toList());
        TaskQuestion second = open.get(1);
        assertEquals("digest", second.digest());
        assertEquals("sampling/createMessage", second.method());
        assertBytes(megabyte(), second.params());
        assertNull(second.delivery());
        answer(run, 2, "answered");
        assertEquals(List.of(1, 10), questions(run).stream().map(TaskQuestion::ordinal).toList());
    }

    @Test
    void textsOfAnyKindAreKept() throws Exception {
        TaskRun run = create();
        int ordinal = 0;
        for (String text : HOSTILE_TEXTS) {
            ordinal++;
            store.ask(run, new TaskQuestion(ordinal, text, text, json(text), null));
            Delivery delivery = new Delivery(text, true);
            assertTrue(store.deliver(ALICE, run.id(), ordinal, null, delivery));
            TaskQuestion open = questions(run).getLast();
            assertEquals(text, open.digest());
            assertEquals(text, open.method());
            assertEquals(delivery, open.delivery());
            assertBytes(json(text), open.params());
        }
    }

    @Test
    void askedAgainAQuestionStandsAsItWas() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        store.deliver(ALICE, run.id(), 1, null, FIRST_DELIVERY);
        TaskQuestion again =
                new TaskQuestion(1, "digest-1", "elicitation/create", json("other"), null);
        assertInstanceOf(Asked.Open.class, store.ask(run, again));
        TaskQuestion open = questions(run).getFirst();
        assertBytes(json("question 1"), open.params());
        assertEquals(FIRST_DELIVERY, open.delivery());
        answer(run, 1, "yes");
        Asked.Answered answered =
                assertInstanceOf(Asked.Answered.class, store.ask(run, question(1)));
        assertOutcome(result("yes"), answered.answer());
        assertEquals(TaskState.WORKING, state(run));
    }

    @Test
    void anotherQuestionAtTheSamePlaceIsAMismatch() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1, "digest"));
        assertInstanceOf(Asked.Mismatch.class, store.ask(run, question(1, "other")));
        assertEquals("digest", questions(run).getFirst().digest());
        answer(run, 1, "yes");
        assertInstanceOf(Asked.Mismatch.class, store.ask(run, question(1, "other")));
        assertInstanceOf(Asked.Mismatch.class, store.ask(run, question(1, "DIGEST")));
        assertOutcome(result("yes"), store.answer(run, 1).orElseThrow());
        assertEquals(TaskState.WORKING, state(run));
    }

    @Test
    void questionsAndAnswersOfEarlierRunsStand() throws Exception {
        TaskRun first = create();
        store.ask(first, question(1));
        answer(first, 1, "yes");
        store.ask(first, question(2));
        store.deliver(ALICE, first.id(), 2, null, FIRST_DELIVERY);
        TaskRun second = nextRun(first);
        assertEquals(TaskState.INPUT_REQUIRED, state(second));
        Asked.Answered answered =
                assertInstanceOf(Asked.Answered.class, store.ask(second, question(1)));
        assertOutcome(result("yes"), answered.answer());
        assertInstanceOf(Asked.Open.class, store.ask(second, question(2)));
        assertInstanceOf(Asked.Mismatch.class, store.ask(second, question(2, "other")));
        assertEquals(FIRST_DELIVERY, questions(second).getFirst().delivery());
        assertOutcome(result("yes"), store.answer(second, 1).orElseThrow());
        assertTrue(answer(second, 2, "late"));
        assertEquals(TaskState.WORKING, state(second));
        assertOutcome(result("late"), store.answer(second, 2).orElseThrow());
    }

    @Test
    void aRunWithdrawsItsQuestionsAndNoneOfALaterRun() throws Exception {
        TaskRun first = create();
        store.ask(first, question(1));
        store.ask(first, question(2));
        assertTrue(store.withdraw(first, 1, error("withdrawn")));
        assertFalse(store.withdraw(first, 1, error("again")));
        assertFalse(store.withdraw(first, 3, error("early")));
        TaskRun second = nextRun(first);
        assertFalse(store.withdraw(first, 2, error("late")));
        assertEquals(TaskState.INPUT_REQUIRED, state(second));
        assertOutcome(error("withdrawn"), store.answer(second, 1).orElseThrow());
        assertTrue(store.withdraw(second, 2, error("withdrawn")));
        assertEquals(TaskState.WORKING, state(second));
    }

    @Test
    void aQuestionIsAnsweredOnce() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        assertTrue(answer(run, 1, "first"));
        assertFalse(answer(run, 1, "second"));
        assertOutcome(result("first"), store.answer(run, 1).orElseThrow());
    }

    @Test
    void theAnswersOfOneMessageAreRecordedTogetherAndOthersStayOpen() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        store.ask(run, question(2));
        store.ask(run, question(3));
        assertEquals(Set.of(1, 3), answers(run, Map.of(1, result("one"), 3, error("denied"))));
        assertEquals(List.of(2), questions(run).stream().map(TaskQuestion::ordinal).toList());
        assertEquals(TaskState.INPUT_REQUIRED, state(run));
        assertOutcome(result("one"), store.answer(run, 1).orElseThrow());
        assertOutcome(error("denied"), store.answer(run, 3).orElseThrow());
        assertEquals(Optional.empty(), store.answer(run, 2));
    }

    @Test
    void answersToQuestionsThatAreNotOpenAreIgnored() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        store.ask(run, question(2));
        store.ask(run, question(3));
        answer(run, 1, "first");
        store.withdraw(run, 3, error("withdrawn"));
        Map<Integer, TaskOutcome> late =
                Map.of(0, result("never"), 1, result("second"), 3, result("late"), 9, result("9"));
        assertEquals(Set.of(), answers(run, late));
        assertEquals(Set.of(), answers(run, Map.of()));
        assertEquals(TaskState.INPUT_REQUIRED, state(run));
        assertEquals(Set.of(2), answers(run, Map.of(1, result("third"), 2, result("two"))));
        assertEquals(TaskState.WORKING, state(run));
        assertOutcome(result("first"), store.answer(run, 1).orElseThrow());
        assertOutcome(result("two"), store.answer(run, 2).orElseThrow());
        assertOutcome(error("withdrawn"), store.answer(run, 3).orElseThrow());
        assertEquals(Optional.empty(), store.answer(run, 9));
        cancel(run);
        assertEquals(Set.of(), answers(run, Map.of(2, result("too late"))));
        assertEquals(TaskState.CANCELLED, state(run));
    }

    private Set<Integer> answers(TaskRun run, Map<Integer, TaskOutcome> answers) {
        return store.answer(run.owner(), run.id(), answers);
    }

    @Test
    void oneReadHasTheTaskWithAllItsOpenQuestions() throws Exception {
        TaskRun run = create();
        assertTogether(run, List.of());
        store.ask(run, question(2));
        store.ask(run, question(1));
        store.ask(run, question(3));
        store.deliver(ALICE, run.id(), 2, null, FIRST_DELIVERY);
        assertTogether(run, List.of(1, 2, 3));
        answer(run, 1, "yes");
        assertTogether(run, List.of(2, 3));
        TaskRun next = nextRun(run);
        assertTogether(next, List.of(2, 3));
        TaskQuestion open = store.snapshot(ALICE, run.id()).orElseThrow().questions().getFirst();
        assertEquals("digest-2", open.digest());
        assertEquals("elicitation/create", open.method());
        assertBytes(json("question 2"), open.params());
        assertEquals(FIRST_DELIVERY, open.delivery());
        store.end(next, result("done"), null);
        assertTogether(next, List.of());
        assertEquals(Optional.empty(), store.snapshot(BOB, run.id()));
    }

    private void assertTogether(TaskRun run, List<Integer> open) {
        TaskSnapshot found = store.snapshot(run.owner(), run.id()).orElseThrow();
        assertEquals(stored(run), found.task());
        assertEquals(open, found.questions().stream().map(TaskQuestion::ordinal).toList());
    }

    @Test
    void whatWasNotAskedCannotBeAnsweredOrDelivered() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        assertFalse(answer(run, 0, "early"));
        assertFalse(answer(run, 2, "early"));
        assertFalse(answer(run, -1, "early"));
        assertFalse(store.deliver(ALICE, run.id(), 2, null, FIRST_DELIVERY));
        assertInstanceOf(Asked.Open.class, store.ask(run, question(2)));
        assertEquals(2, questions(run).size());
    }

    @Test
    void anAnswerCountsRegardlessOfItsDelivery() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        store.deliver(ALICE, run.id(), 1, null, FIRST_DELIVERY);
        assertTrue(answer(run, 1, "yes"));
        assertFalse(store.deliver(ALICE, run.id(), 1, FIRST_DELIVERY, null));
        assertFalse(store.deliver(ALICE, run.id(), 1, null, SECOND_DELIVERY));
    }

    @Test
    void oneDeliveryAtATimeStands() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        store.ask(run, question(2));
        assertTrue(store.deliver(ALICE, run.id(), 1, null, FIRST_DELIVERY));
        assertEquals(FIRST_DELIVERY, questions(run).getFirst().delivery());
        assertFalse(store.deliver(ALICE, run.id(), 1, null, SECOND_DELIVERY));
        assertFalse(store.deliver(ALICE, run.id(), 1, SECOND_DELIVERY, null));
        Delivery sameName = new Delivery(FIRST_DELIVERY.id(), true);
        assertFalse(store.deliver(ALICE, run.id(), 1, sameName, SECOND_DELIVERY));
        assertEquals(FIRST_DELIVERY, questions(run).getFirst().delivery());
        assertTrue(store.deliver(ALICE, run.id(), 1, FIRST_DELIVERY, SECOND_DELIVERY));
        assertEquals(SECOND_DELIVERY, questions(run).getFirst().delivery());
        assertNull(questions(run).getLast().delivery());
        assertTrue(store.deliver(ALICE, run.id(), 1, SECOND_DELIVERY, null));
        assertNull(questions(run).getFirst().delivery());
        assertTrue(store.deliver(ALICE, run.id(), 1, null, FIRST_DELIVERY));
        assertEquals(TaskState.INPUT_REQUIRED, state(run));
    }

    @Test
    void theEndOfATaskWithdrawsItsQuestions() throws Exception {
        TaskRun cancelled = create();
        store.ask(cancelled, question(1));
        cancel(cancelled);
        assertIsOver(ALICE, cancelled.id());
        TaskRun ended = create();
        store.ask(ended, question(1));
        store.deliver(ALICE, ended.id(), 1, null, FIRST_DELIVERY);
        store.end(ended, result("done"), null);
        assertIsOver(ALICE, ended.id());
        assertFalse(store.deliver(ALICE, ended.id(), 1, FIRST_DELIVERY, null));
        assertEquals(Optional.empty(), store.answer(ended, 1));
    }

    @Test
    void aLargeAnswerComesBackByteForByte() throws Exception {
        TaskRun run = create();
        store.ask(run, question(1));
        TaskOutcome large = new TaskOutcome.Result(megabyte(), true);
        assertTrue(store.answer(ALICE, run.id(), 1, large));
        assertOutcome(large, store.answer(run, 1).orElseThrow());
    }
}
