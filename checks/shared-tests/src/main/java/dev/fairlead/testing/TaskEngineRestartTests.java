package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.engine.RunQuestion;
import dev.fairlead.tasks.engine.TaskContext;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** A node stops in the middle of its tasks, and another continues. */
@Requirement("TASK-107")
abstract class TaskEngineRestartTests extends TaskEngineTests {
    private static final TaskOutcome DONE = TaskStoreTests.result("done");

    private final DurableTaskEngineContract contract;

    TaskEngineRestartTests(DurableTaskEngineContract contract) {
        super(contract);
        this.contract = contract;
    }

    private EngineBench restart(EngineBench before, EngineBench.Body body) throws Exception {
        before.close();
        return open(contract.restarted(), body, tasks -> tasks);
    }

    /** Never ends in the first run, and ends at once in a later one. */
    private static TaskOutcome endsInALaterRun(TaskContext context) throws InterruptedException {
        if (context.task().run() == 1) {
            new CountDownLatch(1).await();
        }
        return DONE;
    }

    @Test
    void tasksThatMayRunAgainAreDoneAfterAll() throws Exception {
        EngineBench first = open(TaskEngineRestartTests::endsInALaterRun);
        List<TaskId> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(first.start());
        }
        first.eventually(() -> first.engine.gauges().running() == ids.size());
        EngineBench second = restart(first, TaskEngineRestartTests::endsInALaterRun);
        for (TaskId id : ids) {
            TaskStoreTests.assertOutcome(DONE, second.outcome(id));
            assertEquals(2, second.find(id).run());
        }
        assertEquals(ids.size(), second.count(TaskEvent.Kind.TAKEN_OVER));
    }

    @Test
    void aTaskThatMayNotRunAgainFailsAndSaysSo() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        EngineBench.Body body =
                context -> {
                    runs.incrementAndGet();
                    return endsInALaterRun(context);
                };
        EngineBench first = open(body);
        TaskId id = first.start(false, null);
        first.eventually(() -> runs.get() == 1);
        EngineBench second = restart(first, body);
        TaskOutcome.Error error = assertInstanceOf(TaskOutcome.Error.class, second.outcome(id));
        assertEquals(-32_603, error.error().code());
        assertEquals(TaskState.ERROR, second.state(id));
        assertNotNull(second.find(id).statusMessage());
        second.eventually(() -> second.count(TaskEvent.Kind.ORPHANED) == 1);
        assertEquals(1, runs.get());
    }

    @Test
    void aFurtherRunFindsItsAnswersAndValues() throws Exception {
        AtomicInteger computed = new AtomicInteger();
        List<String> seen = new CopyOnWriteArrayList<>();
        EngineBench.Body body =
                context -> {
                    seen.add(asksAndComputes(context, computed));
                    return endsInALaterRun(context);
                };
        EngineBench first = open(body);
        TaskId id = first.start();
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = first.awaiting(id, stream);
        stream.next().answer("yes");
        first.eventually(() -> seen.size() == 1);
        EngineBench second = restart(first, body);
        assertTrue(waiting.isDone() || second.refusal(waiting).code() == -32_603);
        TaskStoreTests.assertOutcome(DONE, second.outcome(id));
        assertEquals(1, computed.get());
        assertEquals(List.of(seen.getFirst(), seen.getFirst()), seen);
        Double progress = second.find(id).progress();
        assertTrue(progress != null && progress >= 5);
    }

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
    void aQuestionThatWasOpenIsAskedAgain() throws Exception {
        EngineBench.Body body =
                context -> context.ask("elicitation/create", TaskStoreTests.json("go on?"));
        EngineBench first = open(body);
        TaskId id = first.start();
        ScriptedCarrier before = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> lost = first.awaiting(id, before);
        ScriptedCarrier.Asked asked = before.next();
        EngineBench second = restart(first, body);
        asked.awaitWithdrawal();
        assertEquals(-32_603, second.refusal(lost).code());
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = second.awaiting(id, stream);
        stream.next().answer("yes");
        TaskStoreTests.assertOutcome(TaskStoreTests.result("yes"), second.outcome(waiting));
    }

    @Test
    void ofSeveralOpenQuestionsThoseWithoutAnAnswerAreStillOpen() throws Exception {
        EngineBench.Body body =
                context -> {
                    List<RunQuestion> requests = new ArrayList<>();
                    for (String text : List.of("age?", "place?", "name?")) {
                        requests.add(
                                new RunQuestion("elicitation/create", TaskStoreTests.json(text)));
                    }
                    return context.ask(requests).get(1);
                };
        EngineBench first = open(body);
        TaskId id = first.start();
        first.eventually(() -> open(first, id).equals(List.of("q1", "q2", "q3")));
        TaskOutcome place = TaskStoreTests.result("Rome");
        first.engine.answer(EngineBench.OWNER, id, Map.of("q2", place));
        EngineBench second = restart(first, body);
        second.eventually(() -> second.find(id).run() == 2);
        assertEquals(List.of("q1", "q3"), open(second, id));
        TaskOutcome other = TaskStoreTests.result("other");
        second.engine.answer(EngineBench.OWNER, id, Map.of("q1", other, "q2", other, "q3", other));
        TaskStoreTests.assertOutcome(place, second.outcome(id));
    }

    private static List<String> open(EngineBench bench, TaskId id) {
        return bench.engine.snapshot(EngineBench.OWNER, id).questions().stream()
                .map(TaskQuestion::key)
                .toList();
    }

    @Test
    void aFurtherRunThatAsksSomethingElseFailsItsTask() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        EngineBench.Body body =
                context -> {
                    context.ask(
                            "elicitation/create",
                            TaskStoreTests.json("question of run " + context.task().run()));
                    answered.countDown();
                    return endsInALaterRun(context);
                };
        EngineBench first = open(body);
        TaskId id = first.start();
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = first.awaiting(id, stream);
        stream.next().answer("yes");
        first.eventually(() -> answered.getCount() == 0);
        EngineBench second = restart(first, body);
        assertEquals(-32_603, second.refusal(waiting).code());
        TaskOutcome.Error error = assertInstanceOf(TaskOutcome.Error.class, second.outcome(id));
        assertEquals(
                "Question 1 (elicitation/create) is not the one that an earlier run asked at its"
                        + " place",
                error.error().message());
    }

    /** Such as the context of a trace, which is new for each run. */
    @Test
    void aFurtherRunThatAsksTheSameWithOtherMetaHasItsAnswer() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        EngineBench.Body body =
                context -> {
                    String meta = "{\"run\":" + context.task().run() + "}";
                    context.ask("elicitation/create", RawJson.parse("{\"_meta\":" + meta + "}"));
                    answered.countDown();
                    return endsInALaterRun(context);
                };
        EngineBench first = open(body);
        TaskId id = first.start();
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = first.awaiting(id, stream);
        stream.next().answer("yes");
        first.eventually(() -> answered.getCount() == 0);
        EngineBench second = restart(first, body);
        assertEquals(-32_603, second.refusal(waiting).code());
        TaskStoreTests.assertOutcome(DONE, second.outcome(id));
    }

    @Test
    void anOutsideJobIsDoneOnAnotherNode() throws Exception {
        EngineBench.Body body =
                context -> {
                    context.park("job", null);
                    return DONE;
                };
        EngineBench first = open(body);
        TaskId id = first.start(false, null);
        first.eventually(() -> "job".equals(first.find(id).job()));
        EngineBench second = restart(first, body);
        assertEquals(TaskState.WORKING, second.state(id));
        assertTrue(second.engine.finish("report", "job", DONE));
        TaskStoreTests.assertOutcome(DONE, second.outcome(id));
        assertFalse(second.engine.finish("report", "job", DONE));
    }

    @Test
    void whatATaskGaveIsThereAfterwards() throws Exception {
        EngineBench first = open(context -> DONE);
        TaskId id = first.start();
        TaskStoreTests.assertOutcome(DONE, first.outcome(id));
        EngineBench second = restart(first, context -> TaskStoreTests.result("not again"));
        TaskStoreTests.assertOutcome(DONE, second.outcome(id));
        assertEquals(1, second.find(id).run());
    }
}
