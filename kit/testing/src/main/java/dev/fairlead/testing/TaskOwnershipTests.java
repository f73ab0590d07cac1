package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Ownership of tasks: a foreign task is as good as none. */
@Requirement("TASK-094")
abstract class TaskOwnershipTests extends TaskStoreTests {
    private static final Duration HOUR = Duration.ofHours(1);

    TaskOwnershipTests(TaskStoreContract contract) {
        super(contract);
    }

    @Test
    @Requirement("TASK-095")
    void aForeignTaskIsAnUnknownOne() throws Exception {
        TaskRun run = create();
        store.record(run, "key", json("value"));
        store.ask(run, question(1));
        assertUnknownTo(BOB, run.id());
        assertEquals(TaskState.INPUT_REQUIRED, state(run));
    }

    @Test
    @Requirement("TASK-095")
    void whatAForeignTaskGaveIsUnknown() throws Exception {
        TaskRun run = create();
        store.end(run, result("secret"), null);
        assertUnknownTo(BOB, run.id());
    }

    @Test
    void aForeignTaskThatIsParkedIsAnUnknownOne() throws Exception {
        TaskRun run = create();
        store.park(run, "job", null);
        assertUnknownTo(BOB, run.id());
        assertEquals("job", stored(run).job());
    }

    private void assertUnknownTo(Owner owner, TaskId id) {
        assertEquals(Optional.empty(), store.find(owner, id));
        assertEquals(Set.of(), store.existing(owner, List.of(id)));
        assertEquals(Optional.empty(), store.outcome(owner, id));
        assertEquals(List.of(), store.list(owner, null, 10).tasks());
        assertIsOver(owner, id);
        assertIsLost(new TaskRun(owner, id, 1));
    }

    @Test
    void ofManyIdsThoseOfTheOwnerExist() throws Exception {
        TaskId working = create(ALICE, HOUR).id();
        TaskRun ended = create(ALICE, HOUR);
        store.end(ended, result("done"), null);
        TaskId ofBob = create(BOB, HOUR).id();
        List<TaskId> ids =
                Stream.concat(
                                Stream.of(working, ofBob, ended.id()),
                                IntStream.range(0, 997).mapToObj(i -> new TaskId("no\0 \"" + i)))
                        .toList();
        assertEquals(Set.of(working, ended.id()), store.existing(ALICE, ids));
        assertEquals(Set.of(ofBob), store.existing(BOB, ids));
    }

    @Test
    @Requirement("TASK-096")
    void eachOwnerListsOnlyItsOwnTasks() throws Exception {
        StoredTask ofAlice = stored(create(ALICE, HOUR));
        StoredTask ofBob = stored(create(BOB, HOUR));
        assertEquals(List.of(ofAlice), store.list(ALICE, null, 10).tasks());
        assertEquals(List.of(ofBob), store.list(BOB, null, 10).tasks());
    }

    @Test
    void ownersThatLookAlikeAreDifferent() throws Exception {
        List<Owner> owners =
                List.of(
                        new Owner.Principal("a", "b", null),
                        new Owner.Principal("a", "b", ""),
                        new Owner.Principal("a", "b", "c"),
                        new Owner.Principal("a", "B", "c"),
                        new Owner.Principal("a/b", "c", null),
                        new Owner.Principal("a", "b/c", null),
                        new Owner.Principal("a", "b c", null),
                        new Owner.Local("a"),
                        new Owner.Local("A"),
                        new Owner.Local("anonymous"),
                        new Owner.Local(""));
        for (Owner owner : owners) {
            create(owner, HOUR);
        }
        for (Owner owner : owners) {
            List<StoredTask> listed = store.list(owner, null, 100).tasks();
            assertEquals(List.of(owner), listed.stream().map(StoredTask::owner).toList());
            for (Owner other : owners) {
                assertEquals(
                        other.equals(owner), store.find(other, listed.getFirst().id()).isPresent());
            }
        }
    }

    @Test
    void anonymousOwnersAccessATaskByItsId() throws Exception {
        Owner here = new Owner.Anonymous("here");
        Owner there = new Owner.Anonymous("there");
        TaskRun run = create(here, HOUR);
        assertEquals(Optional.of(stored(run)), store.find(there, run.id()));
        assertEquals(here, store.find(there, run.id()).orElseThrow().owner());
        store.ask(run, question(1));
        assertEquals(1, store.questions(there, run.id()).size());
        assertTrue(store.snapshot(there, run.id()).isPresent());
        assertTrue(store.deliver(there, run.id(), 1, null, FIRST_DELIVERY));
        assertTrue(store.answer(there, run.id(), 1, result("yes")));
        store.end(run, result("done"), null);
        assertOutcome(result("done"), store.outcome(there, run.id()).orElseThrow());
        TaskRun second = create(here, HOUR);
        assertTrue(store.cancel(there, second.id(), null));
        assertEquals(TaskState.CANCELLED, state(second));
    }

    @Test
    void ofTheUnknownEachSessionListsItsOwn() throws Exception {
        TaskRun run = create(new Owner.Anonymous("here"), HOUR);
        assertEquals(1, store.list(run.owner(), null, 10).tasks().size());
        assertEquals(List.of(), store.list(new Owner.Anonymous("there"), null, 10).tasks());
    }

    @Test
    void theUnknownHaveNothingOfTheKnown() throws Exception {
        TaskRun ofAlice = create(ALICE, HOUR);
        TaskRun anonymous = create(new Owner.Anonymous(""), HOUR);
        assertUnknownTo(new Owner.Anonymous("here"), ofAlice.id());
        assertFalse(store.cancel(ALICE, anonymous.id(), null));
        assertFalse(store.cancel(new Owner.Local(), anonymous.id(), null));
    }
}
