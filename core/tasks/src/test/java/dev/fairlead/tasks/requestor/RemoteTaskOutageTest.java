package dev.fairlead.tasks.requestor;

import static dev.fairlead.tasks.requestor.RemoteTaskTest.ID;
import static dev.fairlead.tasks.requestor.RemoteTaskTest.RESULT;
import static dev.fairlead.tasks.requestor.RemoteTaskTest.WORKING;
import static dev.fairlead.tasks.requestor.RemoteTaskTest.at;
import static dev.fairlead.tasks.requestor.RemoteTaskTest.await;
import static dev.fairlead.tasks.requestor.RemoteTaskTest.created;
import static dev.fairlead.tasks.requestor.RemoteTaskTest.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.FutureTask;

/** How a task is watched whose peer cannot be reached, refuses, or fails. */
@Timeout(300)
final class RemoteTaskOutageTest {
    private static final JsonRpcException STORE_DOWN =
            new JsonRpcException(ErrorCode.INTERNAL_ERROR, "The store is down");

    private final ScriptedPeer peer = new ScriptedPeer();
    private final ManualTimers timers = new ManualTimers();
    private final RemoteTasks tasks = new RemoteTasks(peer, timers);

    @AfterEach
    void close() {
        tasks.close();
    }

    private RemoteTask create() throws InterruptedException {
        return tasks.create(token -> created(WORKING), Duration.ofSeconds(30));
    }

    /** Moves the clock, once the watch waits. */
    private void after(Duration duration) throws InterruptedException {
        timers.awaitTimers(1);
        timers.advance(duration);
    }

    // ---- outages

    @Test
    @Requirement("TASK-040")
    void aConnectionThatIsLostForAWhileCostsNothingButTime() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        peer.next("result").fail(new ConnectionException("the stream broke"));
        after(Duration.ofMillis(500));
        peer.next("result").fail(new ConnectionException("the stream broke"));
        after(Duration.ofSeconds(1));
        peer.next("result").fail(new ConnectionException("the stream broke"));
        after(Duration.ofMillis(700)); // the poll interval is over
        peer.next("get").fail(new ConnectionException("no route"));
        after(Duration.ofMillis(2_200));
        peer.next("get").fail(STORE_DOWN);
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(at(1, TaskStatus.WORKING));
        peer.next("result").answer(RESULT);
        assertThat(waiting.get()).isEqualTo(RESULT);
    }

    @Test
    void anOutageIsToleratedUntilTheTimeToLiveIsOver() throws Exception {
        Instant start = timers.clock().instant();
        Task task = WORKING.withTtl(Duration.ofHours(6).toMillis());
        RemoteTask remote = tasks.create(token -> created(task), Duration.ofSeconds(30));
        remote.watch();
        after(Duration.ofMillis(2_200));
        while (timers.clock().instant().isBefore(start.plus(Duration.ofHours(5)))) {
            peer.next("get").fail(new ConnectionException("no route"));
            after(Duration.ofSeconds(30));
        }
        peer.next("get").answer(task.withStatus(TaskStatus.COMPLETED));
        peer.next("result").answer(RESULT);
        assertThat(remote.await(null, null)).isEqualTo(RESULT);
    }

    @Test
    void aWaitForAnUnreachableTaskEndsWithTheLastError() throws Exception {
        RemoteTask remote =
                tasks.create(token -> created(WORKING.withTtl(60_000L)), Duration.ofSeconds(30));
        remote.watch();
        after(Duration.ofMillis(2_200));
        peer.next("get").fail(new ConnectionException("no route"));
        after(Duration.ofSeconds(61));
        peer.next("get").fail(new ConnectionException("no route"));
        assertThat(failure(await(remote, null)))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("gave up asking for task t-1; last error: no route")
                .hasRootCauseMessage("no route");
    }

    @Test
    void aPeerOfWhichNothingIsKnownIsAskedForAnHour() throws Exception {
        Instant start = timers.clock().instant();
        RemoteTask remote = tasks.resume(ID);
        remote.watch();
        while (timers.clock().instant().isBefore(start.plus(WatchLimits.OUTAGE))) {
            peer.next("get").fail(new ConnectionException("no route"));
            after(Duration.ofSeconds(30));
        }
        peer.next("get").fail(new ConnectionException("no route"));
        after(Duration.ofSeconds(30));
        peer.next("get").fail(new ConnectionException("no route"));
        assertThat(failure(await(remote, null)))
                .hasMessage("gave up asking for task t-1; last error: no route");
    }

    @Test
    void aTimeoutInAnOutageReportsTheOutageAndPollingContinues() throws Exception {
        RemoteTask remote = create();
        FutureTask<RawJson> waiting = await(remote, Duration.ofSeconds(10));
        peer.next("result").fail(new ConnectionException("the stream broke"));
        timers.awaitTimers(2); // the limit, and the watch
        timers.advance(Duration.ofSeconds(10));
        assertThat(failure(waiting))
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("no result of task t-1 within 10 s; last error: the stream broke");
        ScriptedPeer.Request next = peer.next();
        if (next.method().equals("result")) { // asked for before the limit was over
            next.answer(RESULT);
        } else {
            next.answer(at(1, TaskStatus.COMPLETED));
            peer.next("result").answer(RESULT);
        }
        assertThat(remote.await(null, null)).isEqualTo(RESULT);
    }

    @Test
    void aPeerThatIsGoneForGoodIsGivenUpAtOnce() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        ScriptedPeer.Request result = peer.next("result");
        peer.lost = true;
        result.fail(new ConnectionException("the process has ended"));
        assertThat(failure(waiting))
                .isInstanceOf(ConnectionException.class)
                .hasMessage(
                        "the connection is lost, so that task t-1 cannot be watched any more; it"
                                + " may go on")
                .hasRootCauseMessage("the process has ended");
    }

    @Test
    void aPeerThatKnowsNoTasksAnyMoreIsGivenUpAtOnce() throws Exception {
        RemoteTask remote = tasks.resume(ID);
        remote.watch();
        peer.next("get").fail(JsonRpcException.methodNotFound("tasks/get"));
        assertThat(failure(await(remote, null)))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND));
    }

    @Test
    @Requirement("TASK-040")
    void aConnectionThatIsCutAgainAndAgainMakesNothingComeMoreOften() throws Exception {
        CountingPeer cut = new CountingPeer(WORKING, new ConnectionException("the stream was cut"));
        try (RemoteTasks all = new RemoteTasks(cut, timers)) {
            RemoteTask remote = all.create(token -> created(WORKING), Duration.ofSeconds(30));
            FutureTask<RawJson> waiting = await(remote, null);
            for (int step = 0; step < 1_200; step++) { // two minutes
                after(Duration.ofMillis(100));
            }
            timers.awaitTimers(1);
            assertThat(cut.looks).hasValueLessThanOrEqualTo(60);
            assertThat(cut.fetches).hasValueBetween(5, 15);
            assertThat(waiting).isNotDone();
        }
    }

    // ---- refusals

    @Test
    @Requirement("TASK-040")
    void aPeerThatAnswersTasksResultTooEarlyIsPolledAndAskedNowAndThen() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        JsonRpcException early = JsonRpcException.invalidRequest("not yet");
        peer.next("result").fail(early);
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(WORKING); // shows that this is no outcome
        peer.next("result").fail(early);
        after(Duration.ofSeconds(1));
        peer.next("result").fail(early);
        after(Duration.ofMillis(1_300));
        peer.next("get").answer(at(2, TaskStatus.WORKING));
        after(Duration.ofMillis(700));
        peer.next("result").answer(RESULT);
        assertThat(waiting.get()).isEqualTo(RESULT);
    }

    @Test
    @Requirement("TASK-053")
    void aRefusalIsNotTakenForTheOutcomeOfATaskThatHasFailedMeanwhile() throws Exception {
        FutureTask<RawJson> waiting = await(create(), null);
        peer.next("result").fail(new JsonRpcException(-32000, "Too many operations"));
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(at(1, TaskStatus.FAILED));
        peer.next("result").fail(new JsonRpcException(42, "boom"));
        assertThat(failure(waiting)).isInstanceOf(JsonRpcException.class).hasMessage("boom");
    }

    @Test
    @Requirement("TASK-053")
    void anErrorThatMayBeARefusalIsTheOutcomeWhenItComesAgainAfterALook() throws Exception {
        RemoteTask remote = create();
        remote.watch();
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(at(1, TaskStatus.FAILED));
        peer.next("result").fail(STORE_DOWN);
        after(Duration.ofMillis(2_200));
        peer.next("get").fail(STORE_DOWN);
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(at(1, TaskStatus.FAILED));
        JsonRpcException boom = new JsonRpcException(ErrorCode.INTERNAL_ERROR, "boom");
        peer.next("result").fail(boom);
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(at(1, TaskStatus.FAILED));
        peer.next("result").fail(boom);
        assertThat(failure(await(remote, null)))
                .isInstanceOf(JsonRpcException.class)
                .hasMessage("boom");
    }

    @Test
    @Requirement("TASK-053")
    void aPeerThatIsTooBusyForRequestsIsAskedAgainAndAgainForTheOutcome() throws Exception {
        assertGivenUp(TaskStatus.FAILED, JsonRpcException.invalidRequest("too many requests"));
    }

    @Test
    @Requirement("TASK-053")
    void anErrorThatIsTheStatusMessageOfItsTaskIsTheOutcomeAtOnce() throws Exception {
        JsonRpcException boom = new JsonRpcException(ErrorCode.INTERNAL_ERROR, "b".repeat(2_000));
        Task failed = at(1, TaskStatus.FAILED).withStatusMessage("b".repeat(999) + "…");
        RemoteTask seen = create();
        seen.watch();
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(failed);
        peer.next("result").fail(boom);
        assertThat(failure(await(seen, null)))
                .isExactlyInstanceOf(JsonRpcException.class)
                .hasMessage(boom.getMessage())
                .cause()
                .isSameAs(boom);

        FutureTask<RawJson> waiting = await(create(), null);
        peer.next("result").fail(boom);
        after(Duration.ofMillis(2_200));
        peer.next("get").answer(failed);
        assertThat(failure(waiting))
                .isExactlyInstanceOf(JsonRpcException.class)
                .hasMessage(boom.getMessage())
                .cause()
                .isSameAs(boom);
        peer.expectNothing();
    }

    @Test
    @Requirement("TASK-053")
    void aRetryableErrorIsFollowedByAnotherRequestForTheOutcome() throws Exception {
        Task ended = at(1, TaskStatus.FAILED).withStatusMessage("boom");
        CountingPeer busy =
                new CountingPeer(ended, RetryableError.exception(-32000, "Too many operations"));
        try (RemoteTasks all = new RemoteTasks(busy, timers)) {
            RemoteTask remote = all.create(token -> created(ended), Duration.ofSeconds(30));
            FutureTask<RawJson> waiting = awaitWithTimer(remote);
            while (busy.fetches.get() <= WatchLimits.REFUSALS) {
                after(Duration.ofMillis(100));
            }
            timers.awaitTimers(1);
            assertThat(waiting).isNotDone();
            passUntilDone(waiting, Duration.ofSeconds(10)); // an hour at most
            assertThat(failure(waiting)).hasMessage("Too many operations");
        }
    }

    @Test
    void anOutcomeThatThePeerWithholdsIsGivenUp() throws Exception {
        assertGivenUp(TaskStatus.COMPLETED, new RequestTimeoutException("no answer"));
    }

    /** Moves the clock whenever the watch waits. */
    private void passUntilDone(FutureTask<RawJson> waiting, Duration step)
            throws InterruptedException {
        while (!waiting.isDone()) {
            after(step);
        }
    }

    /** Waits as {@link RemoteTaskTest#await}; the end of the wait sets a timer as well. */
    @CheckReturnValue
    private FutureTask<RawJson> awaitWithTimer(RemoteTask task) {
        FutureTask<RawJson> waiting =
                new FutureTask<>(() -> task.await(null, null)) {
                    @Override
                    protected void done() {
                        timers.schedule(Duration.ofDays(365), () -> {});
                    }
                };
        Thread.ofVirtual().start(waiting);
        return waiting;
    }

    private void assertGivenUp(TaskStatus status, CallException answer) throws Exception {
        Task ended = at(1, status);
        CountingPeer silent = new CountingPeer(ended, answer);
        try (RemoteTasks all = new RemoteTasks(silent, timers)) {
            RemoteTask remote = all.create(token -> created(ended), Duration.ofSeconds(30));
            FutureTask<RawJson> waiting = awaitWithTimer(remote);
            passUntilDone(waiting, Duration.ofMillis(100));
            assertThat(failure(waiting)).hasMessage(answer.getMessage());
            assertThat(silent.fetches).hasValue(WatchLimits.REFUSALS);
        }
    }
}
