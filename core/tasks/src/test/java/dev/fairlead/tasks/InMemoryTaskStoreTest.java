package dev.fairlead.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.TaskId;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How the store in memory is bounded; the rest is in the contract that all stores have. */
class InMemoryTaskStoreTest {
    private static final Owner OWNER = new Owner.Local();
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration RETENTION = Duration.ofMinutes(5);

    private final SetClock clock = new SetClock();
    private final Node node = new Node();
    private int created;

    private static final class SetClock extends Clock {
        private Instant now = Instant.parse("2025-11-25T12:00:00Z");

        void advance(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("this clock has no zones");
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private static final class Node implements TaskNode {
        private final List<TakenTask> polled = new ArrayList<>();

        @Override
        public String name() {
            return "test";
        }

        @Override
        public int freePlaces() {
            return 0;
        }

        @Override
        public Duration retention() {
            return RETENTION;
        }

        @Override
        public void takeOver(List<TakenTask> tasks) {}

        @Override
        public void orphansEnded(List<StoredTask> tasks) {}

        @Override
        public void expired(List<StoredTask> tasks) {}

        @Override
        public void lost(TaskRun run) {}

        @Override
        public void fenced() {}

        @Override
        public void poll(TakenTask parked) {
            polled.add(parked);
        }

        @Override
        public Set<TaskRun> running() {
            return Set.of();
        }
    }

    private InMemoryTaskStore store(int maxTasks, long maxBytes) {
        InMemoryTaskStore store = new InMemoryTaskStore(maxTasks, maxBytes);
        store.open(node, clock);
        return store;
    }

    private NewTask task(RawJson origin) {
        TaskId id = new TaskId("task-" + ++created);
        return new NewTask(id, OWNER, "tools/call", "", origin, null, TTL, true);
    }

    private TaskRun create(TaskStore store, RawJson origin) throws Exception {
        return store.create(task(origin), Integer.MAX_VALUE).key();
    }

    /** JSON text of so many bytes. */
    private static RawJson bytes(int size) {
        return RawJson.parse("\"" + "x".repeat(size - 2) + "\"");
    }

    private static TaskOutcome result(int size) {
        return new TaskOutcome.Result(bytes(size), false);
    }

    private static TaskQuestion question(int ordinal, int size) {
        return new TaskQuestion(ordinal, "digest", "elicitation/create", bytes(size), null);
    }

    @Test
    void moreTasksThanItMayHaveAreRefusedUntilSomeHaveEnded() throws Exception {
        try (TaskStore store = store(2, 1_000)) {
            TaskRun first = create(store, bytes(10));
            TaskRun second = create(store, bytes(10));
            assertThatThrownBy(() -> create(store, bytes(10)))
                    .isInstanceOf(TooManyTasksException.class)
                    .hasMessage("The store is full: it has 2 tasks, and none has been purged yet");
            store.end(second, result(10), null);
            store.end(first, result(10), null);
            create(store, bytes(10));
            assertThat(store.find(OWNER, first.id())).isEmpty();
            assertThat(store.find(OWNER, second.id())).isPresent();
            clock.advance(TTL);
            create(store, bytes(10)); // those that have expired are forgotten
        }
    }

    @Test
    void moreBytesThanItMayHaveAreRefused() throws Exception {
        try (TaskStore store = store(100, 100)) {
            TaskRun run = create(store, bytes(60));
            assertThatThrownBy(() -> create(store, bytes(41)))
                    .isInstanceOf(TooManyTasksException.class)
                    .hasMessage(
                            "The store is full: it has 60 bytes of at most 100, and there are 41"
                                    + " more to store");
            assertThatThrownBy(() -> store.record(run, "key", bytes(35)))
                    .isInstanceOf(TaskStoreException.class)
                    .hasMessageStartingWith("The store is full");
            assertThatThrownBy(() -> store.ask(run, question(1, 41)))
                    .isInstanceOf(TaskStoreException.class);
            assertThatThrownBy(() -> store.update(run, "x".repeat(21), 0.5))
                    .isInstanceOf(TaskStoreException.class);
            assertThat(store.find(OWNER, run.id()).orElseThrow().progress()).isNull();
            assertThat(store.recorded(run, "key")).isInstanceOf(Recorded.Nothing.class);
            create(store, bytes(40));
        }
    }

    @Test
    void answersOfOneMessageThatFindNoRoomAreNotStoredAtAll() throws Exception {
        try (TaskStore store = store(100, 100)) {
            TaskRun run = create(store, bytes(60));
            store.ask(run, question(1, 20));
            store.ask(run, question(2, 20));
            assertThatThrownBy(
                            () ->
                                    store.answer(
                                            OWNER, run.id(), Map.of(1, result(20), 2, result(21))))
                    .isInstanceOf(TaskStoreException.class)
                    .hasMessageStartingWith("The store is full");
            assertThat(store.questions(OWNER, run.id())).hasSize(2);
            assertThat(store.answer(OWNER, run.id(), Map.of(1, result(20), 2, result(20))))
                    .containsExactlyInAnyOrder(1, 2);
        }
    }

    @Test
    void whatEndsGivesBackWhatOnlyItsRunNeeded() throws Exception {
        try (TaskStore store = store(100, 100)) {
            TaskRun run = create(store, bytes(30));
            store.ask(run, question(1, 20));
            store.ask(run, question(2, 20));
            store.answer(OWNER, run.id(), 1, result(14));
            store.record(run, "k", bytes(10));
            store.update(run, "12", null);
            assertThatThrownBy(() -> create(store, bytes(21)))
                    .hasMessageStartingWith("The store is full: it has 80 bytes");
            assertThat(store.end(run, result(90), "12345")).isTrue();
            assertThatThrownBy(() -> create(store, bytes(101)))
                    .hasMessageStartingWith("The store is full: it has 100 bytes");
        }
    }

    @Test
    void anEndThatFindsNoRoomChangesNothingAndSucceedsOnceThereIs() throws Exception {
        try (TaskStore store = store(100, 100)) {
            TaskRun run = create(store, bytes(10));
            TaskRun other = create(store, bytes(50));
            TaskOutcome error =
                    new TaskOutcome.Error(
                            new JsonRpcError(-1, "x".repeat(20), JsonValue.of(1_234_567)));
            TaskOutcome large = result(51);
            assertThatThrownBy(() -> store.end(run, large, null))
                    .isInstanceOf(TaskStoreException.class);
            assertThat(store.find(OWNER, run.id()).orElseThrow().state())
                    .isEqualTo(TaskState.WORKING);
            assertThat(store.end(other, error, null)).isTrue(); // 47 bytes
            assertThat(store.end(run, large, null)).isTrue();
            assertThatThrownBy(() -> create(store, bytes(101)))
                    .hasMessageStartingWith("The store is full: it has 98 bytes");
        }
    }

    @Test
    void whatIsPurgedGivesEverythingBack() throws Exception {
        try (TaskStore store = store(100, 100)) {
            TaskRun run = create(store, bytes(50));
            store.end(run, result(50), "x".repeat(25));
            clock.advance(TTL);
            assertThatThrownBy(() -> create(store, bytes(101)))
                    .hasMessageStartingWith("The store is full: it has 50 bytes");
            clock.advance(RETENTION);
            store.sweep();
            assertThatThrownBy(() -> create(store, bytes(101)))
                    .hasMessageStartingWith("The store is full: it has 0 bytes");
            create(store, bytes(100));
        }
    }

    private TaskRun ended(TaskStore store, Owner owner, int size) throws Exception {
        TaskId id = new TaskId("task-" + ++created);
        var task = new NewTask(id, owner, "tools/call", "", bytes(2), null, TTL, true);
        TaskRun run = store.create(task, Integer.MAX_VALUE).key();
        store.end(run, result(size), null);
        return run;
    }

    private static boolean has(TaskStore store, TaskRun run) {
        return store.find(run.owner(), run.id()).isPresent();
    }

    @Test
    void theOldestEndedTaskOfTheOwnerThatNeedsRoomGoesFirst() throws Exception {
        try (TaskStore store = store(100, 100)) {
            TaskRun first = ended(store, OWNER, 40);
            TaskRun second = ended(store, OWNER, 40);
            TaskRun third = ended(store, OWNER, 40);

            assertThat(has(store, first)).isFalse();
            assertThat(has(store, second)).isTrue();
            assertThat(has(store, third)).isTrue();
        }
    }

    @Test
    void aKnownOwnerLosesNothingWithinItsShareAndTheRestToSmallerOwners() throws Exception {
        Owner ann = new Owner.Principal("https://issuer.example", "ann", null);
        Owner bob = new Owner.Principal("https://issuer.example", "bob", null);
        try (TaskStore store = store(100, 100)) {
            TaskRun first = ended(store, ann, 40);
            TaskRun second = ended(store, ann, 20);
            TaskRun own = ended(store, bob, 30);
            assertThat(has(store, first)).isTrue();

            TaskRun next = ended(store, bob, 15); // ann has 60 of 100 bytes, bob 30
            assertThat(has(store, first)).isFalse();
            TaskRun last = ended(store, bob, 50); // ann has 20
            assertThat(has(store, second)).isTrue();
            assertThat(has(store, own)).isFalse();
            assertThat(has(store, next)).isTrue();
            assertThat(has(store, last)).isTrue();
        }
    }

    @Test
    void manyAnonymousOwnersLoseTheirOldestToSmallerOnes() throws Exception {
        Owner known = new Owner.Principal("https://issuer.example", "ann", null);
        try (TaskStore store = store(100, 100)) {
            TaskRun kept = ended(store, known, 20);
            TaskRun[] flood = new TaskRun[4];
            for (int i = 0; i < flood.length; i++) {
                flood[i] = ended(store, new Owner.Anonymous("session-" + i), 18 + i);
            }
            TaskRun victim = ended(store, new Owner.Anonymous("victim"), 10);

            assertThat(has(store, victim)).isTrue();
            assertThat(has(store, flood[3])).isFalse();
            assertThat(has(store, flood[0])).isTrue();
            assertThat(has(store, kept)).isTrue();
        }
    }

    @Test
    void aClockThatWasSetBackDoesNotPutPollsOff() throws Exception {
        try (TaskStore store = store(100, 100)) {
            TaskRun run = create(store, bytes(10));
            store.park(run, "job", Duration.ofSeconds(10));
            clock.advance(Duration.ofDays(-1));
            store.sweep();
            assertThat(node.polled).isEmpty();
            clock.advance(Duration.ofSeconds(10));
            store.sweep();
            assertThat(node.polled).hasSize(1);
        }
    }

    @Test
    void nameTokenAndJobOfATaskCountAndTheJobNoLongerThanItIsParked() throws Exception {
        try (TaskStore store = store(100, 100)) {
            ProgressToken token = new ProgressToken(JsonValue.of("x".repeat(8)));
            NewTask named =
                    new NewTask(
                            new TaskId("named"),
                            OWNER,
                            "tools/call",
                            "tool",
                            bytes(10),
                            token,
                            TTL,
                            true);
            TaskRun run = store.create(named, Integer.MAX_VALUE).key(); // 8 + 20 + 10 bytes
            assertRoom(store, 62);
            store.park(run, "job", null);
            assertRoom(store, 56);
            TaskRun next = store.resume(run).orElseThrow().task().key();
            assertRoom(store, 62);
            store.end(next, result(2), null);
            assertRoom(store, 70);
        }
    }

    private void assertRoom(TaskStore store, int bytes) {
        assertThatThrownBy(() -> create(store, bytes(101)))
                .hasMessageStartingWith("The store is full: it has " + (100 - bytes) + " bytes");
    }
}
