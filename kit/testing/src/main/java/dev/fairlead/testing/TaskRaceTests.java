package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.RawJson;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskQuestion.Delivery;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Several threads that compete for one change, of which exactly one wins. */
abstract class TaskRaceTests extends TaskStoreTests {
    private static final int ROUNDS = 100;

    TaskRaceTests(TaskStoreContract contract) {
        super(contract);
    }

    private List<TaskRun> create(int tasks) throws Exception {
        List<TaskRun> created = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            created.add(create());
        }
        return created;
    }

    private List<TaskRun> asking(int tasks) throws Exception {
        List<TaskRun> created = create(tasks);
        created.forEach(run -> store.ask(run, question(1)));
        return created;
    }

    private List<TaskRun> parked(int tasks) throws Exception {
        List<TaskRun> created = create(tasks);
        created.forEach(run -> store.park(run, run.id().value(), null));
        return created;
    }

    @Test
    @Requirement("TASK-087")
    void endsAndCancellations() throws Exception {
        List<TaskRun> runs = create(ROUNDS);
        Map<TaskRun, TaskState> won = new ConcurrentHashMap<>();
        new Race<>(runs)
                .with(run -> store.end(run, result("a"), "a") && won(won, run, TaskState.RESULT))
                .with(run -> cancel(run) && won(won, run, TaskState.CANCELLED))
                .with(run -> store.end(run, error("b"), "b") && won(won, run, TaskState.ERROR))
                .with(run -> cancel(run) && won(won, run, TaskState.CANCELLED))
                .hasOneWinnerEach();
        for (TaskRun run : runs) {
            assertEquals(won.get(run), state(run));
            assertEquals(
                    state(run) != TaskState.CANCELLED, store.outcome(ALICE, run.id()).isPresent());
        }
        store.create(task(ALICE, Duration.ofHours(1)), 1);
    }

    /** Records the value of a winner. */
    private static <W> boolean won(Map<TaskRun, W> winners, TaskRun run, W with) {
        winners.put(run, with);
        return true;
    }

    @Test
    void answers() throws Exception {
        List<TaskRun> runs = asking(ROUNDS);
        Map<TaskRun, String> given = new ConcurrentHashMap<>();
        Race<TaskRun> race = new Race<>(runs);
        for (String text : List.of("a", "b", "c", "d")) {
            race.with(run -> answer(run, 1, text) && won(given, run, text));
        }
        race.hasOneWinnerEach();
        for (TaskRun run : runs) {
            String text = String.valueOf(given.get(run));
            assertOutcome(result(text), store.answer(run, 1).orElseThrow());
            assertEquals(TaskState.WORKING, state(run));
        }
    }

    /**
     * Checks two answers of one message: one message wins both questions, among any number at once.
     */
    @Test
    void messagesWithTwoAnswersEach() throws Exception {
        List<TaskRun> runs = asking(ROUNDS);
        runs.forEach(run -> store.ask(run, question(2)));
        Race<TaskRun> race = new Race<>(runs);
        for (String text : List.of("a", "b", "c")) {
            Map<Integer, TaskOutcome> answers = Map.of(1, result(text), 2, result(text));
            race.with(run -> store.answer(ALICE, run.id(), answers).equals(Set.of(1, 2)));
        }
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        race.with(run -> !seen.add(questions(run).size()) && false);
        race.hasOneWinnerEach();
        for (TaskRun run : runs) {
            assertOutcome(store.answer(run, 1).orElseThrow(), store.answer(run, 2).orElseThrow());
            assertEquals(TaskState.WORKING, state(run));
        }
        assertTrue(Set.of(0, 2).containsAll(seen), "a reader saw half of a message");
    }

    @Test
    void anAnswerAndACancellation() throws Exception {
        List<TaskRun> runs = asking(ROUNDS);
        Set<TaskRun> cancelled = ConcurrentHashMap.newKeySet();
        new Race<>(runs)
                .with(run -> answer(run, 1, "yes"))
                .with(run -> cancel(run) && cancelled.add(run))
                .winners();
        assertEquals(runs.size(), cancelled.size());
        runs.forEach(run -> assertEquals(TaskState.CANCELLED, state(run)));
        runs.forEach(run -> assertIsOver(ALICE, run.id()));
    }

    @Test
    void twoAnswersToTwoQuestionsLeaveTheTaskWorking() throws Exception {
        List<TaskRun> runs = asking(ROUNDS);
        runs.forEach(run -> store.ask(run, question(2)));
        List<Integer> answered =
                new Race<>(runs)
                        .with(run -> answer(run, 1, "one"))
                        .with(run -> answer(run, 2, "two"))
                        .winners();
        assertEquals(runs.stream().map(run -> 2).toList(), answered);
        runs.forEach(run -> assertEquals(TaskState.WORKING, state(run)));
    }

    @Test
    void anAnswerAndTheNextQuestionLeaveTheTaskWaiting() throws Exception {
        List<TaskRun> runs = asking(ROUNDS);
        List<Integer> done =
                new Race<>(runs)
                        .with(run -> answer(run, 1, "one"))
                        .with(run -> store.ask(run, question(2)) instanceof TaskQuestion.Asked.Open)
                        .winners();
        assertEquals(runs.stream().map(run -> 2).toList(), done);
        runs.forEach(run -> assertEquals(TaskState.INPUT_REQUIRED, state(run)));
    }

    @Test
    void deliveries() throws Exception {
        List<TaskRun> runs = asking(ROUNDS);
        Map<TaskRun, Delivery> standing = new ConcurrentHashMap<>();
        Race<TaskRun> race = new Race<>(runs);
        for (String name : List.of("a", "b", "c", "d")) {
            Delivery own = new Delivery(name, name.equals("d"));
            race.with(
                    run -> store.deliver(ALICE, run.id(), 1, null, own) && won(standing, run, own));
        }
        race.hasOneWinnerEach();
        for (TaskRun run : runs) {
            assertEquals(standing.get(run), questions(run).getFirst().delivery());
        }
    }

    @Test
    void values() throws Exception {
        List<TaskRun> runs = create(ROUNDS);
        Map<TaskRun, Set<String>> seen = new ConcurrentHashMap<>();
        Race<TaskRun> race = new Race<>(runs);
        for (String text : List.of("a", "b", "c", "d")) {
            RawJson own = json(text);
            race.with(
                    run -> {
                        RawJson stands = store.record(run, "key", own).orElseThrow();
                        seen.computeIfAbsent(run, key -> ConcurrentHashMap.newKeySet())
                                .add(stands.toJson());
                        return stands.toJson().equals(own.toJson());
                    });
        }
        race.hasOneWinnerEach();
        for (TaskRun run : runs) {
            String stands = recorded(run, "key").toJson();
            assertEquals(Set.of(stands), seen.get(run));
        }
    }

    @Test
    void aParkingAndACancellation() throws Exception {
        List<TaskRun> runs = create(ROUNDS);
        Set<TaskRun> parked = ConcurrentHashMap.newKeySet();
        new Race<>(runs)
                .with(run -> store.park(run, run.id().value(), null) && parked.add(run))
                .with(this::cancel)
                .winners();
        for (TaskRun run : runs) {
            assertEquals(TaskState.CANCELLED, state(run));
            assertTrue(store.parked("report", run.id().value()).isEmpty());
        }
    }

    @Test
    void parkingsOnOneJob() throws Exception {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            jobs.add("job " + i);
        }
        Race<String> race = new Race<>(jobs);
        for (int i = 0; i < 3; i++) {
            race.with(this::parksANewTask);
        }
        race.hasOneWinnerEach();
    }

    private boolean parksANewTask(String job) throws Exception {
        TaskRun run = create();
        try {
            return store.park(run, job, null);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void whatBecomesOfAParkedTask() throws Exception {
        List<TaskRun> runs = parked(ROUNDS);
        Map<TaskRun, Integer> resumed = new ConcurrentHashMap<>();
        new Race<>(runs)
                .with(run -> store.end(run, result("done"), null))
                .with(run -> store.resume(run).isPresent() && won(resumed, run, 2))
                .with(run -> store.resume(run).isPresent() && won(resumed, run, 2))
                .with(run -> store.end(run, error("gone"), null))
                .hasOneWinnerEach();
        for (TaskRun run : runs) {
            assertEquals(resumed.containsKey(run) ? 2 : 1, stored(run).run());
            assertEquals(resumed.containsKey(run), state(run) == TaskState.WORKING);
        }
    }

    @Test
    void oldAndNewRuns() throws Exception {
        List<TaskRun> runs = parked(ROUNDS);
        Set<TaskRun> lateEnds = ConcurrentHashMap.newKeySet();
        new Race<>(runs)
                .with(run -> store.end(new TaskRun(ALICE, run.id(), 2), result("new"), null))
                .with(run -> store.resume(run).isPresent())
                .with(run -> store.update(run, "old", null) && lateEnds.add(run))
                .winners();
        assertEquals(Set.of(), lateEnds);
    }

    @Test
    void expiryAndEnds() throws Exception {
        if (!movesClock()) {
            return;
        }
        AtomicInteger ended = new AtomicInteger();
        Duration ttl = Duration.ofMinutes(1);
        for (int i = 0; i < ROUNDS; i++) {
            TaskRun run = create(ALICE, ttl);
            timers.advance(ttl.minusMillis(1));
            new Race<>(List.of(run))
                    .with(
                            one -> {
                                timers.advance(Duration.ofMillis(1));
                                store.sweep();
                                return true;
                            })
                    .with(one -> store.end(one, result("done"), null) && counted(ended))
                    .winners();
            assertEquals(TaskState.EXPIRED, state(run));
        }
        sweepUntil(() -> node.expired.size() >= ROUNDS - ended.get());
        assertEquals(ROUNDS - ended.get(), node.expired.size());
        assertEquals(
                node.expired.size(),
                node.expired.stream().map(StoredTask::id).collect(Collectors.toSet()).size());
    }

    private static boolean counted(AtomicInteger counter) {
        counter.incrementAndGet();
        return true;
    }

    @Test
    void updatesLoseNothing() throws Exception {
        TaskRun run = create();
        List<Integer> steps = new ArrayList<>();
        for (int i = 1; i <= ROUNDS; i++) {
            steps.add(i);
        }
        new Race<>(steps)
                .with(step -> store.update(run, null, (double) step))
                .with(step -> store.update(run, "step " + step, step - 0.5))
                .with(step -> store.ask(run, question(step)) instanceof TaskQuestion.Asked.Open)
                .with(step -> store.record(run, "key " + step, json("x")).isPresent())
                .winners();
        assertEquals((double) ROUNDS, stored(run).progress());
        assertEquals("step " + ROUNDS, stored(run).statusMessage());
        assertEquals(ROUNDS, questions(run).size());
        for (int step : steps) {
            assertTrue(store.recorded(run, "key " + step) instanceof Recorded.Value);
        }
    }
}
