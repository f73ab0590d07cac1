package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores tasks. In a durable store, a change is stored when its method returns: it survives a
 * crash.
 *
 * <p>Every change is one compare-and-set: it names owner, run or open state, and returns false,
 * with nothing changed, where those no longer hold. A run holds its task while the task has not
 * ended, is not parked, and no later run has begun. A foreign task looks like an unknown one.
 * {@link Owner#access} decides on access in {@link #find}, {@link #outcome}, {@link #cancel},
 * questions and their answers, and for the owner in a {@link TaskRun}; lists and the limit go by
 * {@link Owner#key}. The owner of a {@link StoredTask} is the one that created it.
 *
 * <p>A task that has not ended is {@link TaskState#INPUT_REQUIRED} while it has an open question,
 * and {@link TaskState#WORKING} otherwise, in any run. One that has ended never changes, except
 * that it expires: from {@link StoredTask#expiresAt} on every method treats it as expired, whether
 * a sweep has come or not. It is found as {@link TaskState#EXPIRED}, without outcome, and listed no
 * longer, until it is purged and unknown. When a task ends it is parked no longer, and its
 * questions are gone.
 *
 * <p>Texts may have any characters, NUL among them, and any length; they come back as they were,
 * and JSON byte for byte. A status message that is null leaves the one that is there.
 *
 * <p>All methods may block, are safe for use by several threads, and are called on threads of any
 * kind, virtual and interrupted ones among them: an interrupt must neither disturb the store nor
 * get lost. Each throws {@link TaskStoreException} where the store fails.
 */
public interface TaskStore extends AutoCloseable {
    /**
     * Returns a description of the store in a few words for the log, such as {@code memory}. No
     * secrets.
     */
    default String description() {
        return getClass().getSimpleName();
    }

    /**
     * Begins to hold runs for a node. Tasks of dead nodes are offered to it from now on.
     *
     * @param clock for stores that have no clock of their own
     * @throws IllegalStateException if the store was opened before
     */
    void open(TaskNode node, Clock clock);

    // ---- for the receiver

    /**
     * Stores a task, in state {@link TaskState#WORKING} and run 1, held by this node, with its
     * answers and values; if that fails, nothing is stored.
     *
     * @param maxActive how many tasks of the owner may be without an end, this one included;
     *     counted in the store, over all nodes
     * @throws TooManyTasksException if the owner has that many, or the store is full
     * @throws IllegalArgumentException if the id is in use, by any owner
     */
    StoredTask create(NewTask task, int maxActive) throws TooManyTasksException;

    /** Returns the task, if it belongs to the owner. */
    Optional<StoredTask> find(Owner owner, TaskId id);

    /**
     * Returns which of these tasks belong to the owner and have not expired. The default finds each
     * by itself.
     *
     * @param ids as many as a stream of changes may name
     */
    default Set<TaskId> existing(Owner owner, Collection<TaskId> ids) {
        return ids.stream()
                .filter(
                        id ->
                                find(owner, id)
                                        .filter(found -> found.state() != TaskState.EXPIRED)
                                        .isPresent())
                .collect(Collectors.toSet());
    }

    /** Returns the overview for operators; empty, the default, if the store has none. */
    default Optional<TaskOverview> overview() {
        return Optional.empty();
    }

    /**
     * Returns the version of each of these tasks: a text that differs once the state, status
     * message, progress or run of the task, its open questions or their deliveries have changed.
     * The engine calls it periodically, for many tasks at once, to find tasks whose signal was
     * lost.
     *
     * @return no entry for an unknown task. The default returns no entries: each task is then read
     *     by itself
     */
    default Map<TaskId, String> versions(Collection<TaskId> ids) {
        return Map.of();
    }

    /** Returns the outcome of a task; empty while it has not ended with a result or an error. */
    default Optional<TaskOutcome> outcome(Owner owner, TaskId id) {
        return snapshot(owner, id).map(TaskSnapshot::outcome);
    }

    /**
     * Returns a page of the tasks of an owner that have not expired, in the order of their
     * creation. A task that exists all the time is on exactly one page, even if others are added or
     * removed.
     *
     * @param after the cursor from the previous page; null for the first page
     * @param limit at least 1
     * @throws IllegalArgumentException if {@code after} was not given by this store
     */
    TaskPage list(Owner owner, @Nullable String after, int limit);

    /** Cancels a task that has not ended, and withdraws its questions. */
    boolean cancel(Owner owner, TaskId id, @Nullable String statusMessage);

    // ---- for a run

    /**
     * Stores status message and progress. A progress that is null, or not greater than the one that
     * is there, leaves it.
     */
    boolean update(TaskRun run, @Nullable String statusMessage, @Nullable Double progress);

    /** Ends a task that the run holds or that is parked in it, and withdraws its questions. */
    boolean end(TaskRun run, TaskOutcome outcome, @Nullable String statusMessage);

    /** Records that the handler of a run has stopped, however the task ended. Changes no task. */
    void release(TaskRun run);

    /**
     * Stores questions that are asked together, each unless its place has one; questions of earlier
     * runs stand, with their answers and deliveries. All become open at the same moment; if the
     * store fails, none does.
     *
     * @return the state of each, in the order of the questions
     */
    List<TaskQuestion.Asked> ask(TaskRun run, List<TaskQuestion> questions);

    /** Stores one question, see {@link #ask(TaskRun, List)}. */
    default TaskQuestion.Asked ask(TaskRun run, TaskQuestion question) {
        return ask(run, List.of(question)).getFirst();
    }

    /**
     * Returns the answer to a question; empty if there is none yet, or if the run no longer holds
     * the task.
     */
    Optional<TaskOutcome> answer(TaskRun run, int ordinal);

    /**
     * Answers an open question in place of the requestor, if the run holds its task, so that a
     * later run gets the same at this place.
     */
    boolean withdraw(TaskRun run, int ordinal, TaskOutcome answer);

    /**
     * Records a value under a key, unless this or an earlier run has recorded one.
     *
     * @return the value that stands there now; empty, and nothing recorded, if the run no longer
     *     holds the task
     */
    Optional<RawJson> record(TaskRun run, String key, RawJson value);

    /** Returns the value recorded under a key, and whether the run still holds its task. */
    Recorded recorded(TaskRun run, String key);

    // ---- delivery of questions

    /**
     * Returns the task with all its open questions and its outcome, by one read; empty if it does
     * not belong to the owner.
     */
    Optional<TaskSnapshot> snapshot(Owner owner, TaskId id);

    /** Returns the open questions of a task that has not ended, in the order of their ordinals. */
    default List<TaskQuestion> questions(Owner owner, TaskId id) {
        return snapshot(owner, id).map(TaskSnapshot::questions).orElse(List.of());
    }

    /** An open question of a task. */
    record Delivered(TaskId task, TaskQuestion question) {}

    /**
     * Returns the open question of an owner that has a delivery of this name, by whichever node. By
     * default none: the answer to a question comes to the process that asked it.
     */
    default Optional<Delivered> delivered(Owner owner, String delivery) {
        return Optional.empty();
    }

    /**
     * Takes over the delivery of an open question.
     *
     * @param expected the current delivery; null for none
     * @param next the new delivery; null to give it up
     */
    boolean deliver(
            Owner owner,
            TaskId id,
            int ordinal,
            TaskQuestion.@Nullable Delivery expected,
            TaskQuestion.@Nullable Delivery next);

    /**
     * Stores the answers of one message, for any delivery of the questions: all of them or, if the
     * store fails, none. Some open questions may be left without an answer; the task then stays
     * {@link TaskState#INPUT_REQUIRED}. An answer to a question that is not open, because it has
     * its answer, was withdrawn or was never asked, is ignored.
     *
     * @param answers the answers by ordinal
     * @return the ordinals of the questions that were open and now have their answer
     */
    Set<Integer> answer(Owner owner, TaskId id, Map<Integer, TaskOutcome> answers);

    /** Stores one answer, see {@link #answer(Owner, TaskId, Map)}; false if it was ignored. */
    default boolean answer(Owner owner, TaskId id, int ordinal, TaskOutcome answer) {
        return !answer(owner, id, Map.of(ordinal, answer)).isEmpty();
    }

    // ---- outside jobs

    /**
     * Parks a task that the run holds on an outside job: no run holds it until the job is done.
     *
     * @param pollEvery how often {@link TaskNode#poll} is to be called, first after that time, on
     *     one node; null for never
     * @throws IllegalArgumentException if another task of the same name is parked on that job
     */
    boolean park(TaskRun run, String job, @Nullable Duration pollEvery);

    /**
     * Returns the task that is parked on a job, of any owner.
     *
     * @param name of the task, see {@link NewTask#name}
     */
    Optional<TakenTask> parked(String name, String job);

    /** Begins the next run of a task on this node; empty if it is not parked in that run. */
    Optional<TakenTask> resume(TaskRun parked);

    // ---- upkeep

    /**
     * Returns the interval at which the engine is to call {@link #sweep}; empty if the store sweeps
     * by itself.
     */
    Optional<Duration> sweepInterval();

    /**
     * Reports to a node the tasks that expired before they had ended, each of them once; purges
     * tasks that expired longer than {@link TaskNode#retention} ago, and has due outside jobs
     * polled.
     */
    void sweep();

    /**
     * Closes the store: it holds no runs any more, and every other method throws {@link
     * TaskStoreException}; closing once more does nothing.
     */
    @Override
    void close();
}
