package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tasks in memory, bounded in number and size: gone with the process.
 *
 * <p>One lock guards everything. Each method holds it for a few steps without waiting for anything,
 * and first expires what is due: so nobody ever sees a task that should have expired.
 */
final class InMemoryTaskStore implements TaskStore {
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);
    private static final Comparator<MemoryTask> BY_EXPIRY =
            Comparator.comparing(task -> task.expiresAt);

    private final int maxTasks;
    private final PageCursor cursor = new PageCursor();
    private final ReentrantLock lock = new ReentrantLock();

    // ---- guarded by lock
    private final MemoryBudget budget;
    private final Map<TaskId, MemoryTask> tasks = new HashMap<>();
    private final Map<String, MemoryOwner> owners = new HashMap<>();
    private final Map<Job, MemoryTask> jobs = new HashMap<>();
    private final PriorityQueue<MemoryTask> expiring = new PriorityQueue<>(BY_EXPIRY);
    private final PriorityQueue<MemoryTask> expired = new PriorityQueue<>(BY_EXPIRY);
    private final List<StoredTask> toTell = new ArrayList<>(); // expired before they had ended
    private long created;
    private Instant now = Instant.MIN;
    private @Nullable Opened opened;
    private boolean closed;

    private record Opened(TaskNode node, Clock clock) {}

    private record Job(String name, String id) {}

    /** What is done under the lock. */
    private interface Step<T, E extends Exception> {
        T take() throws E;
    }

    InMemoryTaskStore(int maxTasks, long maxBytes) {
        this.maxTasks = maxTasks;
        this.budget = new MemoryBudget(maxBytes);
    }

    private <T, E extends Exception> T locked(Step<T, E> step) throws E {
        lock.lock();
        try {
            now = open().clock().instant();
            expireDue();
            return step.take();
        } finally {
            lock.unlock();
        }
    }

    private Opened open() {
        if (closed) {
            throw new TaskStoreException("The store is closed");
        }
        if (opened == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return opened;
    }

    @Override
    public void open(TaskNode node, Clock clock) {
        lock.lock();
        try {
            if (opened != null) {
                throw new IllegalStateException("the store was opened before");
            }
            opened = new Opened(node, clock);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public StoredTask create(NewTask task, int maxActive) throws TooManyTasksException {
        return locked(
                () -> {
                    checkRoom(task, maxActive);
                    MemoryOwner owner =
                            owners.computeIfAbsent(
                                    task.owner().key(), key -> new MemoryOwner(task.owner()));
                    MemoryTask added = new MemoryTask(task, owner, ++created, now);
                    tasks.put(task.id(), added);
                    owner.listed.put(added.sequence, added);
                    owner.active++;
                    expiring.add(added);
                    budget.take(added.bytes());
                    return added.stored();
                });
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
        long bytes = task.origin().size();
        if (!budget.hasRoomFor(bytes)) {
            throw new TooManyTasksException(budget.refusal(bytes));
        }
    }

    private @Nullable MemoryTask owned(Owner owner, TaskId id) {
        MemoryTask task = tasks.get(id);
        return task != null && task.belongsTo(owner) ? task : null;
    }

    private @Nullable MemoryTask held(TaskRun run) {
        MemoryTask task = owned(run.owner(), run.id());
        return task != null && task.isHeldBy(run) ? task : null;
    }

    @Override
    public Optional<StoredTask> find(Owner owner, TaskId id) {
        return locked(() -> Optional.ofNullable(owned(owner, id)).map(MemoryTask::stored));
    }

    @Override
    public Optional<TaskOutcome> outcome(Owner owner, TaskId id) {
        return locked(() -> Optional.ofNullable(owned(owner, id)).flatMap(MemoryTask::outcome));
    }

    @Override
    public TaskPage list(Owner owner, @Nullable String after, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be positive but was " + limit);
        }
        long last = after == null ? 0 : cursor.read(after);
        return locked(
                () -> {
                    MemoryOwner found = owners.get(owner.key());
                    return found == null ? new TaskPage(List.of(), null) : page(found, last, limit);
                });
    }

    private TaskPage page(MemoryOwner owner, long after, int limit) {
        List<StoredTask> page = new ArrayList<>();
        long last = after;
        for (MemoryTask task : owner.listed.tailMap(after, false).values()) {
            if (page.size() == limit) {
                return new TaskPage(page, cursor.write(last));
            }
            page.add(task.stored());
            last = task.sequence;
        }
        return new TaskPage(page, null);
    }

    @Override
    public boolean cancel(Owner owner, TaskId id, @Nullable String statusMessage) {
        return locked(
                () -> {
                    MemoryTask task = owned(owner, id);
                    if (task == null || task.isEnded()) {
                        return false;
                    }
                    end(task, TaskState.CANCELLED, null, statusMessage);
                    return true;
                });
    }

    private void end(
            MemoryTask task,
            TaskState state,
            @Nullable TaskOutcome outcome,
            @Nullable String statusMessage) {
        unlistJob(task);
        long before = task.bytes();
        if (!task.isEnded()) {
            task.owner.active--;
        }
        task.end(state, outcome, statusMessage, now);
        budget.take(task.bytes() - before);
    }

    private void unlistJob(MemoryTask task) {
        String job = task.stored().job();
        if (job != null) {
            jobs.remove(new Job(task.stored().name(), job));
        }
    }

    @Override
    public boolean update(TaskRun run, @Nullable String statusMessage, @Nullable Double progress) {
        return locked(
                () -> {
                    MemoryTask task = held(run);
                    if (task == null) {
                        return false;
                    }
                    if (statusMessage != null) {
                        say(task, statusMessage);
                    }
                    if (progress != null) {
                        task.advance(progress);
                    }
                    return true;
                });
    }

    private void say(MemoryTask task, String message) {
        long before = task.bytes();
        budget.require(MemoryBudget.of(message) - MemoryBudget.of(task.stored().statusMessage()));
        task.become(task.stored().state(), message, now);
        budget.take(task.bytes() - before);
    }

    @Override
    public boolean end(TaskRun run, TaskOutcome outcome, @Nullable String statusMessage) {
        return locked(
                () -> {
                    MemoryTask task = owned(run.owner(), run.id());
                    if (task == null || !(task.isHeldBy(run) || task.isParkedIn(run))) {
                        return false;
                    }
                    budget.require(
                            MemoryBudget.of(outcome)
                                    + MemoryBudget.of(statusMessage)
                                    - task.bytes());
                    end(task, outcome.state(), outcome, statusMessage);
                    return true;
                });
    }

    @Override
    public void release(TaskRun run) {
        locked(() -> true); // nobody asks this store whose handlers are alive
    }

    @Override
    public TaskQuestion.Asked ask(TaskRun run, TaskQuestion question) {
        return locked(
                () -> {
                    MemoryTask task = held(run);
                    if (task == null) {
                        return new TaskQuestion.Asked.Lost();
                    }
                    TaskQuestion.Asked before = task.asked(question);
                    if (before != null) {
                        return before;
                    }
                    budget.require(question.params().size());
                    task.ask(question, now);
                    budget.take(question.params().size());
                    return new TaskQuestion.Asked.Open();
                });
    }

    @Override
    public Optional<TaskOutcome> answer(TaskRun run, int ordinal) {
        return locked(() -> Optional.ofNullable(held(run)).flatMap(task -> task.answer(ordinal)));
    }

    @Override
    public Optional<RawJson> record(TaskRun run, String key, RawJson value) {
        return locked(
                () -> {
                    MemoryTask task = held(run);
                    if (task == null || task.value(key).isPresent()) {
                        return task == null ? Optional.empty() : task.value(key);
                    }
                    long before = task.bytes();
                    budget.require(MemoryBudget.of(key) + value.size());
                    task.record(key, value);
                    budget.take(task.bytes() - before);
                    return Optional.of(value);
                });
    }

    @Override
    public Optional<RawJson> recorded(TaskRun run, String key) {
        return locked(() -> Optional.ofNullable(held(run)).flatMap(task -> task.value(key)));
    }

    @Override
    public List<TaskQuestion> questions(Owner owner, TaskId id) {
        return locked(
                () -> {
                    MemoryTask task = owned(owner, id);
                    return task == null ? List.of() : task.openQuestions();
                });
    }

    @Override
    public boolean deliver(
            Owner owner,
            TaskId id,
            int ordinal,
            TaskQuestion.@Nullable Delivery expected,
            TaskQuestion.@Nullable Delivery next) {
        return locked(
                () -> {
                    MemoryTask task = owned(owner, id);
                    TaskQuestion open = task == null ? null : task.openQuestion(ordinal);
                    if (task == null
                            || open == null
                            || !Objects.equals(open.delivery(), expected)) {
                        return false;
                    }
                    task.deliver(open, next);
                    return true;
                });
    }

    @Override
    public boolean answer(Owner owner, TaskId id, int ordinal, TaskOutcome answer) {
        return locked(
                () -> {
                    MemoryTask task = owned(owner, id);
                    TaskQuestion open = task == null ? null : task.openQuestion(ordinal);
                    if (task == null || open == null) {
                        return false;
                    }
                    long before = task.bytes();
                    budget.require(MemoryBudget.of(answer) - open.params().size());
                    task.answer(open, answer, now);
                    budget.take(task.bytes() - before);
                    return true;
                });
    }

    @Override
    public boolean park(TaskRun run, String job, @Nullable Duration pollEvery) {
        return locked(
                () -> {
                    MemoryTask task = held(run);
                    if (task == null) {
                        return false;
                    }
                    String name = task.stored().name();
                    if (jobs.putIfAbsent(new Job(name, job), task) != null) {
                        throw new IllegalArgumentException(
                                "another task of %s is parked on the job %s".formatted(name, job));
                    }
                    task.park(job, pollEvery, now);
                    return true;
                });
    }

    @Override
    public Optional<TakenTask> parked(String name, String job) {
        return locked(
                () -> Optional.ofNullable(jobs.get(new Job(name, job))).map(MemoryTask::taken));
    }

    @Override
    public Optional<TakenTask> resume(TaskRun parked) {
        return locked(
                () -> {
                    MemoryTask task = owned(parked.owner(), parked.id());
                    if (task == null || !task.isParkedIn(parked)) {
                        return Optional.empty();
                    }
                    unlistJob(task);
                    task.unpark(parked.number() + 1);
                    return Optional.of(task.taken());
                });
    }

    @Override
    public Optional<Duration> sweepInterval() {
        return Optional.of(SWEEP_INTERVAL);
    }

    @Override
    public void sweep() {
        TaskNode node = locked(() -> open().node());
        Duration retention = node.retention();
        List<StoredTask> ended = new ArrayList<>();
        List<TakenTask> due = new ArrayList<>();
        locked(
                () -> {
                    purge(now.minus(retention));
                    jobs.values().stream()
                            .filter(task -> task.isPollDue(now))
                            .map(MemoryTask::taken)
                            .forEach(due::add);
                    ended.addAll(toTell);
                    toTell.clear();
                    return true;
                });
        if (!ended.isEmpty()) {
            node.expired(ended);
        }
        due.forEach(node::poll);
    }

    private void expireDue() {
        MemoryTask task = expiring.peek();
        while (task != null && !task.expiresAt.isAfter(now)) {
            expiring.remove();
            boolean hadEnded = task.isEnded();
            end(task, TaskState.EXPIRED, null, null);
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

    private void purge(Instant before) {
        MemoryTask task = expired.peek();
        while (task != null && !task.expiresAt.isAfter(before)) {
            expired.remove();
            tasks.remove(task.stored().id());
            budget.take(-task.bytes());
            task = expired.peek();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            tasks.clear();
            owners.clear();
            jobs.clear();
            expiring.clear();
            expired.clear();
            toTell.clear();
        } finally {
            lock.unlock();
        }
    }
}
