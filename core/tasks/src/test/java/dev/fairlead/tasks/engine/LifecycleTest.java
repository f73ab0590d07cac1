package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** From creation to the end. */
class LifecycleTest {
    @Test
    @Requirement("TASK-023")
    @Requirement("TASK-025")
    void aTaskIsKnownAndWorksBeforeItHasBegun() {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            StoredTask task = bench.engine.create(Bench.OWNER, Bench.request());

            assertThat(task.state()).isEqualTo(TaskState.WORKING);
            assertThat(bench.find(task.id())).isEqualTo(task);
        }
    }

    @Test
    @Requirement("TASK-047")
    void waitersReceiveTheResultOfTheHandler() throws Exception {
        try (Bench bench = new Bench(context -> Bench.DONE)) {
            TaskId id = bench.start();

            assertThat(bench.await(id)).isEqualTo(Bench.DONE);
            assertThat(bench.find(id).state()).isEqualTo(TaskState.RESULT);
        }
    }

    @Test
    @Requirement("TASK-048")
    @Requirement("TASK-051")
    void allWaitersReceiveTheOutcomeAndCanFetchItAgainLater() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            go.await();
                            return Bench.DONE;
                        })) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> one = bench.awaitAside(id, Requestor.stream());
            CompletableFuture<TaskOutcome> other = bench.awaitAside(id, Requestor.stream());
            assertThat(List.of(one.isDone(), other.isDone())).containsOnly(false);

            go.countDown();

            assertThat(Bench.get(one)).isEqualTo(Bench.DONE);
            assertThat(Bench.get(other)).isEqualTo(Bench.DONE);
            assertThat(bench.await(id)).isEqualTo(Bench.DONE);
        }
    }

    @Test
    @Requirement("TASK-037")
    @Requirement("TASK-038")
    @Requirement("TASK-049")
    void anErrorOfTheWorkIsKeptUnchanged() throws Exception {
        JsonRpcError error = new JsonRpcError(-32099, "Out of paper", JsonValue.of(7));
        try (Bench bench =
                new Bench(
                        context -> {
                            throw new JsonRpcException(error, null);
                        })) {
            TaskId id = bench.start();

            assertThat(bench.await(id)).isEqualTo(new TaskOutcome.Error(error));
            assertThat(bench.find(id).state()).isEqualTo(TaskState.ERROR);
            assertThat(bench.find(id).statusMessage()).isEqualTo("Out of paper");
        }
    }

    @Test
    @Requirement("TASK-038")
    void aResultThatSaysThatTheWorkFailedSaysSoInTheStatusToo() throws Exception {
        TaskOutcome failure = new TaskOutcome.Result(dev.fairlead.json.RawJson.parse("{}"), true);
        try (Bench bench = new Bench(context -> failure)) {
            TaskId id = bench.start();

            assertThat(bench.await(id)).isEqualTo(failure);
            assertThat(bench.find(id).state()).isEqualTo(TaskState.FAILURE);
            assertThat(bench.find(id).statusMessage()).isNotEmpty();
        }
    }

    @Test
    void anUnexpectedExceptionOfTheHandlerIsReportedByReferenceOnly() throws Exception {
        try (Bench bench =
                new Bench(
                        context -> {
                            throw new IllegalStateException("secret");
                        })) {
            TaskId id = bench.start();

            TaskOutcome.Error outcome = (TaskOutcome.Error) bench.await(id);

            assertThat(outcome.error().code()).isEqualTo(-32603);
            assertThat(outcome.error().message()).startsWith("Internal error, reference ");
        }
    }

    @Test
    @Requirement("TASK-022")
    @Requirement("TASK-098")
    void idsAreUniqueAndHave128RandomBits() {
        Set<TaskId> ids = new HashSet<>();
        TaskIds source = new TaskIds();

        for (int i = 0; i < 10_000; i++) {
            ids.add(source.next());
        }

        assertThat(ids)
                .hasSize(10_000)
                .allMatch(id -> id.value().matches("[A-Za-z0-9_][A-Za-z0-9_-]{21}"));
    }

    @Test
    @Requirement("TASK-082")
    @Requirement("TASK-083")
    @Requirement("TASK-084")
    void cancellingStopsTheHandlerAndItsLateResultIsDropped() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        try (Bench bench =
                new Bench(
                        context -> {
                            begun.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                stopped.countDown();
                            }
                            return Bench.DONE;
                        })) {
            TaskId id = bench.start();
            begun.await();

            assertThat(bench.engine.cancel(Bench.OWNER, id).state()).isEqualTo(TaskState.CANCELLED);

            stopped.await();
            Bench.until(() -> bench.engine.gauges().running() == 0);
            assertThat(bench.find(id).state()).isEqualTo(TaskState.CANCELLED);
            assertThat(bench.kinds()).doesNotContain(TaskEvent.Kind.FINISHED);
        }
    }

    @Test
    @Requirement("TASK-052")
    @Requirement("TASK-088")
    void cancellingEndsTheWaitOfAllWithAnErrorThatNamesTheTask() {
        try (Bench bench = new Bench(LifecycleTest::forever)) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());

            bench.engine.cancel(Bench.OWNER, id);

            assertThatThrownBy(() -> Bench.get(waiting))
                    .cause()
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(-32603);
                                assertThat(e).hasMessage("Task was cancelled");
                                assertThat(String.valueOf(e.data()))
                                        .contains(id.value(), "cancelled");
                            });
        }
    }

    @Test
    @Requirement("TASK-052")
    void expiryEndsTheWait() {
        try (Bench bench = new Bench(LifecycleTest::forever)) {
            TaskId id = bench.start();
            CompletableFuture<TaskOutcome> waiting = bench.awaitAside(id, Requestor.stream());

            bench.timers.advance(Duration.ofHours(1));

            assertThatThrownBy(() -> Bench.get(waiting))
                    .cause()
                    .hasMessage("Task has expired")
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32602));
            Bench.until(() -> bench.engine.gauges().running() == 0);
        }
    }

    static TaskOutcome forever(TaskContext context) throws InterruptedException {
        new CountDownLatch(1).await();
        return Bench.DONE;
    }
}
