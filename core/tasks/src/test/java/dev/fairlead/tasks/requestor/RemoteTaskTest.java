package dev.fairlead.tasks.requestor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.TaskExpiredException;
import dev.fairlead.test.support.Awaiting;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** How a task of the peer is watched. */
@Timeout(300)
final class RemoteTaskTest {
    static final TaskId ID = new TaskId("t-1");
    static final Instant START = Instant.parse("2025-11-25T00:00:00Z");
    static final Task WORKING =
            new Task(ID, TaskStatus.WORKING, START, START).withPollInterval(2_000L);
    static final RawJson RESULT = RawJson.parse("{\"content\": []}");

    private final ScriptedPeer peer = new ScriptedPeer();
    private final ManualTimers timers = new ManualTimers();
    private final RemoteTasks tasks = new RemoteTasks(peer, timers);

    @AfterEach
    void close() {
        tasks.close();
    }

    static Task at(int second, TaskStatus status) {
        return WORKING.withStatus(status).withLastUpdatedAt(START.plusSeconds(second));
    }

    static Outcome<RawJson> created(Task task) {
        return new Outcome.TaskCreated<>(new CreateTaskResult(task));
    }

    private RemoteTask create() throws InterruptedException {
        return tasks.create(token -> created(WORKING), Duration.ofSeconds(30));
    }

    @CheckReturnValue
    static FutureTask<RawJson> await(RemoteTask task, @Nullable Duration limit) {
        FutureTask<RawJson> waiting = new FutureTask<>(() -> task.await(limit, null));
        Thread.ofVirtual().start(waiting);
        return waiting;
    }

    static Throwable failure(FutureTask<?> waiting) throws Exception {
        try {
            throw new AssertionError("it gave " + waiting.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** Lets the next poll be due, once the watch waits for it. */
    private void nextPoll() throws InterruptedException {
        timers.awaitTimers(1);
        timers.advance(Duration.ofMillis(2_200)); // at most a tenth late
    }

    // ---- the log

    @Test
    @Requirement("TASK-106")
    void theLogNamesTheTransitionsOfATaskByItsId() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("dev.fairlead.tasks.requestor");
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord entry) {
                        lines.add(new SimpleFormatter().formatMessage(entry));
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        handler.setLevel(Level.FINE);
        try {
            FutureTask<RawJson> waiting = await(create(), null);
            peer.next("result").fail(JsonRpcException.invalidRequest("not yet"));
            nextPoll();
            peer.next("get").answer(at(1, TaskStatus.COMPLETED));
            peer.next("result").answer(RESULT);
            waiting.get();
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(null);
        }
        assertThat(lines)
                .containsSubsequence(
                        "Task t-1 was created",
                        "Task t-1 gives no answer: not yet",
                        "Task t-1 is COMPLETED",
                        "Task t-1 has given its result");
    }

    // ---- failures

    @Test
    void anErrorOfTheWatchEndsTheWait() throws Exception {
        RemoteTask task = create();
        task.listen(
                new RemoteTask.Listener() {
                    @Override
                    public void changed(Task changed) {
                        if (changed.status() == TaskStatus.COMPLETED) {
                            throw new LinkageError("a class is missing");
                        }
                    }

                    @Override
                    public boolean wantsEveryChange() {
                        return true;
                    }
                });
        FutureTask<RawJson> waiting = await(task, null);
        nextPoll();
        peer.next("get").answer(at(1, TaskStatus.COMPLETED));

        assertThat(failure(waiting))
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("a class is missing");
    }

    @Test
    void aTaskThatEndsWhileItsWatchBeginsIsForgotten() throws Exception {
        Map<TaskId, RemoteTask> ended = new LinkedHashMap<>();
        AtomicInteger steps = new AtomicInteger();
        for (int i = 0; i < 20_000; i++) {
            TaskId id = new TaskId("race-" + i);
            RemoteTask task = tasks.resume(id);
            Thread ending = Thread.ofVirtual().start(() -> task.end(RESULT));
            for (int step = 0; step < i % 100 * 5; step++) { // meets each moment of the end
                steps.incrementAndGet();
            }
            FutureTask<RawJson> waiting = await(task, null);
            assertThat(waiting.get()).isEqualTo(RESULT);
            ending.join();
            ended.put(id, task);
        }
        ended.forEach(
                (id, task) ->
                        Awaiting.await("the end of its watch")
                                .until(() -> tasks.resume(id) != task));
    }

    // ---- polling

    @Test
    @Requirement({"TASK-040", "TASK-041"})
    void aTaskWithoutWaitersIsPolledAtItsLatestIntervalUntilItEnds() throws Exception {
        RemoteTask task = create();
        task.watch();
        timers.awaitTimers(1);
        timers.advance(Duration.ofMillis(1_999));
        peer.expectNothing();
        timers.advance(Duration.ofMillis(201));
        peer.next("get").answer(at(1, TaskStatus.WORKING).withPollInterval(10_000L));
        timers.awaitTimers(1);
        timers.advance(Duration.ofMillis(9_999));
        peer.expectNothing();
        timers.advance(Duration.ofMillis(1_001));
        peer.next("get").answer(at(2, TaskStatus.COMPLETED));
        ScriptedPeer.Request result = peer.next("result");
        assertThat(result.patience()).isNull();
        result.answer(RESULT);
        assertThat(task.await(null, null)).isEqualTo(RESULT);
        assertThat(task.known()).hasValue(at(2, TaskStatus.COMPLETED));
    }

    @Test
    @Requirement("TASK-040")
    void suggestionsOfThePeerAreTakenWithinBounds() {
        assertThat(WatchLimits.untilPoll(WORKING.withPollInterval(0L)))
                .isBetween(Duration.ofMillis(100), Duration.ofMillis(110));
        assertThat(WatchLimits.untilPoll(WORKING.withPollInterval(-5L)))
                .isBetween(Duration.ofMillis(100), Duration.ofMillis(110));
        assertThat(WatchLimits.untilPoll(WORKING.withPollInterval(Long.MAX_VALUE)))
                .isBetween(Duration.ofMinutes(1), Duration.ofSeconds(66));
        assertThat(WatchLimits.untilPoll(WORKING.withPollInterval(null)))
                .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_100));
    }

    @Test
    @Requirement("TASK-040")
    void aTaskThatIsResumedWhereItWasCreatedIsNotPolledBeforeItsInterval() throws Exception {
        create();
        timers.advance(Duration.ofMillis(700));
        RemoteTask resumed = tasks.resume(ID);

        timers.untilNextTimer(resumed::watch);
        timers.advance(Duration.ofMillis(1_299));
        peer.expectNothing();

        nextPoll();
        peer.next("get");
    }

    @Test
    @Requirement("TASK-040")
    void aLookByTheUserPutsTheNextPollOff() throws Exception {
        RemoteTask task = create();
        timers.untilNextTimer(task::watch);
        timers.advance(Duration.ofMillis(1_500));
        FutureTask<Task> looking = new FutureTask<>(task::refresh);
        Thread.ofVirtual().start(looking);
        peer.next("get").answer(WORKING);
        looking.get();

        timers.untilNextTimer(() -> timers.advance(Duration.ofMillis(1_999)));
        peer.expectNothing();

        nextPoll();
        peer.next("get");
    }

    @Test
    @Requirement("TASK-040")
    void anErrorInsteadOfTheResultMakesNoPollComeEarlier() throws Exception {
        RemoteTask task = create();
        FutureTask<RawJson> waiting = await(task, null);
        ScriptedPeer.Request fetch = peer.next("result");
        timers.untilNextTimer(() -> fetch.fail(new JsonRpcException(-32603, "it broke")));
        timers.advance(Duration.ofMillis(1_999));
        peer.expectNothing();

        nextPoll();
        peer.next("get").answer(at(1, TaskStatus.FAILED).withStatusMessage("it broke"));
        assertThat(failure(waiting)).hasMessage("it broke");
    }

    @Test
    @Requirement({"ROOM-011", "TASK-054"})
    void aWaitUsesTasksResultWithoutPolling() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        ScriptedPeer.Request result = peer.next("result");
        assertThat(result.patience()).isEqualTo(WatchLimits.RESULT);
        timers.advance(Duration.ofMinutes(4));
        peer.expectNothing();
        result.answer(RESULT);
        assertThat(waiting.get()).isEqualTo(RESULT);
    }

    @Test
    @Requirement({"TASK-054", "TASK-042"})
    void aTimedOutTasksResultIsRequestedAgainAfterTasksGet() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        ScriptedPeer.Request silent = peer.next("result");
        timers.advance(WatchLimits.RESULT);
        silent.fail(new RequestTimeoutException("no sign of life"));
        peer.next("get").answer(at(1, TaskStatus.WORKING));
        peer.next("result").answer(RESULT);
        assertThat(waiting.get()).isEqualTo(RESULT);
    }

    @Test
    @Requirement("TASK-057")
    void aTaskThatNeedsInputIsAskedForItsResultAtOnce() throws Exception {
        RemoteTask task = create();
        task.watch();
        nextPoll();
        peer.next("get").answer(at(1, TaskStatus.INPUT_REQUIRED));
        peer.next("result").answer(RESULT);
        assertThat(task.await(null, null)).isEqualTo(RESULT);
    }

    @Test
    void aListenerLeavesTheQuestionsOfATaskToOthersUntilACallerWaits() throws Exception {
        RemoteTask task = tasks.resume(ID);
        List<TaskStatus> seen = new CopyOnWriteArrayList<>();
        task.listen(
                new RemoteTask.Listener() {
                    @Override
                    public void changed(Task changed) {
                        seen.add(changed.status());
                    }

                    @Override
                    public boolean wantsEveryChange() {
                        return true;
                    }
                });
        task.watch();
        peer.next("get").answer(at(1, TaskStatus.INPUT_REQUIRED));
        nextPoll();
        peer.next("get").answer(at(1, TaskStatus.INPUT_REQUIRED));
        assertThat(seen).containsExactly(TaskStatus.INPUT_REQUIRED);

        FutureTask<RawJson> waiting = await(task, null);
        peer.next("result").answer(RESULT);
        assertThat(waiting.get()).isEqualTo(RESULT);
    }

    @Test
    void aLimitEndsTheWaitAndTheTaskIsWatchedOn() throws Exception {
        RemoteTask task = create();
        FutureTask<RawJson> waiting = await(task, Duration.ofSeconds(10));
        ScriptedPeer.Request result = peer.next("result");
        timers.advance(Duration.ofSeconds(10));
        assertThat(failure(waiting))
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("task t-1 did not end within 10 s; it continues");
        result.answer(RESULT);
        assertThat(task.await(null, null)).isEqualTo(RESULT);
    }

    // ---- hints

    @Test
    @Requirement({"TASK-070", "TASK-071"})
    void aNotificationThatATaskHasEndedOnlyMakesThePollComeEarlier() throws Exception {
        RemoteTask task = create();
        task.watch();
        timers.awaitTimers(1);
        tasks.status(at(5, TaskStatus.COMPLETED));
        peer.next("get").answer(at(5, TaskStatus.COMPLETED));
        peer.next("result").answer(RESULT);
        assertThat(task.await(null, null)).isEqualTo(RESULT);
    }

    @Test
    @Requirement("TASK-073")
    void whatIsOlderThanWhatIsKnownMovesNothingBackwards() throws Exception {
        RemoteTask task = create();
        Task created = task.known().orElseThrow();
        List<Task> heard = new CopyOnWriteArrayList<>();
        task.listen(
                new RemoteTask.Listener() {
                    @Override
                    public void changed(Task changed) {
                        heard.add(changed);
                    }
                });
        task.watch();
        Task halfway = at(3, TaskStatus.WORKING).withStatusMessage("halfway");
        tasks.status(halfway);
        tasks.status(at(2, TaskStatus.INPUT_REQUIRED));
        tasks.status(halfway);
        tasks.status(at(1, TaskStatus.FAILED)); // an end is news whenever it was
        tasks.status(at(9, TaskStatus.WORKING));
        assertThat(heard).containsExactly(created, halfway, at(1, TaskStatus.FAILED));
        assertThat(task.known()).hasValue(at(1, TaskStatus.FAILED));
    }

    @Test
    void aListenerIsNotNotifiedOfInvisibleChanges() throws Exception {
        RemoteTask task = create();
        Task created = task.known().orElseThrow();
        List<Task> heard = new CopyOnWriteArrayList<>();
        task.listen(
                new RemoteTask.Listener() {
                    @Override
                    public void changed(Task changed) {
                        heard.add(changed);
                    }
                });
        task.watch();
        tasks.status(at(3, TaskStatus.WORKING));
        tasks.status(at(4, TaskStatus.WORKING).withPollInterval(500L));
        assertThat(heard).containsExactly(created);
        assertThat(task.known().map(Task::pollInterval)).hasValue(500L);
    }

    @Test
    @Requirement("ROOM-030")
    void aNotificationThatOvertookTheCreationIsKeptForAWhile() throws Exception {
        tasks.status(at(1, TaskStatus.INPUT_REQUIRED));
        RemoteTask task = create();
        task.watch();
        assertThat(task.known()).hasValue(at(1, TaskStatus.INPUT_REQUIRED));
        peer.next("get").answer(at(1, TaskStatus.INPUT_REQUIRED));
    }

    @Test
    @Requirement("ROOM-030")
    void notificationsOfUnknownTasksAreKeptBrieflyAndNotTooMany() {
        EarlyHints hints = new EarlyHints(timers.clock());
        hints.add(WORKING);
        timers.advance(EarlyHints.AGE);
        assertThat(hints.take(ID)).isEmpty();
        hints.add(WORKING);
        for (int i = 0; i < EarlyHints.LIMIT; i++) {
            hints.add(new Task(new TaskId("other-" + i), TaskStatus.WORKING, START, START));
        }
        assertThat(hints.take(ID)).isEmpty();
        assertThat(hints.take(new TaskId("other-0"))).isPresent();
    }

    @Test
    void answersAboutTasksAreKeptOnlyIfSmall() {
        RecentLooks looks = new RecentLooks(timers.clock());
        String large = "x".repeat(RecentLooks.MAX_BYTES / 2);
        JsonObject members = JsonObject.of("x", large + large);
        Task small = WORKING.withStatusMessage(large.substring(300));
        looks.add(small);
        assertThat(looks.find(ID)).map(RecentLooks.Look::task).contains(small);
        looks.add(WORKING.withStatusMessage(large));
        assertThat(looks.find(ID)).as("the state before is not kept either").isEmpty();
        looks.add(WORKING.withMeta(members));
        looks.add(new Task(ID, TaskStatus.WORKING, null, START, START, null, null, null, members));
        assertThat(looks.find(ID)).isEmpty();
        TaskId longest = new TaskId(large);
        looks.add(new Task(longest, TaskStatus.WORKING, START, START));
        assertThat(looks.find(longest)).isEmpty();
    }

    @Test
    void notificationsOfUnknownTasksAreKeptOnlyIfSmall() {
        EarlyHints hints = new EarlyHints(timers.clock());
        hints.add(WORKING.withMeta(JsonObject.of("x", "x".repeat(EarlyHints.MAX_MESSAGE - 200))));
        assertThat(hints.take(ID)).isPresent();
        hints.add(WORKING.withMeta(JsonObject.of("x", "x".repeat(EarlyHints.MAX_MESSAGE))));
        assertThat(hints.take(ID)).isEmpty();
        hints.add(
                new Task(
                        ID,
                        TaskStatus.WORKING,
                        null,
                        START,
                        START,
                        null,
                        null,
                        null,
                        JsonObject.of("x", "x".repeat(EarlyHints.MAX_MESSAGE))));
        assertThat(hints.take(ID)).isEmpty();
    }

    // ---- ends

    @Test
    @Requirement("TASK-053")
    void theOutcomeOfAFailedTaskIsFetchedToo() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        peer.next("result").fail(new JsonRpcException(-32077, "boom"));
        nextPoll();
        peer.next("get").answer(at(1, TaskStatus.FAILED));
        peer.next("result").fail(new JsonRpcException(-32077, "boom"));
        assertThat(failure(waiting))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(-32077);
                            assertThat(e).hasMessage("boom");
                        });
    }

    @Test
    @Requirement("ROOM-008")
    void aCancelledTaskIsAnExceptionOfItsOwn() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        peer.next("result")
                .fail(
                        new JsonRpcException(
                                ErrorCode.INTERNAL_ERROR,
                                "Task was cancelled",
                                JsonObject.of("taskId", "t-1", "status", "cancelled")));
        assertThat(failure(waiting))
                .isInstanceOf(TaskCancelledException.class)
                .hasMessage("Task t-1 was cancelled");
    }

    @Test
    void cancellingEndsTheWaitOfOthers() throws Exception {
        RemoteTask task = create();
        FutureTask<RawJson> waiting = await(task, null);
        peer.next("result");
        FutureTask<Void> cancelling =
                new FutureTask<>(
                        () -> {
                            task.cancel();
                            return null;
                        });
        Thread.ofVirtual().start(cancelling);
        peer.next("cancel")
                .answer(at(1, TaskStatus.CANCELLED).withStatusMessage("no longer needed"));
        cancelling.get();
        assertThat(failure(waiting))
                .isInstanceOf(TaskCancelledException.class)
                .hasMessage("Task t-1 was cancelled: no longer needed");
    }

    @Test
    @Requirement("TASK-093")
    void aTaskThatThePeerNoLongerKnowsHasExpired() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        peer.next("result").fail(JsonRpcException.invalidParams("Task has expired"));
        nextPoll();
        peer.next("get").fail(JsonRpcException.invalidParams("Task has expired"));
        assertThat(failure(waiting))
                .isInstanceOf(TaskExpiredException.class)
                .hasMessage("Task has expired");
    }

    @Test
    void aTaskThatIsStuckBeyondItsTimeToLiveIsGivenUp() throws Exception {
        RemoteTask task =
                tasks.create(token -> created(WORKING.withTtl(60_000L)), Duration.ofSeconds(30));
        task.watch();
        nextPoll();
        peer.next("get").answer(WORKING.withTtl(60_000L));
        timers.awaitTimers(1);
        timers.advance(Duration.ofMinutes(11));
        peer.next("get").answer(WORKING.withTtl(60_000L));
        assertThatThrownBy(() -> task.await(null, null))
                .isInstanceOf(TaskExpiredException.class)
                .hasMessage("Task t-1 has not ended, although its time to live is over");
    }

    // ---- the end of the watch

    @Test
    void closingEndsAllWaits() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        peer.next("result");
        tasks.close();
        assertThat(failure(waiting))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("the connection was closed; the task goes on at the peer");
    }

    // ---- creation

    @Test
    @Requirement("TASK-027")
    void anOrdinaryResultIsTheResult() throws Exception {
        RemoteTask task = tasks.create(token -> Outcome.complete(RESULT), Duration.ofSeconds(30));
        assertThat(task.id()).isEmpty();
        assertThat(task.await(null, null)).isEqualTo(RESULT);
        peer.expectNothing();
    }

    @Test
    @Requirement({"ROOM-013", "CANC-005"})
    void anInterruptBeforeTheTaskIsCreatedCancelsItAfterwards() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        FutureTask<RemoteTask> creating =
                new FutureTask<>(
                        () ->
                                tasks.create(
                                        token -> {
                                            answer.await();
                                            return created(WORKING);
                                        },
                                        Duration.ofSeconds(30)));
        Thread thread = Thread.ofVirtual().start(creating);
        timers.awaitTimers(1);
        thread.interrupt();
        assertThat(failure(creating)).isInstanceOf(InterruptedException.class);
        peer.expectNothing();
        answer.countDown();
        peer.next("cancel").answer(at(1, TaskStatus.CANCELLED));
    }

    @Test
    @Requirement("ROOM-013")
    void anInterruptDuringTheAnswerLeavesNoTaskBehind() throws Exception {
        for (int round = 0; round < 500; round++) {
            Thread caller = Thread.currentThread();
            try {
                tasks.create(
                        token -> {
                            caller.interrupt();
                            return created(WORKING);
                        },
                        Duration.ofSeconds(30));
            } catch (InterruptedException e) {
                peer.next("cancel").answer(at(1, TaskStatus.CANCELLED));
            }
            Thread.interrupted(); // it may have come after the answer
        }
        peer.expectNothing();
    }

    @Test
    void anErrorOfTheCreationReachesTheCallerAtOnce() {
        assertThatThrownBy(
                        () ->
                                tasks.create(
                                        token -> {
                                            token.accept(new ProgressToken(JsonValue.of(7)));
                                            throw new LinkageError("a class is missing");
                                        },
                                        Duration.ofSeconds(30)))
                .hasStackTraceContaining("a class is missing");
        Progress late = new Progress(1, null, null);
        assertThat(tasks.progressed(new ProgressToken(JsonValue.of(7)), null, late)).isFalse();
    }

    // ---- progress

    @Test
    @Requirement("PROG-013")
    void progressIsMatchedByTokenAndByTaskAndReachesTheWaiters() throws Exception {
        ProgressToken token = new ProgressToken(JsonValue.of(7));
        RemoteTask task =
                tasks.create(
                        told -> {
                            told.accept(token);
                            return created(WORKING);
                        },
                        Duration.ofSeconds(30));
        List<Progress> heard = new CopyOnWriteArrayList<>();
        FutureTask<RawJson> waiting = new FutureTask<>(() -> task.await(null, heard::add));
        Thread.ofVirtual().start(waiting);
        ScriptedPeer.Request result = peer.next("result");
        ProgressToken other = new ProgressToken(JsonValue.of(8));
        assertThat(tasks.progressed(token, null, new Progress(1, null, null))).isTrue();
        assertThat(tasks.progressed(other, null, new Progress(9, null, null))).isFalse();
        assertThat(tasks.progressed(other, RelatedTask.add(null, ID), new Progress(2, null, null)))
                .isTrue();
        result.answer(RESULT);
        waiting.get();
        assertThat(heard).extracting(Progress::progress).containsExactly(1.0, 2.0);
        assertThat(tasks.progressed(token, null, new Progress(3, null, null))).isFalse();
    }

    @Test
    void theTokensOfAllAttemptsToCreateATaskAreForgottenWithItAndNoOthers() throws Exception {
        ProgressToken other = new ProgressToken(JsonValue.of(9));
        RemoteTask running =
                tasks.create(
                        told -> {
                            told.accept(other);
                            return created(
                                    new Task(new TaskId("t-2"), TaskStatus.WORKING, START, START));
                        },
                        Duration.ofSeconds(30));
        ProgressToken first = new ProgressToken(JsonValue.of(7));
        ProgressToken second = new ProgressToken(JsonValue.of(8));
        RemoteTask task =
                tasks.create(
                        told -> {
                            told.accept(first);
                            told.accept(second);
                            return created(WORKING);
                        },
                        Duration.ofSeconds(30));
        FutureTask<RawJson> waiting = await(task, null);
        peer.next("result").answer(RESULT);
        waiting.get();
        Progress late = new Progress(1, null, null);
        assertThat(tasks.progressed(first, null, late)).isFalse();
        assertThat(tasks.progressed(second, null, late)).isFalse();
        assertThat(tasks.progressed(other, null, late)).isTrue();
        assertThat(running.result()).isEmpty();
    }
}
