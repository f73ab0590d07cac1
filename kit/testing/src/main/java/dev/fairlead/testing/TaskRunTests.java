package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonArray;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;

/** Reports of a run about its task, the ends of tasks, and that an end is final. */
abstract class TaskRunTests extends TaskStoreTests {
    TaskRunTests(TaskStoreContract contract) {
        super(contract);
    }

    @Test
    void statusMessageAndProgressAreKept() throws Exception {
        TaskRun run = create();
        assertTrue(store.update(run, "half", 0.5));
        assertEquals("half", stored(run).statusMessage());
        assertEquals(0.5, stored(run).progress());
        assertEquals(TaskState.WORKING, state(run));
        assertTrue(store.update(run, null, 0.75));
        assertEquals("half", stored(run).statusMessage());
        assertTrue(store.update(run, "nearly", null));
        assertEquals("nearly", stored(run).statusMessage());
        assertEquals(0.75, stored(run).progress());
        assertTrue(store.update(run, null, null));
    }

    @Test
    void progressNeverFalls() throws Exception {
        TaskRun run = create();
        assertTrue(store.update(run, null, 2.5));
        assertTrue(store.update(run, "again", 1.0));
        assertEquals(2.5, stored(run).progress());
        assertEquals("again", stored(run).statusMessage());
        TaskRun next = nextRun(run);
        store.update(next, null, 0.5);
        assertEquals(2.5, stored(next).progress());
    }

    @Test
    void negativeProgressIsKeptToo() throws Exception {
        TaskRun run = create();
        store.update(run, null, -3.0);
        assertEquals(-3.0, stored(run).progress());
        store.update(run, null, 0.0);
        assertEquals(0.0, stored(run).progress());
    }

    @Test
    @Requirement("ROOM-021")
    void theTimeOfTheLastChangeIsThatOfStateOrStatusMessage() throws Exception {
        TaskRun run = create();
        StoredTask created = stored(run);
        pass(Duration.ofMillis(50));
        store.update(run, null, 0.5);
        assertEquals(created.lastUpdatedAt(), stored(run).lastUpdatedAt());
        store.update(run, "half", null);
        StoredTask reported = stored(run);
        assertTrue(reported.lastUpdatedAt().isAfter(created.lastUpdatedAt()));
        pass(Duration.ofMillis(50));
        store.ask(run, question(1));
        StoredTask asking = stored(run);
        assertTrue(asking.lastUpdatedAt().isAfter(reported.lastUpdatedAt()));
        pass(Duration.ofMillis(50));
        cancel(run);
        assertTrue(stored(run).lastUpdatedAt().isAfter(asking.lastUpdatedAt()));
        assertEquals(created.createdAt(), stored(run).createdAt());
    }

    @Test
    void aTaskEndsWithAResult() throws Exception {
        assertEndsWith(result("done"), TaskState.RESULT);
    }

    @Test
    void aTaskEndsWithAResultThatSaysThatItFailed() throws Exception {
        assertEndsWith(failure("failed"), TaskState.FAILURE);
    }

    @Test
    void aTaskEndsWithAnError() throws Exception {
        assertEndsWith(error("broken"), TaskState.ERROR);
    }

    private void assertEndsWith(TaskOutcome outcome, TaskState state) throws Exception {
        TaskRun run = create();
        assertEquals(Optional.empty(), store.outcome(ALICE, run.id()));
        assertTrue(store.end(run, outcome, "over"));
        assertEquals(state, state(run));
        assertEquals("over", stored(run).statusMessage());
        assertOutcome(outcome, outcome(run));
        assertOutcome(outcome, outcome(run));
    }

    @Test
    void aLargeResultComesBackByteForByte() throws Exception {
        TaskRun run = create();
        TaskOutcome large = new TaskOutcome.Result(megabyte(), false);
        assertTrue(store.end(run, large, null));
        assertOutcome(large, outcome(run));
    }

    @Test
    void anErrorComesBackUnchanged() throws Exception {
        for (String text : HOSTILE_TEXTS) {
            TaskRun run = create();
            TaskOutcome error =
                    new TaskOutcome.Error(
                            new JsonRpcError(Integer.MIN_VALUE, text, JsonArray.of(text, 1.5)));
            store.end(run, error, text);
            assertOutcome(error, outcome(run));
            assertEquals(text, stored(run).statusMessage());
        }
        TaskRun bare = create();
        store.end(bare, new TaskOutcome.Error(new JsonRpcError(0, "")), null);
        assertOutcome(new TaskOutcome.Error(new JsonRpcError(0, "")), outcome(bare));
    }

    @Test
    void withoutAStatusMessageTheLastOneStays() throws Exception {
        TaskRun ended = create();
        store.update(ended, "half", null);
        store.end(ended, result("done"), null);
        assertEquals("half", stored(ended).statusMessage());
        TaskRun cancelled = create();
        store.update(cancelled, "half", null);
        store.cancel(ALICE, cancelled.id(), null);
        assertEquals("half", stored(cancelled).statusMessage());
        TaskRun silent = create();
        store.end(silent, result("done"), null);
        assertNull(stored(silent).statusMessage());
    }

    @Test
    void aCancelledTaskHasNoOutcome() throws Exception {
        TaskRun run = create();
        assertTrue(store.cancel(ALICE, run.id(), "not wanted"));
        assertEquals(TaskState.CANCELLED, state(run));
        assertEquals("not wanted", stored(run).statusMessage());
        assertEquals(Optional.empty(), store.outcome(ALICE, run.id()));
    }

    @Test
    @Requirement({"TASK-035", "TASK-036", "TASK-084"})
    void whatHasEndedChangesNoMore() throws Exception {
        for (TaskOutcome outcome : new TaskOutcome[] {result("x"), failure("x"), error("x")}) {
            TaskRun run = create();
            store.record(run, "key", json("value"));
            store.ask(run, question(1));
            store.end(run, outcome, "over");
            assertIsLost(run);
            assertIsOver(ALICE, run.id());
            assertOutcome(outcome, outcome(run));
        }
        TaskRun cancelled = create();
        store.record(cancelled, "key", json("value"));
        store.ask(cancelled, question(1));
        cancel(cancelled);
        assertIsLost(cancelled);
        assertIsOver(ALICE, cancelled.id());
        assertEquals(Optional.empty(), store.outcome(ALICE, cancelled.id()));
    }

    @Test
    @Requirement("TASK-035")
    void aTaskCanBeCancelledOrEndWhileItWaitsForAnAnswer() throws Exception {
        TaskRun cancelled = create();
        store.ask(cancelled, question(1));
        assertTrue(cancel(cancelled));
        TaskRun ended = create();
        store.ask(ended, question(1));
        assertTrue(store.end(ended, error("given up"), null));
        assertEquals(TaskState.ERROR, state(ended));
    }

    @Test
    void onlyThePresentRunHoldsTheTask() throws Exception {
        TaskRun first = create();
        store.record(first, "key", json("value"));
        store.ask(first, question(1));
        answer(first, 1, "yes");
        TaskRun second = nextRun(first);
        assertEquals(2, second.number());
        assertIsLost(first);
        assertIsLost(new TaskRun(ALICE, first.id(), 3));
        assertIsLost(new TaskRun(ALICE, first.id(), 0));
        assertIsLost(new TaskRun(ALICE, first.id(), Long.MAX_VALUE));
        assertTrue(store.update(second, "going on", null));
        assertTrue(store.end(second, result("done"), null));
    }

    @Test
    void releasingARunChangesNoTask() throws Exception {
        TaskRun ended = create();
        store.end(ended, result("done"), "over");
        assertReleased(ended);
        TaskRun cancelled = create();
        cancel(cancelled);
        assertReleased(cancelled);
        TaskRun parked = create();
        store.park(parked, "job", null);
        assertReleased(parked);
        assertFalse(store.parked("report", "job").isEmpty());
        TaskRun resumed = store.resume(parked).orElseThrow().task().key();
        assertReleased(parked);
        assertTrue(store.update(resumed, "going on", null));
    }

    private void assertReleased(TaskRun run) {
        StoredTask before = stored(run);
        store.release(run);
        store.release(run);
        assertEquals(before, stored(run));
    }
}
