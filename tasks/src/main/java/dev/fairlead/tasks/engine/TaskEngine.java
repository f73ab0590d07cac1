package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskGauges;
import dev.fairlead.tasks.TaskLimits;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs tasks and answers for them, without knowing any wire: the same for the server, whose tools
 * are called, and for the client, which is asked. Thread-safe.
 *
 * <p>Methods that name an owner throw {@link JsonRpcException}: {@code -32602} for a task that is
 * unknown, foreign or expired, {@code -32000} where a limit is reached, and {@code -32603} where
 * the store fails.
 */
public interface TaskEngine extends AutoCloseable {
    /**
     * Opens an engine.
     *
     * @param name of this node, for logs
     */
    static TaskEngine open(Tasks tasks, String name, TaskWork work, Timers timers) {
        return new NodeEngine(tasks, name, work, timers);
    }

    /** Stores a task, which does not run before {@link #begin}. */
    StoredTask create(Owner owner, TaskRequest request);

    /**
     * Starts the run of a task that was created here; to be called once the response with its id
     * was sent, or cannot be sent.
     *
     * @param origin the session that asked for it; null where nothing can be sent to it later
     */
    void begin(StoredTask task, @Nullable TaskCarrier origin);

    /**
     * Abandons a task that was created here, in place of {@link #begin}, since its requestor does
     * not get its id. It never runs, passes no limit, and is cancelled as soon as the store can be
     * reached.
     */
    void abandon(StoredTask task);

    /**
     * The task now.
     *
     * @param requestor attached to the task if the session that was attached cannot be reached;
     *     null for none
     */
    StoredTask find(Owner owner, TaskId id, @Nullable TaskCarrier requestor);

    /**
     * The task now, with all its open questions and its outcome, by one call of the store. One that
     * has expired is refused as an unknown one is.
     */
    TaskSnapshot snapshot(Owner owner, TaskId id);

    /**
     * Reads a task for a notification, as {@link #snapshot} does but against no limit of the owner.
     *
     * @return empty if the task is unknown, foreign or expired
     */
    Optional<TaskSnapshot> findSnapshot(Owner owner, TaskId id);

    /** Returns whether an owner has a task that has not expired. Counts against no limit. */
    boolean exists(Owner owner, TaskId id);

    /** An action that is called at changes of a task until this is closed. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Has an action called whenever a task may have changed, on any node; also if there is no such
     * task. Changes that are closer together than signals travel may become one call.
     *
     * @param changed must return soon, and throw nothing; called by several threads
     */
    Watch watch(TaskId id, Runnable changed);

    /**
     * Takes the answers of one message to open questions, in place of those that a carrier would
     * bring; what carriers are asking then is withdrawn. All answers are recorded or none. Some
     * questions may be left open. Keys that name no open question are ignored, whether it has its
     * answer, was withdrawn, was never asked or is no key at all; so is everything if the task has
     * ended.
     *
     * @param answers gives the answers by {@link TaskQuestion#key} to the questions that are open;
     *     what it throws is thrown, and then nothing is recorded
     * @throws JsonRpcException also with {@code -32602}, and without recording anything, if the
     *     answers to known keys have more bytes in all than {@link TaskLimits#maxResultBytes}
     */
    void answer(
            Owner owner, TaskId id, Function<List<TaskQuestion>, Map<String, TaskOutcome>> answers);

    /** Takes answers that do not depend on the questions, by their keys. */
    default void answer(Owner owner, TaskId id, Map<String, TaskOutcome> answers) {
        answer(owner, id, open -> answers);
    }

    /**
     * Waits until the task has ended, and meanwhile delivers its questions on a stream.
     *
     * @throws JsonRpcException also with {@code -32603} if it was cancelled, with {@code taskId}
     *     and {@code status} in the data
     */
    TaskOutcome await(Owner owner, TaskId id, TaskCarrier stream) throws InterruptedException;

    /**
     * A page of the owner's tasks.
     *
     * @throws JsonRpcException also with {@code -32602} for an invalid cursor
     */
    TaskPage list(Owner owner, @Nullable String cursor);

    /**
     * Cancels a task; returns when it is cancelled, which may be before its handler has stopped.
     *
     * @throws JsonRpcException also with {@code -32602} if it has ended
     */
    StoredTask cancel(Owner owner, TaskId id);

    /**
     * Cancels a task unless it has ended. One that has expired is refused as an unknown one is.
     *
     * @return whether this call has cancelled it
     */
    boolean cancelIfOpen(Owner owner, TaskId id);

    /** A carrier can be reached again: waiting questions are offered to it. */
    void reachable(TaskCarrier carrier);

    /** A carrier is closed for good. */
    void closed(TaskCarrier carrier);

    /** Ends a task that is parked on a job; false if there is none. */
    boolean finish(String name, String job, TaskOutcome outcome);

    /** Has a task that is parked on a job run again, on this node; false if there is none. */
    boolean resume(String name, String job);

    TaskLimits limits();

    /** What the store is, for the log. */
    String storeDescription();

    TaskGauges gauges();

    /**
     * Stops all handlers here, waits up to 2 seconds until they have stopped, and closes store and
     * signals then.
     */
    @Override
    void close();
}
