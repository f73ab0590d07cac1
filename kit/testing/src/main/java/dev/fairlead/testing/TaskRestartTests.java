package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskQuestion.Asked;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A node stops in the midst of any work, and another begins with its stored tasks. */
@Requirement("TASK-107")
abstract class TaskRestartTests extends TaskStoreTests {
    private final DurableTaskStoreContract contract;
    private final RecordingNode next = new RecordingNode("next");

    TaskRestartTests(DurableTaskStoreContract contract) {
        super(contract);
        this.contract = contract;
    }

    /** Replaces the store by that of the next node. */
    private void restart() throws Exception {
        store.close();
        store = contract.restarted();
        store.open(next, timers.clock());
    }

    private TakenTask takenOver(TaskRun run) {
        sweepUntil(() -> next.taken.stream().anyMatch(taken -> isOf(run, taken.task())));
        return next.taken.stream()
                .filter(taken -> isOf(run, taken.task()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOf(TaskRun run, StoredTask task) {
        return task.id().equals(run.id());
    }

    private TaskRun createFinal(String name) throws TooManyTasksException {
        NewTask task =
                new NewTask(
                        new TaskId(UUID.randomUUID().toString()),
                        ALICE,
                        "tools/call",
                        name,
                        json("origin"),
                        null,
                        Duration.ofHours(1),
                        false);
        return store.create(task, NO_LIMIT).key();
    }

    @Test
    void whatHadEndedStaysAsItWas() throws Exception {
        TaskOutcome large = new TaskOutcome.Result(megabyte(), false);
        TaskRun ended = create();
        store.end(ended, large, "over");
        TaskRun failed = create();
        store.end(failed, error("broken"), null);
        TaskRun cancelled = create();
        cancel(cancelled);
        List<StoredTask> before = store.list(ALICE, null, 10).tasks();
        restart();
        assertEquals(before, store.list(ALICE, null, 10).tasks());
        assertOutcome(large, outcome(ended));
        assertOutcome(error("broken"), outcome(failed));
        TaskRun running = createFinal("later");
        takeOverIsDone();
        assertEquals(List.of(), next.orphans);
        assertEquals(List.of(), next.taken);
        assertEquals(TaskState.WORKING, state(running));
    }

    /** Waits until all tasks to take over are taken over. */
    private void takeOverIsDone() throws Exception {
        store.sweep();
        pass(Duration.ofMillis(100));
        store.sweep();
    }

    @Test
    void aTaskThatMayRunAgainRunsAgainWithAllThatItHad() throws Exception {
        TaskRun first = store.create(task(ALICE, Duration.ofHours(1), megabyte()), NO_LIMIT).key();
        store.update(first, "half", 0.5);
        store.record(first, "key", json("value"));
        store.ask(first, question(1));
        answer(first, 1, "yes");
        store.ask(first, question(2));
        restart();
        TakenTask taken = takenOver(first);
        TaskRun second = taken.task().key();
        assertEquals(new TaskRun(ALICE, first.id(), 2), second);
        assertEquals(stored(first), taken.task());
        assertBytes(megabyte(), taken.origin());
        assertEquals("half", taken.task().statusMessage());
        assertEquals(0.5, taken.task().progress());
        assertEquals(TaskState.INPUT_REQUIRED, taken.task().state());
        assertBytes(json("value"), recorded(second, "key"));
        Asked.Answered answered =
                assertInstanceOf(Asked.Answered.class, store.ask(second, question(1)));
        assertOutcome(result("yes"), answered.answer());
        assertInstanceOf(Asked.Open.class, store.ask(second, question(2)));
        assertInstanceOf(Asked.Mismatch.class, store.ask(second, question(2, "other")));
        assertTrue(answer(second, 2, "late"));
        assertIsLost(first);
        assertTrue(store.end(second, result("done"), null));
    }

    @Test
    void aDeliveryOfANodeThatStoppedIsFree() throws Exception {
        TaskRun first = create();
        store.ask(first, question(1));
        store.deliver(ALICE, first.id(), 1, null, FIRST_DELIVERY);
        Queue<TaskQuestion> found = new ConcurrentLinkedQueue<>();
        next.whenTaken = tasks -> found.addAll(questions(first));
        restart();
        takenOver(first);
        assertNull(found.element().delivery());
        assertTrue(store.deliver(ALICE, first.id(), 1, null, SECOND_DELIVERY));
    }

    @Test
    void aTaskThatMayNotRunAgainEndsAndSaysSo() throws Exception {
        TaskRun run = createFinal("report");
        store.ask(run, question(1));
        restart();
        sweepUntil(() -> !next.orphans.isEmpty());
        assertEquals(List.of(stored(run)), next.orphans);
        assertEquals(TaskState.ERROR, state(run));
        assertNotNull(stored(run).statusMessage());
        TaskOutcome.Error error = assertInstanceOf(TaskOutcome.Error.class, outcome(run));
        assertEquals(-32_603, error.error().code());
        assertFalse(error.error().message().isEmpty());
        assertIsOver(ALICE, run.id());
        assertEquals(List.of(), next.taken);
    }

    @Test
    void aParkedTaskStaysParked() throws Exception {
        TaskRun run = createFinal("report");
        store.park(run, "job", Duration.ofMillis(500));
        restart();
        StoredTask parked = store.parked("report", "job").orElseThrow().task();
        assertEquals(run, parked.key());
        pass(Duration.ofSeconds(1));
        sweepUntil(() -> !next.polled.isEmpty());
        assertEquals(run, next.polled.getFirst().task().key());
        assertEquals(2, store.resume(run).orElseThrow().task().run());
        assertEquals(List.of(), next.orphans);
    }

    @Test
    void everyTaskIsTakenOverOnce() throws Exception {
        List<TaskRun> runs = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            runs.add(create());
        }
        restart();
        sweepUntil(() -> next.taken.size() >= runs.size());
        takeOverIsDone();
        assertEquals(runs.size(), next.taken.size());
        assertEquals(
                new HashSet<>(runs.stream().map(TaskRun::id).toList()),
                new HashSet<>(next.taken.stream().map(taken -> taken.task().id()).toList()));
        assertTrue(next.taken.stream().allMatch(taken -> taken.task().run() == 2));
    }

    @Test
    void aNodeTakesOverWhatItHasPlacesFor() throws Exception {
        for (int i = 0; i < 5; i++) {
            create();
        }
        next.places = 2;
        restart();
        sweepUntil(() -> next.taken.size() >= 2);
        takeOverIsDone();
        assertEquals(2, next.taken.size());
        next.places = 100;
        sweepUntil(() -> next.taken.size() >= 5);
        assertEquals(5, next.taken.stream().map(taken -> taken.task().id()).distinct().count());
    }

    @Test
    void runsAreCountedOverSeveralRestarts() throws Exception {
        TaskRun first = create();
        for (int run = 2; run <= 4; run++) {
            next.taken.clear();
            restart();
            assertEquals(run, takenOver(first).task().run());
        }
    }

    @Test
    void whatExpiredWhileNoNodeRanIsExpired() throws Exception {
        TaskRun run = create(ALICE, shortTtl());
        store.close();
        pass(shortTtl());
        store = contract.restarted();
        store.open(next, timers.clock());
        assertEquals(TaskState.EXPIRED, state(run));
        sweepUntil(() -> next.expired.size() == 1);
        assertEquals(List.of(), next.taken);
        assertEquals(Optional.empty(), store.outcome(ALICE, run.id()));
    }

    @Test
    void theLimitOfAnOwnerCountsWhatWasThereBefore() throws Exception {
        store.create(task(ALICE, Duration.ofHours(1)), 1);
        restart();
        assertThrows(
                TooManyTasksException.class,
                () -> store.create(task(ALICE, Duration.ofHours(1)), 1));
    }

    @Test
    void aStoreThatWasClosedStaysClosed() throws Exception {
        TaskStore before = store;
        TaskRun run = create();
        restart();
        takenOver(run);
        assertThrows(TaskStoreException.class, () -> before.update(run, "late", null));
        assertThrows(TaskStoreException.class, () -> before.end(run, result("late"), null));
        assertEquals(TaskState.WORKING, state(run));
    }
}
