package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;

/** Tasks that wait for an outside job. */
abstract class ParkedTaskTests extends TaskStoreTests {
    private static final String NAME = "report";

    ParkedTaskTests(TaskStoreContract contract) {
        super(contract);
    }

    @Test
    void aParkedTaskIsFoundByItsJobAndHeldByNoRun() throws Exception {
        TaskRun run = create();
        store.record(run, "key", json("value"));
        store.ask(run, question(1));
        answer(run, 1, "yes");
        assertTrue(store.park(run, "job", null));
        assertEquals("job", stored(run).job());
        assertEquals(TaskState.WORKING, state(run));
        assertHoldsNothing(run);
        TakenTask parked = store.parked(NAME, "job").orElseThrow();
        assertEquals(stored(run), parked.task());
        assertBytes(json("origin"), parked.origin());
    }

    @Test
    void onlyItsNameAndJobFindIt() throws Exception {
        TaskRun run = create();
        store.park(run, "job", null);
        assertEquals(Optional.empty(), store.parked(NAME, "JOB"));
        assertEquals(Optional.empty(), store.parked(NAME, "job "));
        assertEquals(Optional.empty(), store.parked("other", "job"));
        assertEquals(Optional.empty(), store.parked(NAME + "job", ""));
        assertEquals(Optional.empty(), store.parked("", NAME + "job"));
    }

    @Test
    void jobsOfAnyKindAreDifferentJobs() throws Exception {
        for (String job : HOSTILE_TEXTS) {
            TaskRun run = create();
            assertTrue(store.park(run, job, null));
            TakenTask parked = store.parked(NAME, job).orElseThrow();
            assertEquals(run, parked.task().key());
            assertEquals(job, parked.task().job());
        }
    }

    @Test
    void aParkedTaskCanEnd() throws Exception {
        TaskRun run = create();
        store.park(run, "job", null);
        assertTrue(store.end(run, result("done"), "over"));
        assertEquals(TaskState.RESULT, state(run));
        assertOutcome(result("done"), outcome(run));
        assertNull(stored(run).job());
        assertEquals(Optional.empty(), store.parked(NAME, "job"));
        assertIsLost(run);
    }

    @Test
    void aParkedTaskCanBeCancelled() throws Exception {
        TaskRun run = create();
        store.park(run, "job", null);
        assertTrue(cancel(run));
        assertNull(stored(run).job());
        assertEquals(Optional.empty(), store.parked(NAME, "job"));
        assertIsLost(run);
    }

    @Test
    void aParkedTaskContinuesInItsNextRun() throws Exception {
        TaskRun run = create();
        store.update(run, "half", 0.5);
        store.park(run, "job", null);
        TakenTask resumed = store.resume(run).orElseThrow();
        StoredTask task = resumed.task();
        assertEquals(stored(run), task);
        assertEquals(2, task.run());
        assertNull(task.job());
        assertEquals("half", task.statusMessage());
        assertEquals(0.5, task.progress());
        assertBytes(json("origin"), resumed.origin());
        assertEquals(Optional.empty(), store.parked(NAME, "job"));
        assertEquals(Optional.empty(), store.resume(run));
        assertEquals(Optional.empty(), store.resume(task.key()));
        assertIsLost(run);
        assertTrue(store.park(task.key(), "job", null));
        assertEquals(task.key(), store.parked(NAME, "job").orElseThrow().task().key());
    }

    @Test
    void whatIsNotParkedCannotBeResumed() throws Exception {
        TaskRun run = create();
        assertEquals(Optional.empty(), store.resume(run));
        store.park(run, "job", null);
        assertEquals(Optional.empty(), store.resume(new TaskRun(ALICE, run.id(), 2)));
        assertEquals(run, store.parked(NAME, "job").orElseThrow().task().key());
    }

    @Test
    void aJobHasOneTaskOfAName() throws Exception {
        TaskRun first = create();
        TaskRun second = create(BOB, Duration.ofHours(1));
        store.park(first, "job", null);
        StoredTask before = stored(second);
        assertThrows(IllegalArgumentException.class, () -> store.park(second, "job", null));
        assertEquals(before, stored(second));
        assertTrue(store.update(second, "still held", null));
        assertEquals(first, store.parked(NAME, "job").orElseThrow().task().key());
        NewTask other =
                new NewTask(
                        new TaskId("other"),
                        ALICE,
                        "tools/call",
                        "other",
                        json("origin"),
                        null,
                        Duration.ofHours(1),
                        true);
        assertTrue(store.park(store.create(other, NO_LIMIT).key(), "job", null));
    }

    @Test
    void aJobIsFreeOnceItsTaskIsNotParkedOnItAnyMore() throws Exception {
        TaskRun ended = create();
        store.park(ended, "job", null);
        store.end(ended, result("done"), null);
        TaskRun cancelled = create();
        assertTrue(store.park(cancelled, "job", null));
        cancel(cancelled);
        TaskRun resumed = create();
        assertTrue(store.park(resumed, "job", null));
        store.resume(resumed);
        assertTrue(store.park(create(), "job", null));
    }

    @Test
    void aRunThatIsLostCannotParkOnAJobThatIsTaken() throws Exception {
        store.park(create(), "job", null);
        TaskRun cancelled = create();
        cancel(cancelled);
        assertFalse(store.park(cancelled, "job", null));
    }

    @Test
    void outsideJobsArePolledEachTimeTheirTimeHasPassed() throws Exception {
        Duration every = Duration.ofMillis(300);
        TaskRun run = create();
        store.park(run, "job", every);
        store.sweep();
        assertTrue(movesClock() ? node.polled.isEmpty() : node.polled.size() <= 1);
        pass(every);
        sweepUntil(() -> !node.polled.isEmpty());
        assertEquals(stored(run), node.polled.getFirst().task());
        assertBytes(json("origin"), node.polled.getFirst().origin());
        int before = node.polled.size();
        pass(every);
        sweepUntil(() -> node.polled.size() > before);
        assertTrue(movesClock() ? node.polled.size() == 2 : node.polled.size() >= 2);
    }

    @Test
    void aLongTimeIsOnePoll() throws Exception {
        if (!movesClock()) {
            return;
        }
        store.park(create(), "job", Duration.ofSeconds(1));
        pass(Duration.ofMinutes(10));
        sweepUntil(() -> !node.polled.isEmpty());
        store.sweep();
        store.sweep();
        assertEquals(1, node.polled.size());
    }

    @Test
    void nothingIsPolledThatIsNotParkedOrNeedsNoPolls() throws Exception {
        Duration every = shortTtl();
        TaskRun ended = create();
        store.park(ended, "ended", every);
        store.end(ended, result("done"), null);
        TaskRun cancelled = create();
        store.park(cancelled, "cancelled", every);
        cancel(cancelled);
        TaskRun resumed = create();
        store.park(resumed, "resumed", every);
        store.resume(resumed);
        store.park(create(), "without polls", null);
        TaskRun last = create();
        store.park(last, "last", every);
        pass(every);
        sweepUntil(() -> !node.polled.isEmpty());
        assertTrue(
                node.polled.stream().allMatch(polled -> polled.task().key().equals(last)),
                () -> "polled: " + node.polled);
    }
}
