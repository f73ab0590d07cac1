package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where tasks are kept. What a method has returned is there after a crash, if the store is durable.
 *
 * <p>Every change is one compare-and-set: it names owner, run or open state, and returns false,
 * with nothing changed, where those no longer hold. A state that has ended never changes. A foreign
 * task is an unknown one: whose a task is for {@link #find}, {@link #outcome}, {@link #cancel},
 * questions and their answers is decided by {@link Owner#access}; lists and the limit go by {@link
 * Owner#key}. From the moment a task expires every method treats it as expired, whether a sweep has
 * come or not: it is found as {@link TaskState#EXPIRED}, without outcome, until it is purged.
 *
 * <p>All methods may block, are safe for use by several threads, and are called on threads of any
 * kind, virtual and interrupted ones among them: an interrupt must neither disturb the store nor
 * get lost. Each throws {@link TaskStoreException} where the store fails.
 */
public interface TaskStore extends AutoCloseable {
    /**
     * Begins to hold runs for a node. Tasks of dead nodes are offered to it from now on.
     *
     * @param clock for stores that have no clock of their own
     * @throws IllegalStateException if the store is open already
     */
    void open(TaskNode node, Clock clock);

    // ---- for the receiver

    /**
     * Stores a task, in state {@link TaskState#WORKING} and run 1, held by this node.
     *
     * @param maxActive how many tasks of the owner may be without an end, this one included;
     *     counted where the task is stored, whatever node it comes from
     */
    StoredTask create(NewTask task, int maxActive) throws TooManyTasksException;

    /** The task, if it is the owner's. */
    Optional<StoredTask> find(Owner owner, TaskId id);

    /** What the task gave; empty while it has not ended with a result or an error. */
    Optional<TaskOutcome> outcome(Owner owner, TaskId id);

    /**
     * The tasks of an owner that have not expired. Tasks that are there all the while are on
     * exactly one page, however many come and go.
     *
     * @param after where the page before said that this one begins; null for the first
     * @throws IllegalArgumentException if {@code after} is none of this store's
     */
    TaskPage list(Owner owner, @Nullable String after, int limit);

    /** Cancels a task that has not ended, and withdraws its questions. */
    boolean cancel(Owner owner, TaskId id, @Nullable String statusMessage);

    // ---- for a run

    /** Stores status message and progress; null leaves what there is. */
    boolean update(TaskRun run, @Nullable String statusMessage, @Nullable Double progress);

    /** Ends a task, and withdraws its questions. Also for a task that is parked. */
    boolean end(TaskRun run, TaskOutcome outcome, @Nullable String statusMessage);

    /** Tells that the handler of a run has stopped, whatever became of the task. */
    void release(TaskRun run);

    /**
     * Stores a question, unless this place has one, and makes the task {@link
     * TaskState#INPUT_REQUIRED} if the question is open.
     */
    TaskQuestion.Asked ask(TaskRun run, TaskQuestion question);

    /** The answer to a question of a run; empty while there is none. */
    Optional<TaskOutcome> answer(TaskRun run, int ordinal);

    /**
     * Records a value under a key, unless there is one.
     *
     * @return the value that stands there now; empty, and nothing recorded, if the run no longer
     *     holds the task
     */
    Optional<RawJson> record(TaskRun run, String key, RawJson value);

    /** The value recorded under a key. */
    Optional<RawJson> recorded(TaskRun run, String key);

    // ---- for whoever delivers questions

    /** The open questions of a task that has not ended, in their order. */
    List<TaskQuestion> questions(Owner owner, TaskId id);

    /**
     * Takes over the delivery of an open question.
     *
     * @param expected the delivery that stands; null for none
     * @param next the one that is to stand; null to give it up
     */
    boolean deliver(
            Owner owner,
            TaskId id,
            int ordinal,
            TaskQuestion.@Nullable Delivery expected,
            TaskQuestion.@Nullable Delivery next);

    /**
     * Stores the answer to an open question, whoever delivered it. After the last one the task is
     * {@link TaskState#WORKING} again.
     */
    boolean answer(Owner owner, TaskId id, int ordinal, TaskOutcome answer);

    // ---- outside jobs

    /**
     * Parks a task on an outside job: no node holds it until the job is done. The pair of name and
     * job must be unique among the tasks that have not ended.
     *
     * @param pollEvery how often {@link TaskNode#poll} is to be called; null for never
     * @throws IllegalArgumentException if another task is parked on that job
     */
    boolean park(TaskRun run, String job, @Nullable Duration pollEvery);

    /** The task that is parked on a job, whoever owns it. */
    Optional<TakenTask> parked(String name, String job);

    /** Begins the next run of a parked task on this node; empty if it is parked no longer. */
    Optional<TakenTask> resume(TaskRun parked);

    // ---- upkeep

    /** How often the engine is to call {@link #sweep}; empty where the store sweeps by itself. */
    Optional<Duration> sweepInterval();

    /**
     * Expires what is due and tells the node, purges what has expired longer than the retention
     * ago, and has due outside jobs polled.
     *
     * @param retention how long an expired task is still known as such
     */
    void sweep(Duration retention);

    /** Ends the holding of runs; what they store from here on fails. Called once. */
    @Override
    void close();
}
