package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.engine.TaskContext;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks from their creation to their end. */
abstract class TaskEngineLifecycleTests extends TaskEngineTests {
    private static final TaskOutcome DONE = TaskStoreTests.result("done");

    TaskEngineLifecycleTests(TaskEngineContract contract) {
        super(contract);
    }

    /** Runs until it is interrupted, and reports that by a latch. */
    private static TaskOutcome runsOn(CountDownLatch begun, CountDownLatch stopped) {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            stopped.countDown();
        }
        return TaskStoreTests.result("late");
    }

    @Test
    void aTaskRunsOnceItHasBegun() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        EngineBench bench =
                open(
                        context -> {
                            runs.incrementAndGet();
                            return DONE;
                        });
        StoredTask created =
                bench.engine.create(EngineBench.OWNER, EngineBench.request(true, null));
        assertEquals(TaskState.WORKING, created.state());
        assertEquals(created, bench.find(created.id()));
        assertEquals(0, runs.get());
        bench.engine.begin(created, null);
        TaskStoreTests.assertOutcome(DONE, bench.outcome(created.id()));
        assertEquals(TaskState.RESULT, bench.state(created.id()));
        bench.engine.begin(created, null);
        assertEquals(1, runs.get());
    }

    @Test
    @Requirement("TASK-051")
    void allWaitersReceiveTheSameOutcome() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            go.await();
                            return DONE;
                        });
        TaskId id = bench.start();
        List<FutureTask<TaskOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(bench.awaiting(id, ScriptedCarrier.stream()));
        }
        assertTrue(waiting.stream().noneMatch(FutureTask::isDone));
        go.countDown();
        for (FutureTask<TaskOutcome> one : waiting) {
            TaskStoreTests.assertOutcome(DONE, bench.outcome(one));
        }
        TaskStoreTests.assertOutcome(DONE, bench.outcome(id));
    }

    @Test
    void whatAHandlerThrowsEndsItsTask() throws Exception {
        EngineBench bench =
                open(
                        context -> {
                            throw new JsonRpcException(-32_001, "no such report");
                        });
        TaskId id = bench.start();
        TaskOutcome.Error error = assertInstanceOf(TaskOutcome.Error.class, bench.outcome(id));
        assertEquals(-32_001, error.error().code());
        assertEquals("no such report", error.error().message());
        assertEquals(TaskState.ERROR, bench.state(id));
        assertEquals("no such report", bench.find(id).statusMessage());
    }

    @Test
    void aFailureSaysSo() throws Exception {
        EngineBench bench = open(context -> TaskStoreTests.failure("no paper"));
        TaskId id = bench.start();
        TaskStoreTests.assertOutcome(TaskStoreTests.failure("no paper"), bench.outcome(id));
        assertEquals(TaskState.FAILURE, bench.state(id));
        assertNotNull(bench.find(id).statusMessage());
    }

    @Test
    void aResultThatIsTooLargeFailsTheTask() throws Exception {
        EngineBench bench =
                open(
                        context -> new TaskOutcome.Result(TaskStoreTests.megabyte(), false),
                        tasks -> tasks.maxResultBytes(1_000));
        TaskOutcome.Error error =
                assertInstanceOf(TaskOutcome.Error.class, bench.outcome(bench.start()));
        assertEquals(-32_603, error.error().code());
        assertEquals(
                "The result has %s bytes, more than the 1000 that are kept"
                        .formatted(TaskStoreTests.megabyte().size()),
                error.error().message());
    }

    @Test
    @Requirement({"TASK-082", "TASK-088"})
    void cancellingStopsTheHandlerAndWakesWaiters() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        EngineBench bench = open(context -> runsOn(begun, stopped));
        TaskId id = bench.start();
        begun.await();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, ScriptedCarrier.stream());
        StoredTask cancelled = bench.engine.cancel(EngineBench.OWNER, id);
        assertEquals(TaskState.CANCELLED, cancelled.state());
        JsonRpcException refusal = bench.refusal(waiting);
        assertEquals(-32_603, refusal.code());
        assertEquals("Task was cancelled", refusal.getMessage());
        assertEquals(JsonObject.of("taskId", id.value(), "status", "cancelled"), refusal.data());
        stopped.await();
        bench.eventually(() -> bench.engine.gauges().running() == 0);
        assertEquals(TaskState.CANCELLED, bench.state(id));
        EngineBench.assertRefused(
                -32_602,
                "Task has ended and cannot be cancelled",
                () -> bench.engine.cancel(EngineBench.OWNER, id));
    }

    @Test
    void expiryStopsTheHandlerAndWakesWaiters() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        EngineBench bench = open(context -> runsOn(begun, stopped));
        TaskId id = bench.start(true, Duration.ofMillis(1_500));
        begun.await();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, ScriptedCarrier.stream());
        JsonRpcException refusal = bench.refusal(waiting);
        assertEquals(-32_602, refusal.code());
        assertEquals("Task has expired", refusal.getMessage());
        bench.eventually(() -> stopped.getCount() == 0);
        EngineBench.assertRefused(-32_602, "Task has expired", () -> bench.find(id));
        String unknown = "Unknown task: " + id.value();
        EngineBench.assertRefused(
                -32_602, unknown, () -> bench.engine.snapshot(EngineBench.OWNER, id));
        EngineBench.assertRefused(
                -32_602, unknown, () -> bench.engine.answer(EngineBench.OWNER, id, Map.of()));
        EngineBench.assertRefused(
                -32_602, unknown, () -> bench.engine.cancelIfOpen(EngineBench.OWNER, id));
        bench.eventually(() -> bench.count(TaskEvent.Kind.EXPIRED) == 1);
    }

    @Test
    @Requirement("ROOM-024")
    void whatIsUnknownOrForeignIsRefusedAlike() throws Exception {
        EngineBench bench = open(context -> DONE);
        TaskId known = bench.start();
        Owner foreigner = new Owner.Local("another owner");
        for (TaskId id : List.of(known, new TaskId("unknown"), new TaskId("\u0000'"))) {
            String message = "Unknown task: " + id.value();
            EngineBench.assertRefused(
                    -32_602, message, () -> bench.engine.find(foreigner, id, null));
            EngineBench.assertRefused(-32_602, message, () -> bench.engine.cancel(foreigner, id));
            EngineBench.assertRefused(
                    -32_602,
                    message,
                    () -> bench.engine.await(foreigner, id, ScriptedCarrier.stream()));
        }
    }

    @Test
    void listsHaveAllTasksOfTheirOwner() throws Exception {
        EngineBench bench = open(context -> DONE, tasks -> tasks.pageSize(2));
        List<TaskId> started = List.of(bench.start(), bench.start(), bench.start());
        TaskPage first = bench.engine.list(EngineBench.OWNER, null);
        TaskPage second = bench.engine.list(EngineBench.OWNER, first.next());
        List<TaskId> listed = new ArrayList<>();
        first.tasks().forEach(task -> listed.add(task.id()));
        second.tasks().forEach(task -> listed.add(task.id()));
        assertEquals(started, listed);
        EngineBench.assertRefused(
                -32_602, "Invalid cursor", () -> bench.engine.list(EngineBench.OWNER, "no place"));
        assertEquals(List.of(), bench.engine.list(new Owner.Local("other"), null).tasks());
    }

    @Test
    @Requirement("TASK-101")
    void anOwnerHasOnlySoManyTasksUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        EngineBench bench = open(context -> runsOn(begun, stopped), tasks -> tasks.maxPerOwner(1));
        TaskId id = bench.start();
        JsonRpcException refused = assertThrows(JsonRpcException.class, bench::start);
        assertEquals(-32_000, refused.code());
        bench.engine.cancel(EngineBench.OWNER, id);
        bench.start();
    }

    @Test
    void aHandlerThatIgnoresItsInterruptKeepsItsPlace() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            begun.countDown();
                            return ignoresInterrupts(go);
                        },
                        tasks -> tasks.maxRunning(1));
        TaskId id = bench.start();
        bench.eventually(() -> begun.getCount() == 0);
        bench.engine.cancel(EngineBench.OWNER, id);
        JsonRpcException refused = assertThrows(JsonRpcException.class, bench::start);
        assertEquals(-32_000, refused.code());
        go.countDown();
        bench.eventually(() -> bench.engine.gauges().running() == 0);
        bench.start();
        assertEquals(TaskState.CANCELLED, bench.state(id));
    }

    private static TaskOutcome ignoresInterrupts(CountDownLatch go) {
        while (true) {
            try {
                go.await();
                return DONE;
            } catch (InterruptedException e) {
                // continues, as the test wants
            }
        }
    }

    @Test
    @Requirement("TASK-087")
    void endsAndCancellationsHaveOneWinner() throws Exception {
        Map<TaskId, CountDownLatch> gates = new ConcurrentHashMap<>();
        EngineBench bench = open(context -> passes(gates, context));
        List<TaskId> ids = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            StoredTask task =
                    bench.engine.create(EngineBench.OWNER, EngineBench.request(true, null));
            gates.put(task.id(), new CountDownLatch(1));
            bench.engine.begin(task, null);
            ids.add(task.id());
        }
        List<Integer> cancelled =
                new Race<>(ids)
                        .with(id -> opens(gates, id))
                        .with(id -> cancels(bench, id))
                        .with(id -> cancels(bench, id))
                        .winners();
        bench.eventually(() -> bench.engine.gauges().running() == 0);
        for (int i = 0; i < ids.size(); i++) {
            TaskState state = cancelled.get(i) == 0 ? TaskState.RESULT : TaskState.CANCELLED;
            assertTrue(cancelled.get(i) <= 1);
            assertEquals(state, bench.state(ids.get(i)));
        }
        assertEquals(
                ids.size(),
                bench.count(TaskEvent.Kind.FINISHED) + bench.count(TaskEvent.Kind.CANCELLED));
    }

    private static TaskOutcome passes(Map<TaskId, CountDownLatch> gates, TaskContext context)
            throws InterruptedException {
        CountDownLatch gate = gates.get(context.task().id());
        if (gate != null) {
            gate.await();
        }
        return DONE;
    }

    private static boolean opens(Map<TaskId, CountDownLatch> gates, TaskId id) {
        CountDownLatch gate = gates.get(id);
        if (gate != null) {
            gate.countDown();
        }
        return false;
    }

    private static boolean cancels(EngineBench bench, TaskId id) {
        try {
            bench.engine.cancel(EngineBench.OWNER, id);
            return true;
        } catch (JsonRpcException e) {
            assertEquals(-32_602, e.code());
            return false;
        }
    }

    @Test
    void closingStopsHandlersAndEndsWaits() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        EngineBench bench = open(context -> runsOn(begun, stopped));
        TaskId id = bench.start();
        begun.await();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, ScriptedCarrier.stream());
        assertFalse(waiting.isDone());
        bench.engine.close();
        stopped.await();
        assertEquals(-32_603, bench.refusal(waiting).code());
    }
}
