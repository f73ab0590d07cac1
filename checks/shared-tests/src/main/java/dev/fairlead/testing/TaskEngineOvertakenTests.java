package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.engine.TaskContext;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A run that was frozen and wakes up when another has its task. */
abstract class TaskEngineOvertakenTests extends TaskEngineTests {
    /** The thread that brings the state of tasks on a node in line with the store. */
    private static final String MATCHING = "mcp-task-questions";

    TaskEngineOvertakenTests(TaskEngineContract contract) {
        super(contract);
    }

    /** Has the store begin the next run of a task, as for another node. */
    private static TaskRun overtake(EngineBench bench, TaskId id) {
        TaskStore store = bench.failing.store();
        assertTrue(store.park(bench.find(id).key(), "frozen", null));
        return store.resume(bench.find(id).key()).orElseThrow().task().key();
    }

    @Test
    void computesNothingThatTheNextRunHasRecorded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch woken = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicInteger computed = new AtomicInteger();
        EngineBench bench =
                open(
                        context -> {
                            begun.countDown();
                            try {
                                woken.await();
                                context.once(
                                        "key",
                                        () ->
                                                TaskStoreTests.json(
                                                        "computed " + computed.incrementAndGet()));
                            } finally {
                                stopped.countDown();
                            }
                            return TaskStoreTests.result("late");
                        });
        TaskId id = bench.start();
        begun.await();
        TaskRun next = overtake(bench, id);
        bench.failing.store().record(next, "key", TaskStoreTests.json("recorded"));

        woken.countDown();

        bench.eventually(() -> stopped.getCount() == 0);
        assertEquals(0, computed.get());
        bench.eventually(() -> bench.engine.gauges().running() == 0);
        assertEquals(TaskState.WORKING, bench.state(id));
    }

    @Test
    void withdrawsNoQuestionOfTheNextRun() throws Exception {
        AtomicReference<Thread> handler = new AtomicReference<>();
        CountDownLatch interrupted = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            handler.set(Thread.currentThread());
                            return asks(context, interrupted);
                        });
        TaskId id = bench.start();
        bench.eventually(() -> bench.state(id) == TaskState.INPUT_REQUIRED);
        TaskRun next = overtake(bench, id);

        handler.get().interrupt();

        bench.eventually(() -> interrupted.getCount() == 0);
        assertEquals(TaskState.INPUT_REQUIRED, bench.state(id));
        assertTrue(bench.failing.store().answer(next, 1).isEmpty());
        assertEquals(1, bench.failing.store().questions(EngineBench.OWNER, id).size());
    }

    @Test
    void aTaskThatWasReadBeforeItsTakeOverStopsNoLaterRun() throws Exception {
        var held = new HeldTaskStore(newStore(), thread -> thread.getName().equals(MATCHING));
        CountDownLatch proceed = new CountDownLatch(1);
        EngineBench bench =
                open(
                        held.store(),
                        context -> {
                            if (context.task().run() == 1) {
                                return asks(context, new CountDownLatch(1));
                            }
                            proceed.await();
                            return TaskStoreTests.result("done");
                        },
                        tasks -> tasks);
        TaskId id = bench.start();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, ScriptedCarrier.stream());
        Thread matching = held.awaitRead();
        TaskStore store = bench.failing.store();
        assertTrue(store.park(bench.find(id).key(), "frozen", null));
        held.node().takeOver(List.of(store.resume(bench.find(id).key()).orElseThrow()));

        held.release();

        matching.join();
        proceed.countDown();
        TaskStoreTests.assertOutcome(TaskStoreTests.result("done"), bench.outcome(waiting));
    }

    private static TaskOutcome asks(TaskContext context, CountDownLatch interrupted)
            throws InterruptedException {
        try {
            return context.ask("elicitation/create", TaskStoreTests.json("?"));
        } finally {
            interrupted.countDown();
        }
    }
}
