package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskQuestion.Asked;
import dev.fairlead.tasks.TaskQuestion.Delivery;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TooManyTasksException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** A part of {@link TaskStoreContract}: an open store, with actions and assertions for tests. */
abstract class TaskStoreTests {
    static final Owner ALICE = new Owner.Principal("https://issuer.example", "alice", "app");
    static final Owner BOB = new Owner.Principal("https://issuer.example", "bob", "app");
    static final int NO_LIMIT = Integer.MAX_VALUE;
    static final Delivery FIRST_DELIVERY = new Delivery("first", false);
    static final Delivery SECOND_DELIVERY = new Delivery("second", true);

    /** Texts that stores have failed on. */
    static final List<String> HOSTILE_TEXTS =
            List.of(
                    "",
                    " ",
                    "'; drop table mcp_task; --",
                    "\"double\" 'single' `back` \\ \\u0000 \\\\ %s ? :name $1 {0}",
                    "nul \u0000 inside \u0000",
                    "line\nend\r\n\t\u2028",
                    "\u00FC \u65E5\u672C \uD83D\uDE00 e\u0301 \uFEFF",
                    "%_*",
                    "0123456789".repeat(1_000));

    final ManualTimers timers = new ManualTimers();
    final RecordingNode node = new RecordingNode("near");

    private final TaskStoreContract contract;

    @SuppressWarnings("NullAway.Init") // JUnit calls openStore first
    TaskStore store;

    TaskStoreTests(TaskStoreContract contract) {
        this.contract = contract;
    }

    @BeforeEach
    final void openStore() throws Exception {
        store = contract.newStore();
        store.open(node, timers.clock());
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    // ---- time

    final boolean movesClock() {
        return !contract.hasClockOfItsOwn();
    }

    /** Returns a time to live that {@link #pass} can wait for. */
    final Duration shortTtl() {
        return movesClock() ? Duration.ofMinutes(1) : Duration.ofMillis(1_500);
    }

    /** Lets time pass for the store. */
    final void pass(Duration duration) {
        if (movesClock()) {
            timers.advance(duration);
        } else {
            RealTime.pass(duration.plusMillis(20));
        }
    }

    /** Sweeps until a condition holds. */
    final void sweepUntil(BooleanSupplier condition) {
        RealTime.until(
                () -> {
                    store.sweep();
                    return condition.getAsBoolean();
                });
    }

    // ---- values

    static NewTask task(Owner owner, Duration ttl) {
        return task(owner, ttl, json("origin"));
    }

    static NewTask task(Owner owner, Duration ttl, RawJson origin) {
        TaskId id = new TaskId(UUID.randomUUID().toString());
        return new NewTask(id, owner, "tools/call", "report", origin, null, ttl, true);
    }

    static RawJson json(String text) {
        return RawJson.of(JsonObject.of("text", text));
    }

    /** Returns a MiB of JSON, with blanks and escapes that a parser would lose. */
    static RawJson megabyte() {
        String unit = "{ \"a\" : 1.0e0,\"\\u0041\\/\\u0000\":\"\u00FC\uD83D\uDE00\" } ,\n";
        return RawJson.parse("[" + unit.repeat((1 << 20) / unit.length()) + "null ]");
    }

    static TaskOutcome result(String text) {
        return new TaskOutcome.Result(json(text), false);
    }

    static TaskOutcome failure(String text) {
        return new TaskOutcome.Result(json(text), true);
    }

    static TaskOutcome error(String message) {
        return new TaskOutcome.Error(new JsonRpcError(-32_001, message, JsonObject.of("n", 1)));
    }

    static TaskQuestion question(int ordinal) {
        return question(ordinal, "digest-" + ordinal);
    }

    static TaskQuestion question(int ordinal, String digest) {
        return new TaskQuestion(
                ordinal, digest, "elicitation/create", json("question " + ordinal), null);
    }

    // ---- actions of tests

    final TaskRun create() throws TooManyTasksException {
        return create(ALICE, Duration.ofHours(1));
    }

    final TaskRun create(Owner owner, Duration ttl) throws TooManyTasksException {
        return store.create(task(owner, ttl), NO_LIMIT).key();
    }

    final StoredTask stored(TaskRun run) {
        return store.find(run.owner(), run.id())
                .orElseGet(() -> fail("find returned no task for " + run));
    }

    final TaskState state(TaskRun run) {
        return stored(run).state();
    }

    final TaskOutcome outcome(TaskRun run) {
        return store.outcome(run.owner(), run.id())
                .orElseGet(() -> fail("outcome returned nothing for " + run));
    }

    final List<TaskQuestion> questions(TaskRun run) {
        return store.questions(run.owner(), run.id());
    }

    final boolean cancel(TaskRun run) {
        return store.cancel(run.owner(), run.id(), "cancelled");
    }

    final boolean answer(TaskRun run, int ordinal, String text) {
        return store.answer(run.owner(), run.id(), ordinal, result(text));
    }

    /** Parks a task and begins its next run. */
    final TaskRun nextRun(TaskRun run) {
        assertTrue(store.park(run, "job of " + run, null));
        return store.resume(run).orElseThrow().task().key();
    }

    /** Returns the value recorded under a key, which must exist. */
    final RawJson recorded(TaskRun run, String key) {
        return assertInstanceOf(Recorded.Value.class, store.recorded(run, key)).value();
    }

    // ---- assertions

    static void assertBytes(RawJson expected, RawJson actual) {
        assertArrayEquals(expected.toBytes(), actual.toBytes());
    }

    static void assertOutcome(TaskOutcome expected, TaskOutcome actual) {
        switch (expected) {
            case TaskOutcome.Error error -> assertEquals(error, actual);
            case TaskOutcome.Result result -> {
                TaskOutcome.Result given = assertInstanceOf(TaskOutcome.Result.class, actual);
                assertEquals(result.failure(), given.failure());
                assertBytes(result.value(), given.value());
            }
        }
    }

    /** Asserts that every change fails that only a run that holds its task may make. */
    final void assertHoldsNothing(TaskRun run) {
        Optional<StoredTask> before = store.find(run.owner(), run.id());
        assertFalse(store.update(run, "late", 1e9), "update");
        assertInstanceOf(Asked.Lost.class, store.ask(run, question(1)), "ask");
        assertInstanceOf(Asked.Lost.class, store.ask(run, question(99)), "ask");
        assertEquals(Optional.empty(), store.answer(run, 1), "answer");
        assertEquals(Optional.empty(), store.record(run, "key", json("late")), "record");
        assertInstanceOf(Recorded.Lost.class, store.recorded(run, "key"), "recorded");
        assertFalse(store.withdraw(run, 1, result("late")), "withdraw");
        assertFalse(store.park(run, "late job", null), "park");
        assertEquals(before, store.find(run.owner(), run.id()), "nothing has changed");
    }

    /** Asserts that every change fails that a run may make which holds its task or is parked. */
    final void assertIsLost(TaskRun run) {
        assertHoldsNothing(run);
        Optional<StoredTask> before = store.find(run.owner(), run.id());
        assertFalse(store.end(run, result("late"), "late"), "end");
        assertEquals(Optional.empty(), store.resume(run), "resume");
        store.release(run);
        assertEquals(before, store.find(run.owner(), run.id()), "nothing has changed");
    }

    /** Asserts that every operation fails that is allowed only on a task that has not ended. */
    final void assertIsOver(Owner owner, TaskId id) {
        Optional<StoredTask> before = store.find(owner, id);
        assertFalse(store.cancel(owner, id, "late"), "cancel");
        assertEquals(List.of(), store.questions(owner, id), "questions");
        assertFalse(store.deliver(owner, id, 1, null, FIRST_DELIVERY), "deliver");
        assertFalse(store.answer(owner, id, 1, result("late")), "answer");
        assertEquals(before, store.find(owner, id), "nothing has changed");
    }
}
