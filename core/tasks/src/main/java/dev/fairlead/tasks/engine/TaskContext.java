package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskLimits;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The context of a run for its work. Thread-safe. Only the thread of the run is interrupted when
 * the run is to stop; other threads that wait in {@link #ask} get an {@link InterruptedException}
 * all the same.
 */
public interface TaskContext {
    /** Returns the task as it was when this run began. */
    StoredTask task();

    /** Returns the origin that the task was created with. */
    RawJson origin();

    /**
     * Returns whether the run is to stop: its task was cancelled, has expired, or is held by
     * another node.
     */
    boolean isStopped();

    /** Returns the reason to stop, for people; empty while the run may continue. */
    Optional<String> stopReason();

    /**
     * Limits how long the work may take from now on, in place of an earlier limit. Time in {@link
     * #ask} does not count. When the time is over the task ends with an outcome, and the work is
     * interrupted.
     */
    void limit(Duration time, TaskOutcome whenOver);

    /**
     * Returns the time at which the work is over: by its {@link #limit}, and when the task expires
     * at the latest. Each {@link #ask} extends it, and during one the limit does not count.
     */
    Instant deadline();

    /**
     * Runs an action that must not be interrupted; an interrupt that comes meanwhile follows
     * afterwards. Shields the thread of the run, and no other.
     */
    <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception;

    /** Sets the status message and notifies the requestor. */
    void status(String message);

    /** Sends progress to the requestor; a report that does not exceed the last one is dropped. */
    void progress(Progress progress);

    /** Returns the best connection to the requestor now; null for none. For logs and the like. */
    @Nullable TaskCarrier carrier();

    /** Asks one question, see {@link #ask(List)}. */
    default TaskOutcome ask(String method, RawJson params) throws InterruptedException {
        return ask(List.of(new RunQuestion(method, params))).getFirst();
    }

    /**
     * Asks the requestor several questions at once and waits for all answers, as long as the task
     * lives; they may come in any order. Answers of earlier runs are returned at once. When one
     * fails with an error of the protocol, those without an answer are withdrawn: {@link
     * TaskQuestion#WITHDRAWN} is then their answer, in later runs as well.
     *
     * <p>The questions of a run are numbered in the order in which they are asked, and a later run
     * must ask the same ones in the same order: if it asks something else the task ends with an
     * error. Several threads may ask at the same time, but the order of their questions is certain
     * only if one thread asks them all.
     *
     * @return the answers in the order of the requests
     * @throws JsonRpcException with {@code -32603} if more questions of the run would be open than
     *     {@link TaskLimits#maxOpenQuestions}, or they would have more bytes in all than {@link
     *     TaskLimits#maxQuestionBytes}
     * @throws InterruptedException if the run is to stop; or if the thread is interrupted
     *     otherwise, and then the questions without an answer are withdrawn
     */
    List<TaskOutcome> ask(List<RunQuestion> requests) throws InterruptedException;

    /**
     * Returns the value recorded under a key; computes and records it if there is none.
     *
     * @param compute code of users, on this thread; may throw anything and be interrupted
     */
    RawJson once(String key, Callable<RawJson> compute) throws Exception;

    /** Returns a key that is the same in every run, and different for each argument. */
    String idempotencyKey(String key);

    /**
     * Parks the task on an outside job once the work returns.
     *
     * @param pollEvery how often {@link TaskWork#poll} is called; null for never
     */
    void park(String job, @Nullable Duration pollEvery);
}
