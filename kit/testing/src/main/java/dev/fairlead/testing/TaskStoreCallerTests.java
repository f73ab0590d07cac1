package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.TaskQuestion.Asked;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStoreException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of a store by interrupted threads, and calls that come too late. */
abstract class TaskStoreCallerTests extends TaskStoreTests {
    TaskStoreCallerTests(TaskStoreContract contract) {
        super(contract);
    }

    /** Calls every method of a store; each step returns whether it succeeded. */
    private Map<String, Callable<Boolean>> everything() throws Exception {
        TaskRun run = create();
        TaskRun parked = create();
        TaskRun cancelled = create();
        TaskId id = run.id();
        Map<String, Callable<Boolean>> steps = new LinkedHashMap<>();
        steps.put("create", () -> create().number() == 1);
        steps.put("find", () -> store.find(ALICE, id).isPresent());
        steps.put("list", () -> !store.list(ALICE, null, 10).tasks().isEmpty());
        steps.put("update", () -> store.update(run, "notified", 0.5));
        steps.put("ask", () -> store.ask(run, question(1)) instanceof Asked.Open);
        steps.put("questions", () -> store.questions(ALICE, id).size() == 1);
        steps.put("with questions", () -> store.snapshot(ALICE, id).isPresent());
        steps.put("deliver", () -> store.deliver(ALICE, id, 1, null, FIRST_DELIVERY));
        steps.put("answer", () -> store.answer(ALICE, id, 1, result("yes")));
        steps.put("answer of the run", () -> store.answer(run, 1).isPresent());
        steps.put("record", () -> store.record(run, "key", json("value")).isPresent());
        steps.put("recorded", () -> store.recorded(run, "key") instanceof Recorded.Value);
        steps.put("end", () -> store.end(run, result("done"), "over"));
        steps.put("outcome", () -> store.outcome(ALICE, id).isPresent());
        steps.put("park", () -> store.park(parked, "job", Duration.ofHours(1)));
        steps.put("parked", () -> store.parked("report", "job").isPresent());
        steps.put("resume", () -> store.resume(parked).isPresent());
        steps.put("cancel", () -> store.cancel(ALICE, cancelled.id(), "not wanted"));
        steps.put(
                "release",
                () -> {
                    store.release(cancelled);
                    return true;
                });
        steps.put(
                "sweep",
                () -> {
                    store.sweep();
                    return true;
                });
        return steps;
    }

    @Test
    void anInterruptDisturbsNothingAndIsKept() throws Exception {
        Map<String, Callable<Boolean>> steps = everything();
        FutureTask<List<String>> onVirtualThread = new FutureTask<>(() -> interrupted(steps));
        Thread.ofVirtual().name("contract-interrupted").start(onVirtualThread);
        assertEquals(List.copyOf(steps.keySet()), onVirtualThread.get(60, TimeUnit.SECONDS));
        assertEquals(TaskState.WORKING, state(create()));
    }

    /** Returns the steps that worked and kept the interrupt. */
    private static List<String> interrupted(Map<String, Callable<Boolean>> steps) throws Exception {
        List<String> fine = new ArrayList<>();
        for (Map.Entry<String, Callable<Boolean>> step : steps.entrySet()) {
            Thread.currentThread().interrupt();
            boolean worked = step.getValue().call();
            if (Thread.interrupted() && worked) {
                fine.add(step.getKey());
            }
        }
        return fine;
    }

    @Test
    void interruptsInTheMiddleDisturbNothing() throws Exception {
        int tasks = 100;
        AtomicInteger ended = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(
                    Thread.ofVirtual()
                            .unstarted(
                                    () -> {
                                        while (ended.get() < tasks && endsATask()) {
                                            ended.incrementAndGet();
                                        }
                                    }));
        }
        threads.forEach(Thread::start);
        while (threads.stream().anyMatch(Thread::isAlive)) {
            threads.forEach(Thread::interrupt);
        }
        assertTrue(ended.get() >= tasks, () -> "only " + ended + " ended");
        assertEquals(
                ended.get(),
                store.list(ALICE, null, 1_000).tasks().stream()
                        .filter(task -> task.state() == TaskState.RESULT)
                        .count());
    }

    private boolean endsATask() {
        try {
            TaskRun run = create();
            store.record(run, "key", json("value"));
            store.ask(run, question(1));
            return answer(run, 1, "yes") && store.end(run, result("done"), null);
        } catch (Exception e) {
            return false;
        }
    }

    @Test
    void aStoreIsOpenedOnce() {
        assertThrows(IllegalStateException.class, () -> store.open(node, timers.clock()));
        store.close();
        assertThrows(IllegalStateException.class, () -> store.open(node, timers.clock()));
    }

    @Test
    void afterItsCloseAStoreFails() throws Exception {
        Map<String, Callable<Boolean>> steps = everything();
        store.close();
        steps.forEach((name, step) -> assertThrows(TaskStoreException.class, step::call, name));
        store.close();
    }

    @Test
    void closingFromManyThreadsIsClosingOnce() throws Exception {
        Race<Integer> race = new Race<>(List.of(1, 2));
        for (int i = 0; i < 4; i++) {
            race.with(
                    round -> {
                        store.close();
                        return true;
                    });
        }
        assertEquals(List.of(4, 4), race.winners());
    }

    @Test
    void whatIsUnderWayWhenTheStoreClosesWorksOrFails() throws Exception {
        List<FutureTask<Boolean>> callers = new ArrayList<>();
        TaskRun run = create();
        for (int i = 0; i < 4; i++) {
            FutureTask<Boolean> caller = new FutureTask<>(() -> worksUntilItFails(run));
            callers.add(caller);
            Thread.ofVirtual().start(caller);
        }
        assertTrue(store.update(run, "notified", null));
        store.close();
        for (FutureTask<Boolean> caller : callers) {
            assertFalse(caller.get(60, TimeUnit.SECONDS));
        }
    }

    private boolean worksUntilItFails(TaskRun run) {
        try {
            boolean works = true;
            while (works) {
                works = store.update(run, "notified", null);
            }
            return true;
        } catch (TaskStoreException e) {
            return false;
        }
    }

    @Test
    void aStoreSaysHowOftenToSweepItOrSweepsByItself() {
        assertTrue(store.sweepInterval().map(Duration::isPositive).orElse(true));
    }
}
