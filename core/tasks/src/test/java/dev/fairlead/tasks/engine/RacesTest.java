package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Many threads that want different ends for the same tasks: each task ends exactly once. */
@Timeout(300)
class RacesTest {
    private static final int TASKS = 2_000;
    private static final Set<TaskEvent.Kind> ENDS =
            EnumSet.of(TaskEvent.Kind.FINISHED, TaskEvent.Kind.CANCELLED, TaskEvent.Kind.EXPIRED);

    @Test
    @Requirement("TASK-036")
    @Requirement("TASK-087")
    void ofCancellationCompletionAnswerAndExpiryExactlyOneWins() throws Exception {
        try (Bench bench =
                new Bench(
                        context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT),
                        tasks -> tasks.maxPerOwner(TASKS).maxRunning(TASKS))) {
            List<CompletableFuture<TaskOutcome>> waiting = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < TASKS; i++) {
                Requestor session = Requestor.session().answering("{}");
                TaskId id = start(bench, session);
                CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
                waiting.add(outcome);
                threads.add(Thread.startVirtualThread(() -> await(bench, id, outcome)));
                threads.add(Thread.startVirtualThread(() -> cancel(bench, id)));
            }
            bench.timers.advance(Duration.ofSeconds(2));
            for (Thread thread : threads) {
                thread.join();
            }
            Bench.until(() -> bench.engine.gauges().running() == 0);
            bench.passUntil(() -> endsOfEach(bench).size() == TASKS); // reported afterwards

            assertThat(endsOfEach(bench).values()).hasSize(TASKS).allMatch(ends -> ends.get() == 1);
            assertThat(waiting).allMatch(CompletableFuture::isDone);
            assertThat(bench.engine.gauges().waitingCallers()).isZero();
        }
    }

    /** Some expire in the middle of it. */
    private static TaskId start(Bench bench, Requestor session) {
        Duration ttl = Duration.ofMillis(ThreadLocalRandom.current().nextInt(500, 60_000));
        StoredTask task = bench.engine.create(Bench.OWNER, Bench.request(ttl));
        bench.engine.begin(task, session);
        return task.id();
    }

    private static void await(Bench bench, TaskId id, CompletableFuture<TaskOutcome> outcome) {
        try {
            outcome.complete(bench.await(id));
        } catch (JsonRpcException | InterruptedException e) {
            outcome.completeExceptionally(e);
        }
    }

    private static void cancel(Bench bench, TaskId id) {
        try {
            bench.engine.cancel(Bench.OWNER, id);
        } catch (JsonRpcException e) {
            assertThat(e.code()).isEqualTo(-32602);
        }
    }

    private static Map<TaskId, AtomicInteger> endsOfEach(Bench bench) {
        Map<TaskId, AtomicInteger> ends = new ConcurrentHashMap<>();
        for (TaskEvent event : bench.events) {
            if (ENDS.contains(event.kind())) {
                ends.computeIfAbsent(event.task(), id -> new AtomicInteger()).incrementAndGet();
            }
        }
        return ends;
    }

    @Test
    @Requirement("TASK-062")
    void noQuestionIsLeftWithAnybodyAfterItsAnswer() throws Exception {
        try (Bench bench =
                new Bench(
                        context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT),
                        tasks -> tasks.maxPerOwner(TASKS).maxRunning(TASKS))) {
            for (int i = 0; i < TASKS; i++) {
                Requestor session = Requestor.session();
                TaskId id = bench.start(session);
                Requestor.Asked asked = session.next();
                Requestor stream = Requestor.stream();
                CompletableFuture<Void> answered =
                        CompletableFuture.runAsync(
                                () -> answer(asked, stream), Thread::startVirtualThread);

                bench.engine.await(Bench.OWNER, id, stream);

                answered.get();
                assertThat(stream.wasAskedNothing() || stream.next().isWithdrawn()).isTrue();
            }
        }
    }

    /** Answers where the question is: the stream may have taken it over before. */
    private static void answer(Requestor.Asked asked, Requestor stream) {
        asked.answer("{}");
        try {
            if (asked.isWithdrawn()) {
                stream.next().answer("{}");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("this thread is never interrupted", e);
        }
    }

    @Test
    void manyThreadsThatWaitForOneTaskReceiveTheSameOutcome() throws Exception {
        try (Bench bench =
                new Bench(context -> context.ask("elicitation/create", RawJson.EMPTY_OBJECT))) {
            TaskId id = bench.start();
            List<CompletableFuture<TaskOutcome>> waiting = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String answer = "{\"from\":" + i + "}";
                Requestor stream = Requestor.stream().answering(answer);
                waiting.add(bench.awaitAside(id, stream));
            }

            Set<String> outcomes = ConcurrentHashMap.newKeySet();
            for (CompletableFuture<TaskOutcome> outcome : waiting) {
                outcomes.add(Bench.text(Bench.get(outcome)));
            }

            assertThat(outcomes).hasSize(1);
            assertThat(bench.find(id).state()).isEqualTo(TaskState.RESULT);
        }
    }

    @Test
    void tasksThatEndWhileAWaitBeginsAreNeverMissed()
            throws ExecutionException, InterruptedException {
        try (Bench bench = new Bench(context -> Bench.DONE, tasks -> tasks.maxRunning(TASKS))) {
            for (int i = 0; i < TASKS; i++) {
                StoredTask task = bench.engine.create(Bench.OWNER, Bench.request());
                CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
                Thread waiting = Thread.startVirtualThread(() -> await(bench, task.id(), outcome));
                bench.engine.begin(task, null);
                waiting.join();
                assertThat(outcome.get()).isEqualTo(Bench.DONE);
            }
        }
    }
}
