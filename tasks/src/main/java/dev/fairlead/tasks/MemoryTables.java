package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * All that an {@link InMemoryTaskStore} has, which guards it with its lock: its tasks, by what they
 * are found by, and how many bytes they have.
 */
final class MemoryTables {
    private static final Comparator<MemoryTask> BY_EXPIRY =
            Comparator.comparing(task -> task.expiresAt);

    private final int maxTasks;
    private final MemoryBudget budget;
    private final Map<TaskId, MemoryTask> tasks = new HashMap<>();
    private final Map<String, MemoryOwner> owners = new HashMap<>();
    private final Map<Job, MemoryTask> jobs = new HashMap<>();
    private final PriorityQueue<MemoryTask> expiring = new PriorityQueue<>(BY_EXPIRY);
    private final PriorityQueue<MemoryTask> expired = new PriorityQueue<>(BY_EXPIRY);
    private final List<StoredTask> toTell = new ArrayList<>(); // expired before they had ended
    private long created;

    private record Job(String name, String id) {}

    MemoryTables(int maxTasks, long maxBytes) {
        this.maxTasks = maxTasks;
        this.budget = new MemoryBudget(maxBytes);
    }

    // ---- tasks

    StoredTask add(NewTask task, int maxActive, Instant now) throws TooManyTasksException {
        checkRoom(task, maxActive);
        MemoryOwner owner =
                owners.computeIfAbsent(task.owner().key(), key -> new MemoryOwner(task.owner()));
        MemoryTask added = new MemoryTask(task, owner, ++created, now);
        tasks.put(task.id(), added);
        owner.listed.put(added.sequence, added);
        owner.active++;
        expiring.add(added);
        budget.take(added.bytes());
        return added.stored();
    }

    private void checkRoom(NewTask task, int maxActive) throws TooManyTasksException {
        if (tasks.containsKey(task.id())) {
            throw new IllegalArgumentException("there is a task of that id already: " + task.id());
        }
        MemoryOwner owner = owners.get(task.owner().key());
        int active = owner == null ? 0 : owner.active;
        if (active >= maxActive) {
            throw new TooManyTasksException(
                    "There are %d tasks that have not ended, and no more than %d may be"
                            .formatted(active, maxActive));
        }
        if (tasks.size() >= maxTasks) {
            throw new TooManyTasksException(
                    "The store is full: it has %d tasks, and none has been purged yet"
                            .formatted(tasks.size()));
        }
        long bytes = MemoryTask.bytes(task);
        if (!budget.hasRoomFor(bytes)) {
            throw new TooManyTasksException(budget.refusal(bytes));
        }
    }

    /** The task, if it is the owner's. */
    @Nullable MemoryTask owned(Owner owner, TaskId id) {
        MemoryTask task = tasks.get(id);
        return task != null && task.belongsTo(owner) ? task : null;
    }

    /** The task, if a run holds it. */
    @Nullable MemoryTask held(TaskRun run) {
        MemoryTask task = owned(run.owner(), run.id());
        return task != null && task.isHeldBy(run) ? task : null;
    }

    /** What is on a page: one task more than fits on it if there is a next one. */
    List<MemoryTask> listed(Owner owner, long after, int limit) {
        MemoryOwner found = owners.get(owner.key());
        return found == null
                ? List.of()
                : found.listed.tailMap(after, false).values().stream().limit(limit + 1L).toList();
    }

    /**
     * Changes what a task holds.
     *
     * @param bytes how many more it will have
     * @throws TaskStoreException if there is no room for them
     */
    void change(MemoryTask task, long bytes, Runnable change) {
        budget.require(bytes);
        counted(task, change);
    }

    private void counted(MemoryTask task, Runnable change) {
        long before = task.bytes();
        change.run();
        budget.take(task.bytes() - before);
    }

    /** Ends a task, or has one expire that has ended. */
    void end(
            MemoryTask task,
            TaskState state,
            @Nullable TaskOutcome outcome,
            @Nullable String statusMessage,
            Instant now) {
        unlistJob(task);
        if (!task.isEnded()) {
            task.owner.active--;
        }
        counted(task, () -> task.end(state, outcome, statusMessage, now));
    }

    /**
     * The same for what a task gave.
     *
     * @throws TaskStoreException if there is no room for that
     */
    void end(MemoryTask task, TaskOutcome outcome, @Nullable String statusMessage, Instant now) {
        budget.require(MemoryBudget.of(outcome) + MemoryBudget.of(statusMessage) - task.bytes());
        end(task, outcome.state(), outcome, statusMessage, now);
    }

    // ---- outside jobs

    /** Parks a task on a job; false if another is. */
    boolean park(MemoryTask task, String job, @Nullable Duration pollEvery, Instant now) {
        Job key = new Job(task.stored().name(), job);
        if (jobs.containsKey(key)) {
            return false;
        }
        change(task, MemoryBudget.of(job), () -> task.park(job, pollEvery, now));
        jobs.put(key, task);
        return true;
    }

    /** Begins the next run of a parked task. */
    void resume(MemoryTask task) {
        unlistJob(task);
        change(task, 0, () -> task.unpark(task.stored().run() + 1));
    }

    private void unlistJob(MemoryTask task) {
        String job = task.stored().job();
        if (job != null) {
            jobs.remove(new Job(task.stored().name(), job));
        }
    }

    /** The task that is parked on a job; null if none is. */
    @Nullable MemoryTask parked(String name, String job) {
        return jobs.get(new Job(name, job));
    }

    /** The parked tasks whose jobs are to be looked after now; says so once each time. */
    List<TakenTask> dueJobs(Instant now) {
        return jobs.values().stream()
                .filter(task -> task.isPollDue(now))
                .map(MemoryTask::taken)
                .toList();
    }

    // ---- expiry

    /** Expires what is due. */
    void expire(Instant now) {
        MemoryTask task = expiring.peek();
        while (task != null && !task.expiresAt.isAfter(now)) {
            expiring.remove();
            boolean hadEnded = task.isEnded();
            end(task, TaskState.EXPIRED, null, null, now);
            if (!hadEnded) {
                toTell.add(task.stored());
            }
            unlist(task);
            expired.add(task);
            task = expiring.peek();
        }
    }

    private void unlist(MemoryTask task) {
        task.owner.listed.remove(task.sequence);
        if (task.owner.listed.isEmpty()) {
            owners.remove(task.owner.key);
        }
    }

    /** What has expired before it had ended; says so once for each task. */
    List<StoredTask> justExpired() {
        List<StoredTask> told = List.copyOf(toTell);
        toTell.clear();
        return told;
    }

    /** Forgets what expired before a moment. */
    void purge(Instant before) {
        MemoryTask task = expired.peek();
        while (task != null && !task.expiresAt.isAfter(before)) {
            expired.remove();
            tasks.remove(task.stored().id());
            budget.take(-task.bytes());
            task = expired.peek();
        }
    }

    void clear() {
        tasks.clear();
        owners.clear();
        jobs.clear();
        expiring.clear();
        expired.clear();
        toTell.clear();
    }
}
