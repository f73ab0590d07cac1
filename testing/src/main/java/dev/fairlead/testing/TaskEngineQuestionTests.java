package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.engine.TaskContext;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** What tasks ask, and the ways that questions and answers take. */
abstract class TaskEngineQuestionTests extends TaskEngineTests {
    TaskEngineQuestionTests(TaskEngineContract contract) {
        super(contract);
    }

    /** Asks one question, and gives its answer. */
    private static TaskOutcome asks(TaskContext context) throws InterruptedException {
        return context.ask("elicitation/create", TaskStoreTests.json("go on?"));
    }

    private static TaskId startFor(EngineBench bench, ScriptedCarrier session) {
        StoredTask task = bench.engine.create(EngineBench.OWNER, EngineBench.request(true, null));
        bench.engine.begin(task, session);
        return task.id();
    }

    private static void assertGives(String text, EngineBench bench, FutureTask<TaskOutcome> waiting)
            throws Exception {
        TaskStoreTests.assertOutcome(TaskStoreTests.result(text), bench.outcome(waiting));
    }

    @Test
    @Requirement({"TASK-055", "TASK-058"})
    void aQuestionWaitsForSomebodyToAsk() throws Exception {
        EngineBench bench =
                open(
                        context -> {
                            asks(context);
                            return context.ask("sampling/createMessage", TaskStoreTests.json("2"));
                        });
        TaskId id = bench.start();
        bench.eventually(() -> bench.state(id) == TaskState.INPUT_REQUIRED);
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
        ScriptedCarrier.Asked first = stream.next();
        assertEquals(id, first.task.id());
        assertEquals("elicitation/create", first.method);
        TaskStoreTests.assertBytes(TaskStoreTests.json("go on?"), first.params);
        first.answer("yes");
        ScriptedCarrier.Asked second = stream.next();
        assertEquals("sampling/createMessage", second.method);
        second.answer("words");
        assertGives("words", bench, waiting);
    }

    @Test
    void aSessionThatCanBeReachedIsAskedAtOnce() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        session.next().answer("yes");
        assertGives("yes", bench, bench.awaiting(id, ScriptedCarrier.stream()));
    }

    @Test
    void aSessionIsAskedOnceItCanBeReached() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        ScriptedCarrier session = ScriptedCarrier.session();
        session.open = false;
        TaskId id = startFor(bench, session);
        bench.eventually(() -> bench.state(id) == TaskState.INPUT_REQUIRED);
        assertTrue(session.wasAskedNothing());
        session.open = true;
        bench.engine.reachable(session);
        session.next().answer("yes");
        bench.eventually(() -> bench.state(id) == TaskState.RESULT);
    }

    @Test
    void aSessionThatIsAliveTakesThePlaceOfOneThatCannotBeReached() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        ScriptedCarrier old = ScriptedCarrier.session();
        old.open = false;
        TaskId id = startFor(bench, old);
        bench.eventually(() -> bench.state(id) == TaskState.INPUT_REQUIRED);
        ScriptedCarrier session = ScriptedCarrier.session();
        bench.engine.find(EngineBench.OWNER, id, session);
        session.next().answer("yes");
        bench.eventually(() -> bench.state(id) == TaskState.RESULT);
        assertTrue(old.wasAskedNothing());
    }

    @Test
    void aQuestionStandsAsLongAsTheConnectionThatCarriesIt() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        ScriptedCarrier.Asked asked = session.next();
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> first = bench.awaiting(id, stream);
        ScriptedCarrier another = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> second = bench.awaiting(id, another);
        session.awaitProbe();
        asked.answer("yes");
        assertGives("yes", bench, first);
        assertGives("yes", bench, second);
        assertTrue(stream.wasAskedNothing() && another.wasAskedNothing());
    }

    @Test
    void theStreamOfAResultTakesAQuestionOverFromASessionThatIsGone() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        ScriptedCarrier.Asked there = session.next();
        session.open = false;
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
        ScriptedCarrier.Asked here = stream.next();
        there.awaitWithdrawal();
        here.answer("on the stream");
        assertGives("on the stream", bench, waiting);
    }

    @Test
    void aNewStreamTakesAQuestionOverFromAnOldOneThatIsGone() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        TaskId id = bench.start();
        ScriptedCarrier old = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> first = bench.awaiting(id, old);
        ScriptedCarrier.Asked there = old.next();
        old.open = false;
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> second = bench.awaiting(id, stream);
        ScriptedCarrier.Asked here = stream.next();
        there.awaitWithdrawal();
        here.answer("yes");
        assertGives("yes", bench, first);
        assertGives("yes", bench, second);
    }

    @Test
    void aQuestionWhoseStreamIsGoneIsAskedAgain() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        TaskId id = bench.start();
        ScriptedCarrier broken = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> first = bench.awaiting(id, broken);
        ScriptedCarrier.Asked lost = broken.next();
        broken.open = false;
        lost.lose();
        assertEquals(TaskState.INPUT_REQUIRED, bench.state(id));
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> second = bench.awaiting(id, stream);
        stream.next().answer("yes");
        assertGives("yes", bench, second);
        assertGives("yes", bench, first);
    }

    @Test
    void oneOfTwoAnswersCounts() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        for (int i = 0; i < 20; i++) {
            ScriptedCarrier session = ScriptedCarrier.session();
            TaskId id = startFor(bench, session);
            ScriptedCarrier.Asked there = session.next();
            session.open = false;
            ScriptedCarrier stream = ScriptedCarrier.stream();
            FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
            ScriptedCarrier.Asked here = stream.next();
            new Race<>(List.of(1))
                    .with(round -> answers(here, "here"))
                    .with(round -> answers(there, "there"))
                    .winners();
            TaskOutcome.Result given = (TaskOutcome.Result) bench.outcome(waiting);
            assertTrue(
                    List.of(
                                    TaskStoreTests.json("here").toJson(),
                                    TaskStoreTests.json("there").toJson())
                            .contains(given.value().toJson()));
            TaskStoreTests.assertOutcome(given, bench.outcome(id));
        }
    }

    private static boolean answers(ScriptedCarrier.Asked asked, String text) {
        asked.answer(text);
        return true;
    }

    @Test
    @Requirement("TASK-062")
    void cancellingWithdrawsTheQuestion() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        ScriptedCarrier.Asked asked = session.next();
        bench.engine.cancel(EngineBench.OWNER, id);
        asked.awaitWithdrawal();
        bench.eventually(() -> bench.engine.gauges().running() == 0);
        assertEquals(TaskState.CANCELLED, bench.state(id));
    }

    @Test
    void answersAndCancellationsHaveOneWinner() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        List<TaskId> cancelled = new ArrayList<>();
        List<TaskId> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ScriptedCarrier session = ScriptedCarrier.session();
            TaskId id = startFor(bench, session);
            all.add(id);
            ScriptedCarrier.Asked asked = session.next();
            int winners =
                    new Race<>(List.of(id))
                            .with(one -> answers(asked, "yes") && false)
                            .with(one -> cancels(bench, one))
                            .winners()
                            .getFirst();
            if (winners == 1) {
                cancelled.add(id);
            }
        }
        bench.eventually(() -> bench.engine.gauges().running() == 0);
        for (TaskId id : all) {
            assertEquals(
                    cancelled.contains(id) ? TaskState.CANCELLED : TaskState.RESULT,
                    bench.state(id));
        }
    }

    private static boolean cancels(EngineBench bench, TaskId id) {
        try {
            bench.engine.cancel(EngineBench.OWNER, id);
            return true;
        } catch (JsonRpcException e) {
            return false;
        }
    }
}
