package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.AnsweredQuestion;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskQuestion.Asked;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Creation of tasks in a store, and their state afterwards. */
abstract class TaskCreationTests extends TaskStoreTests {
    TaskCreationTests(TaskStoreContract contract) {
        super(contract);
    }

    @Test
    void aTaskHasTheAnswersAndValuesThatItWasStoredWith() throws Exception {
        NewTask task =
                new NewTask(
                        new TaskId("task-with-answers"),
                        ALICE,
                        "tools/call",
                        "report",
                        json("origin"),
                        null,
                        Duration.ofHours(1),
                        true,
                        List.of(
                                new AnsweredQuestion(
                                        "digest-1", "elicitation/create", result("one")),
                                new AnsweredQuestion("digest-2", "roots/list", error("denied"))),
                        Map.of("price", json("7"), "\u0000", megabyte()));
        StoredTask created = store.create(task, 1);
        assertEquals(TaskState.WORKING, created.state());
        TaskRun run = created.key();
        TaskSnapshot look = store.snapshot(ALICE, task.id()).orElseThrow();
        assertEquals(created, look.task());
        assertEquals(List.of(), look.questions());
        assertOutcome(result("one"), store.answer(run, 1).orElseThrow());
        assertOutcome(error("denied"), store.answer(run, 2).orElseThrow());
        assertOutcome(
                result("one"),
                assertInstanceOf(Asked.Answered.class, store.ask(run, question(1))).answer());
        assertInstanceOf(Asked.Mismatch.class, store.ask(run, question(2, "other")));
        assertInstanceOf(Asked.Open.class, store.ask(run, question(3)));
        assertFalse(store.answer(ALICE, task.id(), 1, result("late")));
        assertBytes(json("7"), store.record(run, "price", json("8")).orElseThrow());
        assertBytes(
                megabyte(),
                assertInstanceOf(Recorded.Value.class, store.recorded(run, "\u0000")).value());
        TaskRun second = nextRun(run);
        assertOutcome(result("one"), store.answer(second, 1).orElseThrow());
        assertBytes(json("7"), store.record(second, "price", json("9")).orElseThrow());
    }

    @Test
    void whereATaskIsRefusedNothingOfItIsStored() throws Exception {
        create();
        NewTask task =
                new NewTask(
                        new TaskId("refused"),
                        ALICE,
                        "tools/call",
                        "report",
                        json("origin"),
                        null,
                        Duration.ofHours(1),
                        true,
                        List.of(new AnsweredQuestion("digest-1", "roots/list", result("one"))),
                        Map.of("key", json("value")));
        assertThrows(TooManyTasksException.class, () -> store.create(task, 1));
        assertEquals(Optional.empty(), store.snapshot(ALICE, task.id()));
        TaskRun run = store.create(task, 2).key();
        assertOutcome(result("one"), store.answer(run, 1).orElseThrow());
    }

    @Test
    @Requirement("TASK-023")
    void aTaskIsFoundAsItWasStored() throws Exception {
        NewTask task =
                new NewTask(
                        new TaskId("a-task"),
                        ALICE,
                        "tools/call",
                        "report",
                        json("origin"),
                        ProgressToken.of(Long.MAX_VALUE),
                        Duration.ofMillis(3_600_001),
                        false);
        StoredTask created = store.create(task, 1);
        assertEquals(Optional.of(created), store.find(ALICE, task.id()));
        assertEquals(task.id(), created.id());
        assertEquals(ALICE, created.owner());
        assertEquals("tools/call", created.method());
        assertEquals("report", created.name());
        assertEquals(task.progressToken(), created.progressToken());
        assertEquals(TaskState.WORKING, created.state());
        assertNull(created.statusMessage());
        assertEquals(created.createdAt(), created.lastUpdatedAt());
        assertEquals(task.ttl(), created.ttl());
        assertEquals(new TaskRun(ALICE, task.id(), 1), created.key());
        assertFalse(created.rerunnable());
        assertNull(created.job());
        assertNull(created.progress());
        assertEquals(Optional.empty(), store.outcome(ALICE, task.id()));
    }

    @Test
    void whatATaskHasNotIsNotThere() throws Exception {
        NewTask task =
                new NewTask(
                        new TaskId("a-task"),
                        new Owner.Local(),
                        "sampling/createMessage",
                        "",
                        RawJson.EMPTY_OBJECT,
                        null,
                        Duration.ofHours(1),
                        true);
        StoredTask created = store.create(task, 1);
        assertEquals("", created.name());
        assertNull(created.progressToken());
        assertTrue(created.rerunnable());
    }

    @Test
    void theOriginComesBackByteForByte() throws Exception {
        TaskRun run = store.create(task(ALICE, Duration.ofHours(1), megabyte()), NO_LIMIT).key();
        store.park(run, "job", null);
        assertBytes(megabyte(), store.parked("report", "job").orElseThrow().origin());
        TakenTask resumed = store.resume(run).orElseThrow();
        assertBytes(megabyte(), resumed.origin());
    }

    @Test
    void textsOfAnyKindComeBackAsTheyWere() throws Exception {
        int tasks = 0;
        for (String text : HOSTILE_TEXTS) {
            Owner owner = new Owner.Principal(text, text, text);
            NewTask task =
                    new NewTask(
                            new TaskId("task-" + ++tasks),
                            owner,
                            text,
                            text,
                            json(text),
                            new ProgressToken(JsonValue.of(text)),
                            Duration.ofHours(1),
                            true);
            StoredTask created = store.create(task, 1);
            store.update(created.key(), text, null);
            StoredTask found = store.find(owner, task.id()).orElseThrow();
            assertEquals(owner, found.owner());
            assertEquals(text, found.method());
            assertEquals(text, found.name());
            assertEquals(text, found.statusMessage());
            assertEquals(task.progressToken(), found.progressToken());
        }
    }

    @Test
    void idsOfAnyKindAreUnknownUnlessThereIsSuchATask() throws Exception {
        NewTask task =
                new NewTask(
                        new TaskId("Known"),
                        ALICE,
                        "tools/call",
                        "report",
                        json("origin"),
                        null,
                        Duration.ofHours(1),
                        true);
        store.create(task, 1);
        assertUnknown("known");
        assertUnknown("Known ");
        assertUnknown("Know_");
        assertUnknown("Known\u0000");
        assertUnknown("\uD800 half a pair");
        HOSTILE_TEXTS.forEach(this::assertUnknown);
        assertTrue(store.find(ALICE, task.id()).isPresent());
    }

    private void assertUnknown(String text) {
        TaskId id = new TaskId(text);
        assertEquals(Optional.empty(), store.find(ALICE, id));
        assertEquals(Optional.empty(), store.outcome(ALICE, id));
        assertIsOver(ALICE, id);
        assertIsLost(new TaskRun(ALICE, id, 1));
    }

    @Test
    @Requirement("TASK-022")
    void anIdCannotBeTakenTwice() throws Exception {
        NewTask task = task(ALICE, Duration.ofHours(1));
        StoredTask first = store.create(task, NO_LIMIT);
        NewTask foreign = withOwner(task, BOB);
        assertThrows(IllegalArgumentException.class, () -> store.create(task, NO_LIMIT));
        assertThrows(IllegalArgumentException.class, () -> store.create(foreign, NO_LIMIT));
        assertEquals(Optional.of(first), store.find(ALICE, task.id()));
        assertEquals(Optional.empty(), store.find(BOB, task.id()));
    }

    private static NewTask withOwner(NewTask task, Owner owner) {
        return new NewTask(
                task.id(),
                owner,
                task.method(),
                task.name(),
                task.origin(),
                task.progressToken(),
                task.ttl(),
                task.rerunnable());
    }

    @Test
    @Requirement("TASK-101")
    void anOwnerHasOnlySoManyTasksThatHaveNotEnded() throws Exception {
        TaskRun working = store.create(task(ALICE, Duration.ofHours(1)), 3).key();
        TaskRun asking = store.create(task(ALICE, Duration.ofHours(1)), 3).key();
        store.ask(asking, question(1));
        TaskRun parked = store.create(task(ALICE, Duration.ofHours(1)), 3).key();
        store.park(parked, "job", null);
        assertRefused(ALICE, 3);
        store.create(task(BOB, Duration.ofHours(1)), 3);
        store.create(task(ALICE, Duration.ofHours(1)), 4);
        store.end(working, error("gone"), null);
        assertRefused(ALICE, 3);
        cancel(asking);
        store.create(task(ALICE, Duration.ofHours(1)), 3);
        assertRefused(ALICE, 3);
        store.end(parked, result("done"), null);
        store.create(task(ALICE, Duration.ofHours(1)), 3);
    }

    private void assertRefused(Owner owner, int maxActive) {
        int before = store.list(owner, null, 100).tasks().size();
        TooManyTasksException refused =
                assertThrows(
                        TooManyTasksException.class,
                        () -> store.create(task(owner, Duration.ofHours(1)), maxActive));
        assertNotNull(refused.getMessage());
        assertEquals(before, store.list(owner, null, 100).tasks().size());
    }

    @Test
    void sessionsOfTheUnknownAreLimitedEachForItself() throws Exception {
        Owner here = new Owner.Anonymous("here");
        store.create(task(here, Duration.ofHours(1)), 1);
        store.create(task(new Owner.Anonymous("there"), Duration.ofHours(1)), 1);
        assertRefused(here, 1);
    }

    @Test
    @Requirement("TASK-101")
    void theLimitIsExactHoweverManyAskAtOnce() throws Exception {
        AtomicInteger created = new AtomicInteger();
        List<Integer> attempts = Collections.nCopies(40, 0);
        Race<Integer> race = new Race<>(attempts);
        for (int i = 0; i < 4; i++) {
            race.with(attempt -> createsWithin(97, created));
        }
        race.winners();
        assertEquals(97, created.get());
        assertEquals(97, store.list(ALICE, null, 1_000).tasks().size());
    }

    private boolean createsWithin(int limit, AtomicInteger created) {
        try {
            store.create(task(ALICE, Duration.ofHours(1)), limit);
            created.incrementAndGet();
            return true;
        } catch (TooManyTasksException e) {
            return false;
        }
    }
}
