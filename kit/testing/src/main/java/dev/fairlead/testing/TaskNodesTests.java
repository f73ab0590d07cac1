package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskQuestion.Delivery;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Two nodes on the same tasks: each operation has the same effect on both. */
abstract class TaskNodesTests extends TaskStoreTests {
    private static final int ROUNDS = 50;

    private final ClusteredTaskStoreContract contract;
    private final RecordingNode farNode = new RecordingNode("far");

    @SuppressWarnings("NullAway.Init") // JUnit calls openFarStore first
    private TaskStore far;

    TaskNodesTests(ClusteredTaskStoreContract contract) {
        super(contract);
        this.contract = contract;
    }

    @BeforeEach
    final void openFarStore() throws Exception {
        far = contract.furtherNode();
        far.open(farNode, timers.clock());
    }

    @AfterEach
    final void closeFarStore() {
        far.close();
    }

    private List<TaskRun> create(int tasks) throws TooManyTasksException {
        List<TaskRun> created = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            created.add(create());
        }
        node.running.addAll(created);
        return created;
    }

    @Test
    void whatOneNodeStoresTheOtherFinds() throws Exception {
        TaskRun run = create();
        assertEquals(stored(run), far.find(ALICE, run.id()).orElseThrow());
        store.ask(run, question(1));
        assertEquals(1, far.questions(ALICE, run.id()).size());
        assertTrue(far.deliver(ALICE, run.id(), 1, null, FIRST_DELIVERY));
        assertFalse(store.deliver(ALICE, run.id(), 1, null, SECOND_DELIVERY));
        assertTrue(far.answer(ALICE, run.id(), 1, result("yes")));
        assertOutcome(result("yes"), store.answer(run, 1).orElseThrow());
        store.end(run, result("done"), null);
        assertOutcome(result("done"), far.outcome(ALICE, run.id()).orElseThrow());
        TaskRun there = far.create(task(ALICE, Duration.ofHours(1)), NO_LIMIT).key();
        assertEquals(
                List.of(run, there),
                store.list(ALICE, null, 10).tasks().stream().map(StoredTask::key).toList());
    }

    @Test
    void aPageOfOneNodeContinuesAtTheOther() throws Exception {
        List<TaskRun> created = create(3);
        String next = store.list(ALICE, null, 2).next();
        assertEquals(
                created.subList(2, 3),
                far.list(ALICE, next, 2).tasks().stream().map(StoredTask::key).toList());
    }

    @Test
    void whatIsCancelledOnOneNodeIsLostOnTheOther() throws Exception {
        TaskRun run = create(1).getFirst();
        assertTrue(far.cancel(ALICE, run.id(), "not wanted"));
        sweepUntil(() -> node.lost.contains(run));
        assertEquals(List.of(), farNode.lost);
        assertIsLost(run);
    }

    @Test
    void endsHereAndCancellationsThere() throws Exception {
        new Race<>(create(ROUNDS))
                .with(run -> store.end(run, result("done"), null))
                .with(run -> far.cancel(ALICE, run.id(), "not wanted"))
                .with(run -> store.end(run, error("broken"), null))
                .hasOneWinnerEach();
    }

    @Test
    void answersOnBothNodes() throws Exception {
        List<TaskRun> runs = create(ROUNDS);
        runs.forEach(run -> store.ask(run, question(1)));
        new Race<>(runs)
                .with(run -> store.answer(ALICE, run.id(), 1, result("here")))
                .with(run -> far.answer(ALICE, run.id(), 1, result("there")))
                .hasOneWinnerEach();
        runs.forEach(run -> assertEquals(TaskState.WORKING, state(run)));
    }

    @Test
    void deliveriesOnBothNodes() throws Exception {
        List<TaskRun> runs = create(ROUNDS);
        runs.forEach(run -> store.ask(run, question(1)));
        Delivery here = new Delivery("here", false);
        Delivery there = new Delivery("there", true);
        new Race<>(runs)
                .with(run -> store.deliver(ALICE, run.id(), 1, null, here))
                .with(run -> far.deliver(ALICE, run.id(), 1, null, there))
                .hasOneWinnerEach();
    }

    @Test
    void aParkedTaskContinuesOnOneNode() throws Exception {
        List<TaskRun> runs = create(ROUNDS);
        runs.forEach(run -> store.park(run, run.id().value(), null));
        new Race<>(runs)
                .with(run -> store.resume(run).isPresent())
                .with(run -> far.resume(run).isPresent())
                .with(run -> far.end(run, result("done"), null))
                .hasOneWinnerEach();
    }

    @Test
    void theLimitOfAnOwnerIsExactOverBothNodes() throws Exception {
        AtomicInteger created = new AtomicInteger();
        new Race<>(Collections.nCopies(30, 0))
                .with(attempt -> createsWithin(store, 41, created))
                .with(attempt -> createsWithin(far, 41, created))
                .with(attempt -> createsWithin(far, 41, created))
                .winners();
        assertEquals(41, created.get());
    }

    private static boolean createsWithin(TaskStore store, int limit, AtomicInteger created) {
        try {
            store.create(task(ALICE, Duration.ofHours(1)), limit);
            created.incrementAndGet();
            return true;
        } catch (TooManyTasksException e) {
            return false;
        }
    }

    @Test
    void expiredTasksAreReportedToOneNode() throws Exception {
        for (int i = 0; i < 10; i++) {
            create(ALICE, shortTtl());
        }
        pass(shortTtl());
        far.sweep();
        sweepUntil(() -> node.expired.size() + farNode.expired.size() >= 10);
        far.sweep();
        store.sweep();
        assertEquals(10, node.expired.size() + farNode.expired.size());
    }

    @Test
    void oneNodePollsAnOutsideJob() throws Exception {
        TaskRun run = create();
        store.park(run, "job", Duration.ofHours(1).minus(shortTtl()));
        if (!movesClock()) {
            return;
        }
        pass(Duration.ofHours(1).minus(shortTtl()));
        far.sweep();
        sweepUntil(() -> node.polled.size() + farNode.polled.size() >= 1);
        far.sweep();
        store.sweep();
        assertEquals(1, node.polled.size() + farNode.polled.size());
    }

    /** Allows for the sweep of another node, which may take expired tasks at the same time. */
    @Test
    void aJobIsParkedOnAgainWhileTheOtherNodeSweeps() throws Exception {
        List<TaskRun> expired = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TaskRun run = create(ALICE, shortTtl());
            assertTrue(store.park(run, "job " + i, null));
            expired.add(run);
        }
        List<TaskRun> next = create(expired.size());
        pass(shortTtl());
        Thread sweep = Thread.startVirtualThread(far::sweep);
        for (int i = 0; i < next.size(); i++) {
            assertTrue(store.park(next.get(i), "job " + i, null));
        }
        sweep.join();
        for (int i = 0; i < next.size(); i++) {
            assertEquals(
                    next.get(i), store.parked("report", "job " + i).orElseThrow().task().key());
        }
    }

    @Test
    void theOtherNodeTakesOverWhatANodeThatStopsHeld() throws Exception {
        List<TaskRun> runs = create(20);
        TaskRun there = far.create(task(ALICE, Duration.ofHours(1)), NO_LIMIT).key();
        farNode.running.add(there);
        store.close();
        store = contract.furtherNode();
        store.open(new RecordingNode("third"), timers.clock());
        for (TaskRun run : runs) {
            sweepUntil(() -> stored(run).run() == 2);
        }
        assertEquals(1, stored(there).run());
        assertTrue(far.update(there, "still mine", null));
    }
}
