package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that fails for a while, and comes back without a restart. */
abstract class TaskEngineOutageTests extends TaskEngineTests {
    private static final String DOWN = "The task store is not available";
    private static final TaskOutcome DONE = TaskStoreTests.result("done");

    TaskEngineOutageTests(TaskEngineContract contract) {
        super(contract);
    }

    @Test
    @Requirement("TASK-090")
    void newTasksAreRefusedUntilTheStoreIsBack() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        EngineBench bench =
                open(
                        context -> {
                            runs.incrementAndGet();
                            return DONE;
                        });
        TaskId id = bench.start();
        TaskStoreTests.assertOutcome(DONE, bench.outcome(id));
        bench.failing.fail();
        EngineBench.assertRefused(-32_603, DOWN, bench::start);
        EngineBench.assertRefused(-32_603, DOWN, () -> bench.find(id));
        EngineBench.assertRefused(-32_603, DOWN, () -> bench.engine.cancel(EngineBench.OWNER, id));
        EngineBench.assertRefused(-32_603, DOWN, () -> bench.engine.list(EngineBench.OWNER, null));
        bench.failing.recover();
        TaskStoreTests.assertOutcome(DONE, bench.outcome(bench.start()));
        assertEquals(2, runs.get());
    }

    @Test
    void aTaskThatEndsMeanwhileEndsWhenTheStoreIsBack() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            go.await();
                            return DONE;
                        });
        TaskId id = bench.start();
        bench.failing.fail();
        go.countDown();
        bench.eventually(() -> bench.failing.failures() >= 3);
        bench.failing.recover();
        TaskStoreTests.assertOutcome(DONE, bench.outcome(id));
        assertEquals(TaskState.RESULT, bench.state(id));
        bench.eventually(() -> bench.engine.gauges().running() == 0);
    }

    @Test
    void waitersReceiveTheResultAfterTheOutage() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            go.await();
                            return DONE;
                        });
        FutureTask<TaskOutcome> waiting = bench.awaiting(bench.start(), ScriptedCarrier.stream());
        bench.failing.fail();
        go.countDown();
        bench.eventually(() -> bench.failing.failures() >= 2);
        assertFalse(waiting.isDone());
        bench.failing.recover();
        TaskStoreTests.assertOutcome(DONE, bench.outcome(waiting));
    }

    @Test
    void aValueIsComputedOnceThoughItCannotBeStoredAtOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger computed = new AtomicInteger();
        EngineBench bench =
                open(
                        context -> {
                            go.await();
                            return new TaskOutcome.Result(
                                    context.once(
                                            "key",
                                            () ->
                                                    TaskStoreTests.json(
                                                            "value " + computed.incrementAndGet())),
                                    false);
                        });
        TaskId id = bench.start();
        bench.failing.fail();
        go.countDown();
        bench.eventually(() -> bench.failing.failures() >= 3);
        bench.failing.recover();
        TaskStoreTests.assertOutcome(TaskStoreTests.result("value 1"), bench.outcome(id));
        assertEquals(1, computed.get());
    }

    @Test
    void aQuestionIsAskedWhenTheStoreIsBack() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            go.await();
                            return context.ask("elicitation/create", TaskStoreTests.json("?"));
                        });
        TaskId id = bench.start();
        bench.failing.fail();
        go.countDown();
        bench.eventually(() -> bench.failing.failures() >= 2);
        bench.failing.recover();
        bench.eventually(() -> bench.state(id) == TaskState.INPUT_REQUIRED);
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
        stream.next().answer("yes");
        TaskStoreTests.assertOutcome(TaskStoreTests.result("yes"), bench.outcome(waiting));
    }

    @Test
    void anAnswerThatCameMeanwhileIsNotLost() throws Exception {
        EngineBench bench =
                open(context -> context.ask("elicitation/create", TaskStoreTests.json("?")));
        TaskId id = bench.start();
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
        ScriptedCarrier.Asked asked = stream.next();
        bench.failing.fail();
        asked.answer("yes");
        bench.eventually(() -> bench.failing.failures() >= 2);
        assertFalse(waiting.isDone());
        bench.failing.recover();
        TaskStoreTests.assertOutcome(TaskStoreTests.result("yes"), bench.outcome(waiting));
        assertTrue(stream.wasAskedNothing());
    }
}
