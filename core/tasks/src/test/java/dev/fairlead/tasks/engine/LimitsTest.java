package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskState;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Limits of an engine, and its messages when they are reached. */
class LimitsTest {
    private static final Owner OTHER = new Owner.Local("other");

    private static void assertRefused(ThrowingCallable call, int code, String message) {
        assertThatThrownBy(call)
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static Duration ttl(Bench bench, Owner owner, Duration wish) {
        return bench.engine.create(owner, Bench.request(wish)).ttl();
    }

    @Test
    @Requirement("TASK-102")
    void theTtlIsWhatWasAskedForWithinTheLimits() {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            Owner unknown = new Owner.Anonymous("a");
            Duration month = Duration.ofDays(30);

            assertThat(ttl(bench, OTHER, Duration.ofMillis(1500))).hasMillis(1500);
            assertThat(ttl(bench, OTHER, null)).isEqualTo(Duration.ofHours(1));
            assertThat(ttl(bench, OTHER, month)).isEqualTo(Duration.ofDays(1));
            assertThat(ttl(bench, unknown, month)).isEqualTo(Duration.ofHours(1));
            assertRefused(
                    () -> ttl(bench, OTHER, Duration.ZERO),
                    -32602,
                    "ttl must be positive but was 0 ms");
        }
    }

    @Test
    @Requirement("TASK-101")
    void anOwnerHasOnlySoManyTasksWithoutAnEnd() {
        try (Bench bench = new Bench(LifecycleTest::forever, tasks -> tasks.maxPerOwner(2))) {
            bench.start();
            TaskId second = bench.start();
            assertThatThrownBy(bench::start)
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32000));
            assertThat(bench.kinds()).contains(TaskEvent.Kind.REFUSED);
            bench.engine.create(OTHER, Bench.request());

            bench.engine.cancel(Bench.OWNER, second);

            bench.start();
        }
    }

    private static TaskRequest from(Object peer) {
        return new TaskRequest(
                "tools/call",
                "work",
                RawJson.EMPTY_OBJECT,
                null,
                null,
                true,
                List.of(),
                Map.of(),
                peer);
    }

    /** Each session is an owner of its own, and an address may open any number of sessions. */
    @Test
    void anAnonymousPeerLeavesAFourthOfThePlacesToOthers() {
        try (Bench bench = new Bench(LifecycleTest::forever, tasks -> tasks.maxRunning(4))) {
            StoredTask first = bench.engine.create(new Owner.Anonymous("1"), from("address"));
            bench.engine.create(new Owner.Anonymous("2"), from("address"));
            bench.engine.create(new Owner.Anonymous("3"), from("address"));
            assertRefused(
                    () -> bench.engine.create(new Owner.Anonymous("4"), from("address")),
                    -32000,
                    "Too many tasks, at most 3 of a client without authorization may run at a"
                            + " time");

            bench.engine.cancel(new Owner.Anonymous("1"), first.id());

            bench.engine.create(new Owner.Anonymous("4"), from("address"));
            bench.engine.create(new Owner.Anonymous("5"), from("another"));
        }
    }

    @Test
    void aPeerOfWhichTheCallerIsKnownIsNotCounted() {
        try (Bench bench = new Bench(LifecycleTest::forever, tasks -> tasks.maxRunning(4))) {
            for (int i = 0; i < 4; i++) {
                bench.engine.create(OTHER, from("address"));
            }
        }
    }

    @Test
    void aHandlerThatIgnoresItsInterruptKeepsItsPlaceUntilItStops() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stop = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    begun.countDown();
                    return ignore(stop);
                };
        try (Bench bench = new Bench(body, tasks -> tasks.maxRunning(1))) {
            TaskId id = bench.start();
            begun.await();
            bench.engine.cancel(Bench.OWNER, id);
            assertRefused(bench::start, -32000, "Too many tasks, at most 1 may run at a time");

            stop.countDown();
            Bench.until(() -> bench.engine.gauges().running() == 0);

            bench.start();
            assertThat(bench.find(id).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    static TaskOutcome ignore(CountDownLatch stop) {
        Uninterruptibly.await(stop::await);
        Thread.interrupted();
        return Bench.DONE;
    }

    @Test
    void aTaskThatIsCancelledBeforeItHasBegunNeverBeginsAndGivesItsPlaceBack() {
        try (Bench bench =
                new Bench(
                        context -> {
                            throw new AssertionError("it began");
                        },
                        tasks -> tasks.maxRunning(1))) {
            StoredTask task = bench.engine.create(Bench.OWNER, Bench.request());

            bench.engine.cancel(Bench.OWNER, task.id());
            bench.engine.begin(task, null);

            bench.engine.create(Bench.OWNER, Bench.request());
            assertThat(bench.find(task.id()).state()).isEqualTo(TaskState.CANCELLED);
        }
    }

    @Test
    void aTaskThatNeverBeganGivesItsPlaceBackWhenItExpires() {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.maxRunning(1))) {
            bench.engine.create(Bench.OWNER, Bench.request(Duration.ofMillis(1500)));

            bench.passUntil(() -> bench.engine.gauges().running() == 0);

            bench.engine.create(Bench.OWNER, Bench.request());
        }
    }

    @Test
    void aResultThatIsTooLargeEndsTheTaskWithAnErrorThatSaysSo() throws Exception {
        String large = "{\"text\":\"" + "x".repeat(100) + "\"}";
        try (Bench bench =
                new Bench(context -> Bench.result(large), tasks -> tasks.maxResultBytes(100))) {
            TaskId id = bench.start();

            TaskOutcome.Error outcome = (TaskOutcome.Error) bench.await(id);

            assertThat(outcome.error().code()).isEqualTo(-32603);
            assertThat(outcome.error().message())
                    .isEqualTo("The result has 111 bytes, more than the 100 that are kept");
        }
    }

    @Test
    void statusMessagesAreCut() throws Exception {
        String status = "x".repeat(998) + "\ud83d\ude00" + "x".repeat(10);
        CountDownLatch go = new CountDownLatch(1);
        Bench.Body body =
                context -> {
                    context.status(status);
                    go.await();
                    throw new JsonRpcException(-1, "y".repeat(5_000));
                };
        try (Bench bench = new Bench(body)) {
            TaskId id = bench.start();
            Bench.until(() -> bench.find(id).statusMessage() != null);
            assertThat(bench.find(id).statusMessage())
                    .isEqualTo("x".repeat(998) + "…"); // and no half of a character

            go.countDown();
            bench.await(id);

            assertThat(bench.find(id).statusMessage()).isEqualTo("y".repeat(999) + "…");
        }
    }

    @Test
    void aQuestionThatIsTooLargeEndsTheTaskWithAnErrorThatSaysSo() throws Exception {
        RawJson large = RawJson.parse("{\"message\":\"" + "x".repeat(100) + "\"}");
        try (Bench bench =
                new Bench(
                        context -> context.ask("elicitation/create", large),
                        tasks -> tasks.maxQuestionBytes(100))) {
            TaskOutcome.Error outcome = (TaskOutcome.Error) bench.await(bench.start());

            assertThat(outcome.error().code()).isEqualTo(-32603);
            assertThat(outcome.error().message())
                    .isEqualTo(
                            "Question 1 (elicitation/create) has 114 bytes, more than the 100 that"
                                    + " are kept");
        }
    }

    @Test
    void aValueThatIsTooLargeEndsTheTaskWithAnErrorThatSaysSo() throws Exception {
        RawJson large = RawJson.parse("\"" + "x".repeat(100) + "\"");
        try (Bench bench =
                new Bench(
                        context -> new TaskOutcome.Result(context.once("k", () -> large), false),
                        tasks -> tasks.maxValueBytes(100))) {
            TaskOutcome.Error outcome = (TaskOutcome.Error) bench.await(bench.start());

            assertThat(outcome.error().code()).isEqualTo(-32603);
            assertThat(outcome.error().message())
                    .isEqualTo("A value of once has 102 bytes, more than the 100 that are kept");
        }
    }

    @Test
    @Requirement("TASK-100")
    void operationsOfAnOwnerAreLimitedEachSecond() {
        try (Bench bench =
                new Bench(context -> Bench.DONE, tasks -> tasks.operationsPerSecond(5))) {
            StoredTask task = bench.engine.create(Bench.OWNER, Bench.request());
            for (int i = 0; i < 9; i++) {
                bench.find(task.id());
            }
            assertRefused(
                    () -> bench.find(task.id()),
                    -32000,
                    "Too many task operations, at most 5 a second are allowed");
            bench.engine.list(OTHER, null);

            bench.timers.advance(Duration.ofMillis(200));

            bench.find(task.id());
        }
    }

    @Test
    @Requirement("TASK-100")
    void aLookForManyTasksIsOneOperation() {
        try (Bench bench =
                new Bench(context -> Bench.DONE, tasks -> tasks.operationsPerSecond(5))) {
            TaskId known = bench.engine.create(Bench.OWNER, Bench.request()).id();
            TaskId foreign = bench.engine.create(OTHER, Bench.request()).id();
            List<TaskId> ids = List.of(known, foreign, new TaskId("no-such"), new TaskId("a b"));
            for (int i = 0; i < 9; i++) {
                assertThat(bench.engine.existing(Bench.OWNER, ids)).containsExactly(known);
            }
            assertRefused(
                    () -> bench.engine.existing(Bench.OWNER, ids),
                    -32000,
                    "Too many task operations, at most 5 a second are allowed");
        }
    }

    @Test
    @Requirement("TASK-100")
    void aRefusedOperationContainsTheTimeUntilTheNextIsAllowed() {
        try (Bench bench =
                new Bench(context -> Bench.DONE, tasks -> tasks.operationsPerSecond(5))) {
            for (int i = 0; i < 10; i++) {
                bench.engine.list(Bench.OWNER, null);
            }
            bench.timers.advance(Duration.ofMillis(50));

            assertThatThrownBy(() -> bench.engine.list(Bench.OWNER, null))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            e ->
                                    assertThat(RetryableError.retryAfter(e.error()))
                                            .hasValue(Duration.ofMillis(150)));
        }
    }

    @Test
    @Requirement("TASK-089")
    @Requirement("TASK-095")
    void unknownForeignAndMalformedIdsAreRefusedAlike() {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            TaskId foreign = bench.engine.create(OTHER, Bench.request()).id();
            for (TaskId id : new TaskId[] {foreign, new TaskId("no-such"), new TaskId("a b\0")}) {
                String message = "Unknown task: " + id.value();
                assertRefused(() -> bench.find(id), -32602, message);
                assertRefused(() -> bench.await(id), -32602, message);
                assertRefused(() -> bench.engine.cancel(Bench.OWNER, id), -32602, message);
            }
        }
    }

    @Test
    @Requirement("TASK-089")
    void anExpiredTaskIsKnownAsSuchForAWhileAndUnknownThen() {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            TaskId id = bench.start();
            bench.untilState(id, TaskState.RESULT);
            Bench.until(() -> bench.engine.gauges().running() == 0);

            bench.timers.advance(Duration.ofHours(1));
            assertRefused(() -> bench.find(id), -32602, "Task has expired");
            assertRefused(() -> bench.await(id), -32602, "Task has expired");
            assertRefused(() -> bench.engine.cancel(Bench.OWNER, id), -32602, "Task has expired");

            Bench.until(() -> isPurged(bench, id));
            assertRefused(() -> bench.find(id), -32602, "Unknown task: " + id.value());
        }
    }

    private static boolean isPurged(Bench bench, TaskId id) {
        bench.timers.advance(Duration.ofMinutes(1));
        return bench.faults.store().find(Bench.OWNER, id).isEmpty();
    }

    @Test
    @Requirement("TASK-081")
    void aTaskThatHasEndedCannotBeCancelled() {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            TaskId id = bench.start();
            bench.untilState(id, TaskState.RESULT);

            assertRefused(
                    () -> bench.engine.cancel(Bench.OWNER, id),
                    -32602,
                    "Task has ended and cannot be cancelled");
            assertThat(bench.find(id).state()).isEqualTo(TaskState.RESULT);
        }
    }

    @Test
    @Requirement("TASK-076")
    @Requirement("TASK-077")
    @Requirement("TASK-089")
    @Requirement("TASK-096")
    void aListComesInPagesAndOnlyWithTheOwnersTasks() {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.pageSize(2))) {
            bench.engine.create(OTHER, Bench.request());
            TaskId[] ids = {bench.start(), bench.start(), bench.start()};

            TaskPage first = bench.engine.list(Bench.OWNER, null);
            TaskPage second = bench.engine.list(Bench.OWNER, first.next());

            assertThat(first.tasks()).extracting(StoredTask::id).containsExactly(ids[0], ids[1]);
            assertThat(second.tasks()).extracting(StoredTask::id).containsExactly(ids[2]);
            assertThat(second.next()).isNull();
            assertRefused(
                    () -> bench.engine.list(Bench.OWNER, "nonsense"), -32602, "Invalid cursor");
        }
    }

    @Test
    @Requirement("TASK-105")
    void manyLookupsOfUnknownTasksAreReportedOnceAMinute() {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.suspicion(3, 1_200))) {
            for (int i = 0; i < 10; i++) {
                TaskId id = new TaskId("guess-" + i);
                assertThatThrownBy(() -> bench.find(id)).isInstanceOf(JsonRpcException.class);
            }
            assertThat(suspicions(bench))
                    .containsExactly("3 look-ups of unknown tasks within a minute");
        }
    }

    @Test
    @Requirement("TASK-105")
    void lookupsOfUnknownTasksByAnonymousSessionsAreCountedTogether() {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.suspicion(3, 1_200))) {
            for (int i = 0; i < 10; i++) {
                Owner session = new Owner.Anonymous("session-" + i);
                TaskId id = new TaskId("guess-" + i);
                assertThatThrownBy(() -> bench.engine.find(session, id, null))
                        .isInstanceOf(JsonRpcException.class);
            }
            assertThat(suspicions(bench))
                    .containsExactly("3 look-ups of unknown tasks within a minute");
        }
    }

    @Test
    @Requirement("TASK-105")
    void frequentPollingIsReportedOnceAMinute() {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.suspicion(20, 5))) {
            StoredTask task = bench.engine.create(Bench.OWNER, Bench.request());
            for (int i = 0; i < 10; i++) {
                bench.find(task.id());
            }
            assertThat(suspicions(bench)).containsExactly("5 polls within a minute");

            bench.timers.advance(Duration.ofMinutes(1));
            for (int i = 0; i < 10; i++) {
                bench.find(task.id());
            }

            assertThat(suspicions(bench)).hasSize(2);
        }
    }

    private static java.util.List<String> suspicions(Bench bench) {
        return bench.events.stream()
                .filter(event -> event.kind() == TaskEvent.Kind.SUSPICIOUS)
                .map(TaskEvent::detail)
                .toList();
    }
}
