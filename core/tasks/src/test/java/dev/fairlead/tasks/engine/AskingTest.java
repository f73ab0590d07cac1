package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** A handler that asks, and a store that takes its time. */
class AskingTest {
    private static final RawJson QUESTION = RawJson.parse("{\"message\":\"Go on?\"}");
    private static final TaskOutcome ANSWER =
            new TaskOutcome.Result(RawJson.parse("{\"action\":\"accept\"}"), false);

    private final CompletableFuture<Thread> handler = new CompletableFuture<>();
    private final Semaphore mayStore = new Semaphore(0);
    private final Bench bench =
            new Bench(
                    context -> {
                        handler.complete(Thread.currentThread());
                        try {
                            return context.ask("elicitation/create", QUESTION);
                        } catch (InterruptedException e) {
                            return Bench.DONE;
                        } catch (IllegalStateException e) {
                            return ANSWER;
                        }
                    });

    AskingTest() {
        bench.faults.onCall(
                method -> {
                    if (method.equals("ask")) {
                        mayStore.acquireUninterruptibly();
                    }
                });
    }

    @AfterEach
    void close() {
        mayStore.release();
        bench.close();
    }

    private Thread waitsForTheStore() {
        Thread thread = handler.join();
        Bench.until(() -> mayStore.hasQueuedThreads() && waitsInTheContext(thread));
        return thread;
    }

    /**
     * Returns whether it waits there for the store or a person, and not for a lock of the engine.
     */
    private static boolean waitsInTheContext(Thread thread) {
        return framesOfWaiting(thread).stream()
                .limit(1)
                .anyMatch(frame -> frame.getClassName().equals(TaskRunner.Context.class.getName()));
    }

    /** The frames on which a thread waits; none if it does not. */
    private static List<StackTraceElement> framesOfWaiting(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .dropWhile(frame -> !frame.getClassName().equals(LockSupport.class.getName()))
                .dropWhile(frame -> frame.getClassName().equals(LockSupport.class.getName()))
                .toList();
    }

    @Test
    void theStoreIsWaitedForOnTheSameFramesAsAPerson() {
        TaskId id = bench.start();
        Thread thread = waitsForTheStore();
        List<StackTraceElement> forStore = framesOfWaiting(thread);

        mayStore.release();
        bench.untilState(id, TaskState.INPUT_REQUIRED);
        Bench.until(() -> waitsInTheContext(thread));

        assertThat(forStore).isEqualTo(framesOfWaiting(thread));
    }

    @Test
    void anAnswerThatComesBeforeTheStoreHasReturnedIsRead() throws Exception {
        TaskId id = bench.start();
        bench.faults.onReturn(
                method -> {
                    if (method.equals("ask")) {
                        bench.engine.answer(Bench.OWNER, id, Map.of("q1", ANSWER));
                    }
                });

        mayStore.release();

        bench.untilState(id, TaskState.RESULT);
        assertThat(bench.await(id)).isEqualTo(ANSWER);
    }

    @Test
    void whatAStoreThrowsElseIsThrownWhereTheQuestionIsAsked() throws Exception {
        TaskId id = bench.start();
        waitsForTheStore();
        bench.faults.onReturn(
                method -> {
                    if (method.equals("ask")) {
                        throw new IllegalStateException("a bug of the store");
                    }
                });

        mayStore.release();

        bench.untilState(id, TaskState.RESULT);
        assertThat(bench.await(id)).isEqualTo(ANSWER);
    }

    @Test
    void anInterruptWhileAQuestionIsStoredWithdrawsItOnceItIs() throws Exception {
        TaskId id = bench.start();
        Thread thread = waitsForTheStore();

        thread.interrupt();
        Bench.until(() -> !thread.isInterrupted() && waitsInTheContext(thread));
        mayStore.release();

        assertThat(bench.await(id)).isEqualTo(Bench.DONE);
        assertThat(bench.faults.calls("ask")).isOne();
        assertThat(bench.faults.calls("withdraw")).isOne();
        assertThat(bench.faults.wasCalledInterrupted()).isFalse();
    }

    @Test
    void aTaskCancelledWhileItsQuestionIsStoredStopsOnceItIs() throws Exception {
        TaskId id = bench.start();
        waitsForTheStore();

        bench.engine.cancel(Bench.OWNER, id);
        mayStore.release();

        Bench.until(() -> bench.engine.gauges().running() == 0);
        assertThat(bench.find(id).state()).isEqualTo(TaskState.CANCELLED);
        assertThat(bench.faults.calls("withdraw")).isZero();
    }
}
