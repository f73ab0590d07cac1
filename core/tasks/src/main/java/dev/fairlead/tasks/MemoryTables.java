package dev.fairlead.tasks;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The contents of an {@link InMemoryTaskStore}, guarded by its lock: the tasks, their indexes and
 * their size in bytes.
 */
final class MemoryTables {
    private static final Comparator<MemoryTask> BY_EXPIRY =
            Comparator.comparing((MemoryTask task) -> task.expiresAt)
                    .thenComparingLong(task -> task.sequence);

    /** The part of the store up to which an owner loses no tasks to other owners. */
    static final int OWNER_PART = 4;

    private final int maxTasks;
    private final MemoryBudget budget;
    private final Map<TaskId, MemoryTask> tasks = new HashMap<>();
    private final Map<String, MemoryOwner> owners = new HashMap<>();
    private final Map<Job, MemoryTask> jobs = new HashMap<>();
    private final NavigableSet<MemoryTask> open = new TreeSet<>(BY_EXPIRY);
    private final NavigableSet<MemoryTask> ended = new TreeSet<>(BY_EXPIRY); // not expired
    private final PriorityQueue<MemoryTask> expired = new PriorityQueue<>(BY_EXPIRY);
    private final List<StoredTask> toReport = new ArrayList<>(); // expired before they had ended
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
        open.add(added);
        budget.take(added.bytes());
        owner.bytes += added.bytes();
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
                    "There are %s tasks that have not ended, and no more than %s may be"
                            .formatted(active, maxActive));
        }
        String key = task.owner().key();
        while (tasks.size() >= maxTasks) {
            if (!forgetExpired() && !evict(key, MemoryOwner::size, maxTasks / OWNER_PART)) {
                throw new TooManyTasksException(
                        "The store is full: it has %s tasks, and none has been purged yet"
                                .formatted(tasks.size()));
            }
        }
        long bytes = MemoryTask.bytes(task);
        if (!makeRoom(key, bytes)) {
            throw new TooManyTasksException(budget.refusal(bytes));
        }
    }

    // ---- room

    /** Makes room for bytes of an owner; false if there is none. */
    private boolean makeRoom(String owner, long bytes) {
        while (!budget.hasRoomFor(bytes)) {
            boolean gone =
                    budget.canHold(bytes)
                            && (forgetExpired()
                                    || evict(owner, each -> each.bytes, budget.part(OWNER_PART)));
            if (!gone) {
                return false;
            }
        }
        return true;
    }

    private void requireRoom(MemoryOwner owner, long bytes) {
        if (!makeRoom(owner.key, bytes)) {
            throw new TaskStoreException(budget.refusal(bytes));
        }
    }

    /** Forgets the task that expired first, before its time; false if there is none. */
    private boolean forgetExpired() {
        MemoryTask first = expired.poll();
        if (first == null) {
            return false;
        }
        forget(first);
        return true;
    }

    /**
     * Removes the oldest ended task of the largest owner, whose size is that of the store's limit
     * that is reached: of the owner that needs room, or of a larger one that either is anonymous or
     * has more than its share. The tasks of known owners within their share are kept.
     *
     * @return false if there is none
     */
    private boolean evict(String needs, ToLongFunction<MemoryOwner> size, long share) {
        MemoryOwner own = owners.get(needs);
        long least = own == null ? 0 : size.applyAsLong(own);
        MemoryOwner largest = null;
        for (MemoryOwner each : owners.values()) {
            long its = size.applyAsLong(each);
            boolean may = each == own || (its > least && (each.anonymous || its > share));
            boolean larger = largest == null || its > size.applyAsLong(largest);
            if (may && larger && each.size() > each.active) {
                largest = each;
            }
        }
        MemoryTask oldest = largest == null ? null : largest.oldestEnded();
        if (oldest == null) {
            return false;
        }
        ended.remove(oldest);
        unlist(oldest);
        forget(oldest);
        return true;
    }

    private void forget(MemoryTask task) {
        tasks.remove(task.stored().id());
        budget.take(-task.bytes());
    }

    /** Returns the task, if it belongs to the owner. */
    @Nullable MemoryTask owned(Owner owner, TaskId id) {
        MemoryTask task = tasks.get(id);
        return task != null && task.belongsTo(owner) ? task : null;
    }

    /** Returns the task, if a run holds it. */
    @Nullable MemoryTask held(TaskRun run) {
        return owned(run.owner(), run.id(), task -> task.isHeldBy(run));
    }

    /** Returns the task, if it belongs to the owner and satisfies a condition. */
    @Nullable MemoryTask owned(Owner owner, TaskId id, Predicate<MemoryTask> which) {
        MemoryTask task = owned(owner, id);
        return task != null && which.test(task) ? task : null;
    }

    /** Returns the tasks of a page, and one more if there is a next page. */
    List<MemoryTask> listed(Owner owner, long after, int limit) {
        MemoryOwner found = owners.get(owner.key());
        return found == null
                ? List.of()
                : found.listed.tailMap(after, false).values().stream().limit(limit + 1L).toList();
    }

    /** The tasks of all owners that have ended or not, without those that have expired. */
    List<TaskOverview.Seen> overview(boolean ended, int limit, String node) {
        return (ended ? this.ended : open)
                .descendingSet().stream().limit(limit).map(task -> task.seen(node)).toList();
    }

    /**
     * Changes the contents of a task.
     *
     * @param bytes how many more it will have
     * @throws TaskStoreException if there is no room for them
     */
    void change(MemoryTask task, long bytes, Runnable change) {
        requireRoom(task.owner, bytes);
        counted(task, change);
    }

    private void counted(MemoryTask task, Runnable change) {
        long before = task.bytes();
        change.run();
        budget.take(task.bytes() - before);
        task.owner.bytes += task.bytes() - before;
    }

    /** Ends a task, or expires one that has ended. */
    void end(
            MemoryTask task,
            TaskState state,
            @Nullable TaskOutcome outcome,
            @Nullable String statusMessage,
            Instant now) {
        unlistJob(task);
        if (open.remove(task)) {
            task.owner.active--;
            ended.add(task);
        }
        counted(task, () -> task.end(state, outcome, statusMessage, now));
    }

    /**
     * Ends a task with its outcome.
     *
     * @throws TaskStoreException if there is no room for that
     */
    void end(MemoryTask task, TaskOutcome outcome, @Nullable String statusMessage, Instant now) {
        requireRoom(
                task.owner,
                MemoryBudget.of(outcome) + MemoryBudget.of(statusMessage) - task.bytes());
        end(task, outcome.state(), outcome, statusMessage, now);
    }

    // ---- outside jobs

    /** Parks a task on a job; false if another task is parked on it. */
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

    /** Returns the task that is parked on a job; null if none is. */
    @Nullable MemoryTask parked(String name, String job) {
        return jobs.get(new Job(name, job));
    }

    /** Returns the parked tasks whose jobs are to be polled now; each poll is returned once. */
    List<TakenTask> dueJobs(Instant now) {
        return jobs.values().stream()
                .filter(task -> task.isPollDue(now))
                .map(MemoryTask::taken)
                .toList();
    }

    // ---- expiry

    /** Expires the tasks that are due. */
    void expire(Instant now) {
        for (MemoryTask task = first();
                task != null && !task.expiresAt.isAfter(now);
                task = first()) {
            boolean hadEnded = task.isEnded();
            end(task, TaskState.EXPIRED, null, null, now);
            if (!hadEnded) {
                toReport.add(task.stored());
            }
            ended.remove(task);
            unlist(task);
            expired.add(task);
        }
    }

    /** Returns the task that expires first; null if there is none. */
    private @Nullable MemoryTask first() {
        if (open.isEmpty() || ended.isEmpty()) {
            NavigableSet<MemoryTask> only = open.isEmpty() ? ended : open;
            return only.isEmpty() ? null : only.first();
        }
        MemoryTask task = open.first();
        MemoryTask other = ended.first();
        return BY_EXPIRY.compare(task, other) < 0 ? task : other;
    }

    private void unlist(MemoryTask task) {
        task.owner.listed.remove(task.sequence);
        task.owner.bytes -= task.bytes();
        if (task.owner.listed.isEmpty()) {
            owners.remove(task.owner.key);
        }
    }

    /** Returns the tasks that have expired before they had ended; each task is returned once. */
    List<StoredTask> justExpired() {
        List<StoredTask> reported = List.copyOf(toReport);
        toReport.clear();
        return reported;
    }

    /** Removes the tasks that expired before a moment. */
    void purge(Instant before) {
        MemoryTask task = expired.peek();
        while (task != null && !task.expiresAt.isAfter(before)) {
            expired.remove();
            forget(task);
            task = expired.peek();
        }
    }

    void clear() {
        tasks.clear();
        owners.clear();
        jobs.clear();
        open.clear();
        ended.clear();
        expired.clear();
        toReport.clear();
    }
}
