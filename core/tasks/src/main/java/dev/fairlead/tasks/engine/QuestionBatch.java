package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskQuestion.Asked;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Questions that a run asks together, with their answers as they come in. Another thread calls the
 * store, and unparks the asking thread if it has something to do. So the asking thread parks once,
 * on few frames: a virtual thread keeps memory for the deepest stack on which it ever parked, and
 * for several stacks if it parked several times. The monitor guards the state and is never held
 * while anything else runs.
 */
final class QuestionBatch {
    private final Persistence store;
    private final Run run;
    private final Thread asker = Thread.currentThread();
    private final List<TaskQuestion> questions;
    private final @Nullable TaskOutcome[] answers;
    private boolean calling = true; // the questions are yet to be stored
    private boolean callsAgain;
    private boolean interrupted;
    private boolean lost;
    private @Nullable TaskQuestion mismatch;
    private @Nullable Failure failure;

    /** A failed call of the store. */
    private record Failure(Function<TaskStore, List<Asked>> call, Throwable cause) {}

    /**
     * Creates a batch of questions of the current thread.
     *
     * @param first the ordinal of the first
     */
    QuestionBatch(Persistence store, Run run, int first, List<RunQuestion> requests) {
        this.store = store;
        this.run = run;
        this.questions =
                IntStream.range(0, requests.size())
                        .mapToObj(i -> question(first + i, requests.get(i)))
                        .toList();
        this.answers = new TaskOutcome[requests.size()];
    }

    private static TaskQuestion question(int ordinal, RunQuestion request) {
        return new TaskQuestion(
                ordinal, request.digest(), request.method(), request.params(), null);
    }

    List<TaskQuestion> questions() {
        return questions;
    }

    long bytes() {
        return questions.stream().mapToLong(question -> question.params().size()).sum();
    }

    // ---- calls of the store

    /**
     * Stores the questions on another thread.
     *
     * @param offer called once they are stored, if any is open then
     */
    void store(Runnable offer) {
        start(tasks -> store(tasks, offer));
    }

    private List<Asked> store(TaskStore tasks, Runnable offer) {
        List<Asked> asked = tasks.ask(run.key(), questions);
        if (asked.stream().anyMatch(Asked.Open.class::isInstance)) {
            offer.run();
        }
        return asked;
    }

    /** Reads the answers on another thread, since the task has changed. */
    void wake() {
        if (beginCall()) {
            startReading();
        }
    }

    private void startReading() {
        try {
            start(this::read);
        } catch (OutOfMemoryError e) { // the system has no more threads
            failed(this::read, new TaskStoreException("No thread could be started", e));
            endCall();
        }
    }

    /** Returns the state of each question. */
    List<Asked> read(TaskStore tasks) {
        return IntStream.range(0, answers.length).mapToObj(i -> read(tasks, i)).toList();
    }

    private Asked read(TaskStore tasks, int i) {
        return Optional.ofNullable(answer(i))
                .or(() -> tasks.answer(run.key(), questions.get(i).ordinal()))
                .<Asked>map(Asked.Answered::new)
                .orElseGet(Asked.Open::new);
    }

    private void start(Function<TaskStore, List<Asked>> call) {
        Thread.ofVirtual().name("mcp-task-store").start(() -> callAll(call));
    }

    private void callAll(Function<TaskStore, List<Asked>> first) {
        Function<TaskStore, List<Asked>> call = first;
        do {
            call(call);
            call = this::read;
        } while (!endCall());
    }

    private void call(Function<TaskStore, List<Asked>> call) {
        try {
            if (run.isToContinue()) {
                accept(store.attempt(call));
            }
        } catch (RuntimeException | Error e) {
            failed(call, e);
        }
    }

    private synchronized boolean beginCall() {
        if (failure != null) { // the asking thread makes the next call
            return false;
        }
        callsAgain = calling;
        calling = true;
        return !callsAgain;
    }

    /** Ends a call; false if the answers are to be read once more. */
    private synchronized boolean endCall() {
        boolean due = hasWork();
        calling = callsAgain && !due;
        callsAgain = false;
        if (due) {
            LockSupport.unpark(asker);
        }
        return !calling;
    }

    /** Takes the state of each question. */
    synchronized void accept(List<Asked> asked) {
        for (int i = 0; i < answers.length; i++) {
            switch (asked.get(i)) {
                case Asked.Open open -> {}
                case Asked.Answered answered -> answers[i] = answered.answer();
                case Asked.Lost none -> lost = true;
                case Asked.Mismatch other -> mismatch = questions.get(i);
            }
        }
    }

    private synchronized void failed(Function<TaskStore, List<Asked>> call, Throwable cause) {
        failure = new Failure(call, cause);
    }

    // ---- the thread that asks

    /**
     * Returns whether the asking thread has something to do; if not, it is to park. An interrupt
     * counts once no call of the store is under way.
     */
    synchronized boolean isDue() {
        interrupted |= Thread.interrupted();
        return !calling && hasWork();
    }

    private boolean hasWork() {
        return !isOpen()
                || hasFailed()
                || lost
                || mismatch != null
                || failure != null
                || interrupted
                || !run.isToContinue();
    }

    /** Returns whether the thread was interrupted, and clears the flag. */
    synchronized boolean takeInterrupt() {
        boolean taken = interrupted;
        interrupted = false;
        return taken;
    }

    /**
     * Repeats a failed call on this thread until it succeeds or the task expires. Throws a failure
     * that is not one of the store.
     */
    void repeatFailed() throws InterruptedException {
        Failure failed = takeFailure();
        if (failed == null) {
            return;
        }
        switch (failed.cause()) {
            case TaskStoreException e -> {
                if (takeInterrupt()) {
                    asker.interrupt();
                }
                accept(store.callLater(run, failed.call()));
            }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new AssertionError("a call throws no checked exception", e);
        }
        if (!endCall()) {
            startReading();
        }
    }

    private synchronized @Nullable Failure takeFailure() {
        Failure taken = failure;
        if (taken != null) {
            failure = null;
            calling = true;
        }
        return taken;
    }

    /** Returns whether the run no longer holds the task. */
    synchronized boolean isLost() {
        return lost;
    }

    /** Returns a question that differs from the one that an earlier run asked under its ordinal. */
    synchronized Optional<TaskQuestion> mismatch() {
        return Optional.ofNullable(mismatch);
    }

    // ---- answers

    private synchronized @Nullable TaskOutcome answer(int i) {
        return answers[i];
    }

    /** Returns the questions without an answer. */
    synchronized List<TaskQuestion> open() {
        return IntStream.range(0, answers.length)
                .filter(i -> answers[i] == null)
                .mapToObj(questions::get)
                .toList();
    }

    synchronized boolean isOpen() {
        return Arrays.asList(answers).contains(null);
    }

    /** Returns whether a question was answered with an error, so that the others are not needed. */
    synchronized boolean hasFailed() {
        return Arrays.stream(answers).anyMatch(TaskOutcome.Error.class::isInstance);
    }

    /** Returns all answers, once they are complete. */
    synchronized List<TaskOutcome> answers() {
        return Arrays.stream(answers).map(Objects::requireNonNull).toList();
    }
}
