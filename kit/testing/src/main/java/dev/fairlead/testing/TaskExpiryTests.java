package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The end of the time of a task, and jumps of the clock. */
abstract class TaskExpiryTests extends TaskStoreTests {
    private static final Duration DAY = Duration.ofDays(1);

    TaskExpiryTests(TaskStoreContract contract) {
        super(contract);
    }

    private TaskRun createShort() throws Exception {
        return create(ALICE, shortTtl());
    }

    @Test
    void aTaskExpiresAtItsTimeAndNotBefore() throws Exception {
        TaskRun run = createShort();
        StoredTask created = stored(run);
        assertEquals(created.createdAt().plus(shortTtl()), created.expiresAt());
        if (movesClock()) {
            pass(shortTtl().minusMillis(1));
            assertEquals(created, stored(run));
            assertTrue(store.update(run, "just in time", null));
            pass(Duration.ofMillis(1));
        } else {
            pass(shortTtl());
        }
        assertExpired(run);
    }

    /** Asserts that a task has expired for every caller, without a sweep. */
    private void assertExpired(TaskRun run) {
        assertEquals(TaskState.EXPIRED, state(run));
        assertEquals(Set.of(), store.existing(run.owner(), List.of(run.id())));
        assertEquals(Optional.empty(), store.outcome(run.owner(), run.id()));
        store.snapshot(run.owner(), run.id())
                .ifPresent(
                        look -> {
                            assertEquals(TaskState.EXPIRED, look.task().state());
                            assertEquals(List.of(), look.questions());
                            assertNull(look.outcome());
                        });
        assertTrue(
                store.list(run.owner(), null, 1_000).tasks().stream()
                        .noneMatch(task -> task.id().equals(run.id())));
        assertIsOver(run.owner(), run.id());
        assertIsLost(run);
    }

    @Test
    void aTaskThatWaitsForAnAnswerExpires() throws Exception {
        TaskRun run = createShort();
        store.record(run, "key", json("value"));
        store.ask(run, question(1));
        store.deliver(ALICE, run.id(), 1, null, FIRST_DELIVERY);
        pass(shortTtl());
        assertExpired(run);
        assertFalse(store.deliver(ALICE, run.id(), 1, FIRST_DELIVERY, null));
    }

    @Test
    void aParkedTaskExpiresAndItsJobIsFree() throws Exception {
        TaskRun run = createShort();
        store.park(run, "job", null);
        pass(shortTtl());
        TaskRun next = create();
        assertTrue(store.park(next, "job", null));
        assertEquals(next, store.parked("report", "job").orElseThrow().task().key());
        assertExpired(run);
    }

    @Test
    void theJobOfAnExpiredTaskFindsNothing() throws Exception {
        TaskRun run = createShort();
        store.park(run, "job", null);
        pass(shortTtl());
        assertEquals(Optional.empty(), store.parked("report", "job"));
        assertEquals(Optional.empty(), store.resume(run));
    }

    @Test
    void whatATaskGaveExpiresWithIt() throws Exception {
        TaskRun ended = createShort();
        store.end(ended, result("done"), "over");
        TaskRun cancelled = createShort();
        cancel(cancelled);
        pass(shortTtl());
        assertExpired(ended);
        assertExpired(cancelled);
    }

    @Test
    void expiredTasksDoNotCountForTheLimitOfTheirOwner() throws Exception {
        store.create(task(ALICE, DAY), 3);
        store.create(task(ALICE, shortTtl()), 3);
        store.create(task(ALICE, shortTtl()), 3);
        pass(shortTtl());
        store.create(task(ALICE, DAY), 3);
        store.create(task(ALICE, DAY), 3);
        assertThrows(TooManyTasksException.class, () -> store.create(task(ALICE, DAY), 3));
    }

    @Test
    void aTaskThatExpiredBeforeItHadEndedIsReportedOnce() throws Exception {
        TaskRun working = createShort();
        TaskRun asking = createShort();
        store.ask(asking, question(1));
        TaskRun parked = createShort();
        store.park(parked, "job", null);
        List<TaskRun> due = new ArrayList<>(List.of(working, asking, parked));
        TaskRun ended = createShort();
        if (!store.end(ended, result("done"), null)) {
            due.add(ended); // this thread was delayed until then
        }
        TaskRun cancelled = createShort();
        if (!cancel(cancelled)) {
            due.add(cancelled);
        }
        create();
        pass(shortTtl());
        assertEquals(TaskState.EXPIRED, state(working));
        sweepUntil(() -> node.expired.size() >= due.size());
        store.sweep();
        store.sweep();
        assertEquals(due.size(), node.expired.size());
        assertEquals(
                Set.copyOf(due.stream().map(TaskRun::id).toList()),
                new HashSet<>(node.expired.stream().map(StoredTask::id).toList()));
        assertTrue(node.expired.stream().allMatch(task -> task.state() == TaskState.EXPIRED));
        assertTrue(node.expired.stream().allMatch(task -> task.owner().equals(ALICE)));
    }

    @Test
    void sweepsAtTheSameTimeReportOnce() throws Exception {
        for (int i = 0; i < 50; i++) {
            createShort();
        }
        pass(shortTtl());
        Race<Integer> race = new Race<>(List.of(1, 2, 3));
        for (int i = 0; i < 4; i++) {
            race.with(
                    round -> {
                        store.sweep();
                        return true;
                    });
        }
        race.winners();
        sweepUntil(() -> node.expired.size() >= 50);
        assertEquals(50, node.expired.size());
        assertEquals(50, node.expired.stream().map(StoredTask::id).distinct().count());
    }

    @Test
    @Requirement("TASK-103")
    void anExpiredTaskIsUnknownAfterTheRetention() throws Exception {
        node.retention = Duration.ofMillis(700);
        TaskRun working = createShort();
        TaskRun ended = createShort();
        store.end(ended, result("done"), null);
        TaskRun living = create();
        pass(shortTtl());
        store.sweep();
        if (movesClock()) {
            pass(node.retention.minusMillis(1));
            store.sweep();
            assertEquals(TaskState.EXPIRED, state(working));
            assertEquals(TaskState.EXPIRED, state(ended));
        }
        pass(node.retention);
        sweepUntil(() -> store.find(ALICE, working.id()).isEmpty());
        sweepUntil(() -> store.find(ALICE, ended.id()).isEmpty());
        assertIsOver(ALICE, working.id());
        assertIsLost(working);
        assertTrue(store.update(living, "still there", null));
        assertEquals(List.of(stored(living)), store.list(ALICE, null, 10).tasks());
    }

    @Test
    void whatWasNeverSweptExpiresIsReportedAndPurgedAfterALongTime() throws Exception {
        boolean sweepsByItself = store.sweepInterval().isEmpty();
        if (!movesClock() || sweepsByItself) {
            return;
        }
        TaskRun run = createShort();
        pass(DAY);
        assertExpired(run);
        sweepUntil(() -> store.find(ALICE, run.id()).isEmpty());
        assertEquals(List.of(run.id()), node.expired.stream().map(StoredTask::id).toList());
    }

    @Test
    void aClockThatJumpsBackMakesNothingThatExpiredLive() throws Exception {
        if (!movesClock()) {
            return;
        }
        TaskRun run = createShort();
        pass(DAY);
        sweepUntil(() -> node.expired.size() == 1);
        timers.setClock(DAY.negated());
        TaskRun next = create();
        assertEquals(Optional.empty(), store.find(ALICE, run.id()).filter(this::lives));
        assertIsLost(run);
        assertEquals(List.of(stored(next)), store.list(ALICE, null, 10).tasks());
    }

    private boolean lives(StoredTask task) {
        return task.state() != TaskState.EXPIRED;
    }

    @Test
    void aClockThatJumpsBackDisturbsNothingThatLives() throws Exception {
        if (!movesClock()) {
            return;
        }
        TaskRun run = createShort();
        Instant created = stored(run).createdAt();
        timers.setClock(DAY.negated());
        store.sweep();
        assertTrue(store.update(run, "notified", 0.5));
        assertEquals(created, stored(run).lastUpdatedAt());
        TaskRun next = createShort();
        assertTrue(stored(next).createdAt().isBefore(created));
        assertEquals(List.of(stored(run), stored(next)), store.list(ALICE, null, 10).tasks());
        pass(shortTtl());
        assertExpired(next);
        assertTrue(store.end(run, result("done"), "over"));
        assertEquals(created, stored(run).lastUpdatedAt());
        assertOutcome(result("done"), outcome(run));
    }

    @Test
    void aClockThatJumpsForwardExpiresWhatIsDueAndNothingElse() throws Exception {
        if (!movesClock()) {
            return;
        }
        node.retention = DAY.multipliedBy(2); // the store may sweep at any time
        TaskRun due = createShort();
        TaskRun living = create(ALICE, DAY.multipliedBy(2));
        timers.advance(DAY);
        assertExpired(due);
        assertTrue(store.update(living, "notified", null));
        assertEquals(stored(living).createdAt().plus(DAY), stored(living).lastUpdatedAt());
        assertTrue(store.end(living, result("done"), null));
    }
}
