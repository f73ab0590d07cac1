package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.engine.RunQuestion;
import dev.fairlead.tasks.engine.TaskContext;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Questions of tasks, and the delivery of questions and answers. */
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
    void aQuestionWaitsForARequestorToAsk() throws Exception {
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

    // ---- several questions at once

    private static final RunQuestion AGE =
            new RunQuestion("elicitation/create", TaskStoreTests.json("age?"));
    private static final RunQuestion PLACE =
            new RunQuestion("sampling/createMessage", TaskStoreTests.json("place?"));

    /** Asks two questions at once, and gives both answers. */
    private static TaskOutcome asksTwo(TaskContext context) throws InterruptedException {
        return joined(context.ask(List.of(AGE, PLACE)));
    }

    private static TaskOutcome joined(List<TaskOutcome> answers) {
        StringBuilder texts = new StringBuilder();
        for (TaskOutcome answer : answers) {
            TaskOutcome.Result result = (TaskOutcome.Result) answer;
            texts.append(((JsonObject) result.value().value()).get("text")).append(' ');
        }
        return TaskStoreTests.result(texts.toString());
    }

    private static List<String> keys(EngineBench bench, TaskId id) {
        return bench.engine.snapshot(EngineBench.OWNER, id).questions().stream()
                .map(TaskQuestion::key)
                .toList();
    }

    private static void answer(EngineBench bench, TaskId id, Map<String, TaskOutcome> answers) {
        bench.engine.answer(EngineBench.OWNER, id, answers);
    }

    @Test
    void questionsThatAreOpenTogetherAreDeliveredOneAfterTheOther() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asksTwo);
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        ScriptedCarrier.Asked first = session.next();
        assertEquals("elicitation/create", first.method);
        assertEquals(List.of("q1", "q2"), keys(bench, id));
        ScriptedCarrier stream = ScriptedCarrier.stream();
        FutureTask<TaskOutcome> waiting = bench.awaiting(id, stream);
        session.awaitProbe(); // the questions were looked at once more
        assertTrue(session.wasAskedNothing() && stream.wasAskedNothing());
        first.answer("30");
        ScriptedCarrier.Asked second = stream.next();
        assertEquals("sampling/createMessage", second.method);
        assertEquals(List.of("q2"), keys(bench, id));
        assertEquals(TaskState.INPUT_REQUIRED, bench.state(id));
        second.answer("Rome");
        assertGives("\"30\" \"Rome\" ", bench, waiting);
    }

    @Test
    void answersByKeyCountInTheOrderInWhichTheyCome() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asksTwo);
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        ScriptedCarrier.Asked first = session.next();
        bench.eventually(() -> keys(bench, id).equals(List.of("q1", "q2")));
        answer(bench, id, Map.of("q2", TaskStoreTests.result("Rome")));
        assertEquals(List.of("q1"), keys(bench, id));
        assertEquals(TaskState.INPUT_REQUIRED, bench.state(id));
        answer(bench, id, Map.of("q1", TaskStoreTests.result("30")));
        first.awaitWithdrawal();
        assertGives("\"30\" \"Rome\" ", bench, bench.awaiting(id, ScriptedCarrier.stream()));
        assertTrue(session.wasAskedNothing());
    }

    @Test
    void anAnswerByKeyMakesWayForTheNextQuestion() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asksTwo);
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        ScriptedCarrier.Asked first = session.next();
        answer(bench, id, Map.of("q1", TaskStoreTests.result("30")));
        first.awaitWithdrawal();
        session.next().answer("Rome");
        assertGives("\"30\" \"Rome\" ", bench, bench.awaiting(id, ScriptedCarrier.stream()));
    }

    @Test
    void keysThatNameNoOpenQuestionAreIgnored() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asksTwo);
        TaskId id = bench.start();
        bench.eventually(() -> keys(bench, id).size() == 2);
        TaskOutcome other = TaskStoreTests.result("other");
        answer(bench, id, Map.of("q1", TaskStoreTests.result("30"), "q3", other, "", other));
        answer(bench, id, Map.of("q1", other, "q02", other, "Q2", other, "q2 ", other, "2", other));
        assertEquals(List.of("q2"), keys(bench, id));
        answer(bench, id, Map.of("q2", TaskStoreTests.result("Rome")));
        TaskOutcome given = bench.outcome(id);
        TaskStoreTests.assertOutcome(TaskStoreTests.result("\"30\" \"Rome\" "), given);
        answer(bench, id, Map.of("q1", other, "q2", other));
        TaskStoreTests.assertOutcome(given, bench.outcome(id));
    }

    @Test
    void answersThatAreTooLargeTogetherAreRefusedTogether() throws Exception {
        EngineBench bench =
                open(TaskEngineQuestionTests::asksTwo, tasks -> tasks.maxResultBytes(100));
        TaskId id = bench.start();
        bench.eventually(() -> keys(bench, id).size() == 2);
        TaskOutcome large = TaskStoreTests.result("x".repeat(80));
        EngineBench.assertRefused(
                -32_602,
                "The answers have 102 bytes, more than the 100 that are kept",
                () -> answer(bench, id, Map.of("q1", TaskStoreTests.result(""), "q2", large)));
        assertEquals(List.of("q1", "q2"), keys(bench, id));
    }

    @Test
    void oneThatFailsWithdrawsTheOthers() throws Exception {
        EngineBench bench = open(context -> errors(context.ask(List.of(AGE, PLACE, AGE))));
        ScriptedCarrier session = ScriptedCarrier.session();
        TaskId id = startFor(bench, session);
        ScriptedCarrier.Asked first = session.next();
        bench.eventually(() -> keys(bench, id).equals(List.of("q1", "q2", "q3")));
        answer(
                bench,
                id,
                Map.of("q2", TaskStoreTests.error("denied"), "q3", TaskStoreTests.result("30")));
        first.awaitWithdrawal();
        TaskStoreTests.assertOutcome(
                TaskStoreTests.result("The question was withdrawn;denied;"), bench.outcome(id));
    }

    @Test
    @Requirement("N26-TASK-014")
    void answersAreReadForTheQuestionsThatAreOpenAndOneThatIsRefusedRefusesAll() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asksTwo);
        TaskId id = bench.start();
        bench.eventually(() -> keys(bench, id).size() == 2);
        answer(bench, id, Map.of("q1", TaskStoreTests.result("30")));
        EngineBench.assertRefused(
                -32_602,
                "no answer to [q2]",
                () ->
                        bench.engine.answer(
                                EngineBench.OWNER,
                                id,
                                open -> {
                                    throw JsonRpcException.invalidParams(
                                            "no answer to "
                                                    + open.stream()
                                                            .map(TaskQuestion::key)
                                                            .toList());
                                }));
        assertEquals(List.of("q2"), keys(bench, id));
    }

    private static TaskOutcome errors(List<TaskOutcome> answers) {
        StringBuilder texts = new StringBuilder();
        for (TaskOutcome answer : answers) {
            if (answer instanceof TaskOutcome.Error failed) {
                texts.append(failed.error().message()).append(';');
            }
        }
        return TaskStoreTests.result(texts.toString());
    }

    @Test
    void onlyItsOwnerAnswersATask() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asksTwo);
        TaskId id = bench.start();
        bench.eventually(() -> keys(bench, id).size() == 2);
        Owner stranger = new Owner.Local("stranger");
        Map<String, TaskOutcome> answers = Map.of("q1", TaskStoreTests.result("30"));
        String unknown = "Unknown task: " + id.value();
        EngineBench.assertRefused(
                -32_602, unknown, () -> bench.engine.answer(stranger, id, answers));
        EngineBench.assertRefused(-32_602, unknown, () -> bench.engine.snapshot(stranger, id));
        assertEquals(List.of("q1", "q2"), keys(bench, id));
    }

    @Test
    void severalThreadsOfARunAskAtTheSameTime() throws Exception {
        EngineBench bench =
                open(
                        context -> {
                            FutureTask<TaskOutcome> other =
                                    new FutureTask<>(
                                            () -> context.ask(PLACE.method(), PLACE.params()));
                            Thread.ofVirtual().start(other);
                            TaskOutcome age = context.ask(AGE.method(), AGE.params());
                            return joined(List.of(age, other.get()));
                        });
        TaskId id = bench.start();
        bench.eventually(() -> keys(bench, id).size() == 2);
        bench.eventually(() -> bench.engine.gauges().waitingForInput() == 1);
        Map<String, TaskOutcome> answers = new HashMap<>();
        for (TaskQuestion question : bench.engine.snapshot(EngineBench.OWNER, id).questions()) {
            boolean age = question.method().equals(AGE.method());
            answers.put(question.key(), TaskStoreTests.result(age ? "30" : "Rome"));
        }
        answer(bench, id, answers);
        TaskStoreTests.assertOutcome(TaskStoreTests.result("\"30\" \"Rome\" "), bench.outcome(id));
    }

    @Test
    void onlySoManyQuestionsMayBeOpen() throws Exception {
        EngineBench bench =
                open(TaskEngineQuestionTests::asksTwo, tasks -> tasks.maxOpenQuestions(1));
        assertEndsWith(
                "Limit of open questions of a task reached (1); raise Tasks.maxOpenQuestions",
                bench);
    }

    @Test
    void openQuestionsTogetherMayHaveOnlySoManyBytes() throws Exception {
        EngineBench bench =
                open(TaskEngineQuestionTests::asksTwo, tasks -> tasks.maxQuestionBytes(30));
        assertEndsWith(
                "The set of open questions has 32 bytes, more than the 30 that are kept", bench);
    }

    private static void assertEndsWith(String message, EngineBench bench) throws Exception {
        TaskId id = bench.start();
        TaskOutcome.Error error = assertInstanceOf(TaskOutcome.Error.class, bench.outcome(id));
        assertEquals(-32_603, error.error().code());
        assertEquals(message, error.error().message());
    }

    @Test
    void anInterruptedRunWithdrawsAllThatHasNoAnswer() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        EngineBench bench =
                open(
                        context -> {
                            Thread other =
                                    Thread.ofVirtual()
                                            .start(
                                                    () -> {
                                                        try {
                                                            asksTwo(context);
                                                        } catch (InterruptedException e) {
                                                            interrupted.countDown();
                                                        }
                                                    });
                            asks(context);
                            other.interrupt();
                            interrupted.await();
                            return joined(context.ask(List.of(AGE)));
                        });
        TaskId id = bench.start();
        bench.eventually(() -> keys(bench, id).size() == 3);
        Map<String, TaskOutcome> answers = new HashMap<>();
        for (TaskQuestion question : bench.engine.snapshot(EngineBench.OWNER, id).questions()) {
            if (question.params().toJson().contains("go on?")) {
                answers.put(question.key(), TaskStoreTests.result("yes"));
            }
        }
        answer(bench, id, answers);
        bench.eventually(() -> keys(bench, id).equals(List.of("q4")));
        answer(bench, id, Map.of("q4", TaskStoreTests.result("30")));
        TaskStoreTests.assertOutcome(TaskStoreTests.result("\"30\" "), bench.outcome(id));
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
    @Requirement("N26-TASK-018")
    void aCancellationOfATaskThatHasEndedChangesNothing() throws Exception {
        EngineBench bench = open(TaskEngineQuestionTests::asks);
        TaskId id = bench.start();
        bench.eventually(() -> keys(bench, id).size() == 1);
        assertTrue(bench.engine.cancelIfOpen(EngineBench.OWNER, id));
        assertEquals(TaskState.CANCELLED, bench.state(id));
        assertFalse(bench.engine.cancelIfOpen(EngineBench.OWNER, id));
        TaskId ended = bench.start();
        bench.eventually(() -> keys(bench, ended).size() == 1);
        answer(bench, ended, Map.of("q1", TaskStoreTests.result("yes")));
        TaskOutcome given = bench.outcome(ended);
        assertFalse(bench.engine.cancelIfOpen(EngineBench.OWNER, ended));
        TaskStoreTests.assertOutcome(given, bench.outcome(ended));
        EngineBench.assertRefused(
                -32_602,
                "Unknown task: " + ended.value(),
                () -> bench.engine.cancelIfOpen(new Owner.Local("stranger"), ended));
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
