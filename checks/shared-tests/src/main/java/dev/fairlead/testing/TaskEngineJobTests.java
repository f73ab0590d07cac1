package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.engine.TaskContext;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks that wait for an outside job, and the data that their next run finds. */
abstract class TaskEngineJobTests extends TaskEngineTests {
    private static final String NAME = "report";

    TaskEngineJobTests(TaskEngineContract contract) {
        super(contract);
    }

    private static TaskOutcome parks(TaskContext context, @Nullable Duration pollEvery) {
        context.park(context.task().id().value(), pollEvery);
        return TaskStoreTests.result("ignored");
    }

    /** A task that is parked on the job of its own name. */
    private static TaskId parked(EngineBench bench) {
        TaskId id = bench.start();
        bench.eventually(() -> id.value().equals(bench.find(id).job()));
        return id;
    }

    @Test
    void aParkedTaskTakesNoPlaceUntilItsJobIsDone() throws Exception {
        EngineBench bench = open(context -> parks(context, null));
        TaskId id = parked(bench);
        bench.eventually(() -> bench.engine.gauges().running() == 0);
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, ScriptedCarrier.stream());
        TaskOutcome done = TaskStoreTests.result("done");
        assertFalse(bench.engine.finish(NAME, "another job", done));
        assertFalse(bench.engine.finish("another name", id.value(), done));
        assertTrue(bench.engine.finish(NAME, id.value(), done));
        TaskStoreTests.assertOutcome(done, bench.outcome(waiting));
        assertFalse(bench.engine.finish(NAME, id.value(), TaskStoreTests.result("again")));
        assertFalse(bench.engine.resume(NAME, id.value()));
    }

    @Test
    void aJobCanFail() throws Exception {
        EngineBench bench = open(context -> parks(context, null));
        TaskId id = parked(bench);
        assertTrue(bench.engine.finish(NAME, id.value(), TaskStoreTests.error("no paper")));
        TaskStoreTests.assertOutcome(TaskStoreTests.error("no paper"), bench.outcome(id));
        assertEquals(TaskState.ERROR, bench.state(id));
    }

    @Test
    void whatBecomesOfAJobHasOneWinner() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        EngineBench bench =
                open(
                        context -> {
                            runs.incrementAndGet();
                            return context.task().run() == 1
                                    ? parks(context, null)
                                    : TaskStoreTests.result("resumed");
                        });
        List<TaskId> ids = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ids.add(parked(bench));
        }
        TaskOutcome done = TaskStoreTests.result("done");
        new Race<>(ids)
                .with(id -> bench.engine.finish(NAME, id.value(), done))
                .with(id -> bench.engine.finish(NAME, id.value(), TaskStoreTests.error("no")))
                .with(id -> bench.engine.resume(NAME, id.value()))
                .hasOneWinnerEach();
        for (TaskId id : ids) {
            bench.eventually(() -> bench.state(id).isEnded());
        }
        long resumed = ids.stream().filter(id -> bench.find(id).run() == 2).count();
        assertEquals(ids.size() + resumed, runs.get());
    }

    @Test
    void aPollEndsTheTaskOnceTheJobIsDone() throws Exception {
        EngineBench bench = open(context -> parks(context, Duration.ofMillis(100)));
        AtomicInteger polls = new AtomicInteger();
        bench.polling =
                parked ->
                        switch (polls.incrementAndGet()) {
                            case 1 -> Optional.empty();
                            case 2 -> throw new IllegalStateException("as the test wants");
                            default -> Optional.of(TaskStoreTests.result("done"));
                        };
        TaskId id = bench.start();
        bench.eventually(() -> bench.state(id) == TaskState.RESULT);
        assertTrue(polls.get() >= 3);
    }

    @Test
    void aPollThatTakesLongIsWaitedForBeforeTheNext() throws Exception {
        EngineBench bench = open(context -> parks(context, Duration.ofMillis(100)));
        CountDownLatch answer = new CountDownLatch(1);
        Set<TaskId> entered = ConcurrentHashMap.newKeySet();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        TaskId slow = bench.start();
        bench.polling =
                parked -> {
                    if (!parked.task().id().equals(slow)) {
                        others.incrementAndGet();
                        return Optional.empty();
                    }
                    if (!entered.add(slow)) {
                        overlaps.incrementAndGet();
                    }
                    answer.await();
                    return Optional.of(TaskStoreTests.result("done"));
                };
        bench.eventually(() -> entered.contains(slow));
        parked(bench);
        bench.eventually(() -> others.get() >= 3); // so many times the slow one was due as well
        assertEquals(0, overlaps.get());
        answer.countDown();
        bench.eventually(() -> bench.state(slow) == TaskState.RESULT);
    }

    @Test
    void aJobThatIsDoneBeforeItsTaskHasParkedIsReportedAgain() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            asked.await();
                            return parks(context, null);
                        });
        TaskId id = bench.start();
        TaskOutcome done = TaskStoreTests.result("done");
        assertFalse(bench.engine.finish(NAME, id.value(), done));
        asked.countDown();
        bench.eventually(() -> bench.engine.finish(NAME, id.value(), done));
        TaskStoreTests.assertOutcome(done, bench.outcome(id));
    }

    @Test
    void aPollCanFailTheTask() throws Exception {
        EngineBench bench = open(context -> parks(context, Duration.ofMillis(100)));
        bench.polling =
                parked -> {
                    throw new JsonRpcException(-32_001, "the job is gone");
                };
        TaskId id = bench.start();
        bench.eventually(() -> bench.state(id) == TaskState.ERROR);
        TaskOutcome.Error error = assertInstanceOf(TaskOutcome.Error.class, bench.outcome(id));
        assertEquals("the job is gone", error.error().message());
    }

    @Test
    void aFurtherRunFindsItsAnswersAndValues() throws Exception {
        AtomicInteger computed = new AtomicInteger();
        List<String> seen = new CopyOnWriteArrayList<>();
        EngineBench bench =
                open(
                        context -> {
                            seen.add(asksAndComputes(context, computed));
                            return context.task().run() == 1
                                    ? parks(context, null)
                                    : TaskStoreTests.result("done");
                        });
        TaskId id = bench.start();
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
        stream.next().answer("yes");
        bench.eventually(() -> bench.find(id).job() != null);
        assertTrue(bench.engine.resume(NAME, id.value()));
        TaskStoreTests.assertOutcome(TaskStoreTests.result("done"), bench.outcome(waiting));
        assertEquals(1, computed.get());
        assertEquals(2, seen.size());
        assertEquals(seen.get(0), seen.get(1));
        assertTrue(stream.wasAskedNothing());
        assertEquals(5.0, bench.find(id).progress());
    }

    /** Everything that the run saw. */
    private static String asksAndComputes(TaskContext context, AtomicInteger computed)
            throws Exception {
        context.progress(new Progress(context.task().run() == 1 ? 5 : 1, null, null));
        TaskOutcome answer = context.ask("elicitation/create", TaskStoreTests.json("go on?"));
        RawJson value =
                context.once(
                        "key", () -> TaskStoreTests.json("computed " + computed.incrementAndGet()));
        return ((TaskOutcome.Result) answer).value().toJson()
                + value.toJson()
                + context.idempotencyKey("key");
    }

    @Test
    void aFurtherRunThatAsksSomethingElseFailsItsTask() throws Exception {
        EngineBench bench =
                open(
                        context -> {
                            context.ask(
                                    "elicitation/create",
                                    TaskStoreTests.json("question of run " + context.task().run()));
                            return parks(context, null);
                        });
        TaskId id = bench.start();
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
        stream.next().answer("yes");
        bench.eventually(() -> bench.find(id).job() != null);
        assertTrue(bench.engine.resume(NAME, id.value()));
        TaskOutcome.Error error = assertInstanceOf(TaskOutcome.Error.class, bench.outcome(waiting));
        assertEquals(-32_603, error.error().code());
        assertEquals(
                "Question 1 (elicitation/create) is not the one that an earlier run asked at its"
                        + " place",
                error.error().message());
    }
}
