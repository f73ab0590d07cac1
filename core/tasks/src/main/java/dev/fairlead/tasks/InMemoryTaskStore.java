package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Tasks in memory, bounded in number and size: gone with the process.
 *
 * <p>One lock guards everything. Each method holds it for a few steps without waiting for anything,
 * and first expires the tasks that are due, so no caller ever sees a task that should have expired.
 */
final class InMemoryTaskStore implements TaskStore {
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

    private final PageCursor cursor = new PageCursor();
    private final ReentrantLock lock = new ReentrantLock();

    // ---- guarded by lock
    private final MemoryTables tables;
    private Instant now = Instant.MIN;
    private @Nullable Opened opened;
    private boolean closed;

    private record Opened(TaskNode node, Clock clock) {}

    /** An action that holds the lock. */
    private interface Step<T, E extends Exception> {
        T take() throws E;
    }

    InMemoryTaskStore(int maxTasks, long maxBytes) {
        this.tables = new MemoryTables(maxTasks, maxBytes);
    }

    @Override
    public String description() {
        return "memory";
    }

    private <T, E extends Exception> T locked(Step<T, E> step) throws E {
        lock.lock();
        try {
            now = open().clock().instant();
            tables.expire(now);
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
        return locked(() -> tables.add(task, maxActive, now));
    }

    @Override
    public Optional<StoredTask> find(Owner owner, TaskId id) {
        return locked(() -> Optional.ofNullable(tables.owned(owner, id)).map(MemoryTask::stored));
    }

    @Override
    public TaskPage list(Owner owner, @Nullable String after, int limit) {
        Checks.positive(limit, "limit");
        long last = after == null ? 0 : cursor.read(after);
        return locked(() -> page(tables.listed(owner, last, limit), limit));
    }

    @Override
    public Optional<TaskOverview> overview() {
        return Optional.of(
                new TaskOverview() {
                    @Override
                    public List<Seen> open(int limit) {
                        return overview(false, limit);
                    }

                    @Override
                    public List<Seen> ended(int limit) {
                        return overview(true, limit);
                    }
                });
    }

    private List<TaskOverview.Seen> overview(boolean ended, int limit) {
        Checks.positive(limit, "limit");
        return locked(() -> tables.overview(ended, limit, open().node().name()));
    }

    private TaskPage page(List<MemoryTask> found, int limit) {
        boolean more = found.size() > limit;
        List<MemoryTask> page = more ? found.subList(0, limit) : found;
        return new TaskPage(
                page.stream().map(MemoryTask::stored).toList(),
                more ? cursor.write(page.getLast().sequence) : null);
    }

    @Override
    public boolean cancel(Owner owner, TaskId id, @Nullable String statusMessage) {
        return change(
                () -> tables.owned(owner, id, task -> !task.isEnded()),
                task -> tables.end(task, TaskState.CANCELLED, null, statusMessage, now));
    }

    /** Changes a task, if it is found. */
    private boolean change(Supplier<@Nullable MemoryTask> find, Consumer<MemoryTask> change) {
        return locked(
                () -> {
                    MemoryTask task = find.get();
                    if (task != null) {
                        change.accept(task);
                    }
                    return task != null;
                });
    }

    @Override
    public boolean update(TaskRun run, @Nullable String statusMessage, @Nullable Double progress) {
        return change(
                () -> tables.held(run),
                task -> {
                    if (statusMessage != null) {
                        say(task, statusMessage);
                    }
                    if (progress != null) {
                        task.advance(progress);
                    }
                });
    }

    private void say(MemoryTask task, String message) {
        tables.change(
                task,
                MemoryBudget.of(message) - MemoryBudget.of(task.stored().statusMessage()),
                () -> task.become(task.stored().state(), message, now));
    }

    @Override
    public boolean end(TaskRun run, TaskOutcome outcome, @Nullable String statusMessage) {
        return change(
                () ->
                        tables.owned(
                                run.owner(),
                                run.id(),
                                task -> task.isHeldBy(run) || task.isParkedIn(run)),
                task -> tables.end(task, outcome, statusMessage, now));
    }

    @Override
    public void release(TaskRun run) {
        locked(() -> true); // this store has one node, so it tracks no live handlers
    }

    @Override
    public List<TaskQuestion.Asked> ask(TaskRun run, List<TaskQuestion> questions) {
        return locked(() -> ask(tables.held(run), questions));
    }

    /** Stores questions; all of them, or none if there is no room for all. */
    private List<TaskQuestion.Asked> ask(@Nullable MemoryTask task, List<TaskQuestion> questions) {
        List<TaskQuestion.Asked> asked = new ArrayList<>();
        List<TaskQuestion> open = new ArrayList<>();
        long bytes = 0;
        for (TaskQuestion question : questions) {
            TaskQuestion.Asked before =
                    task == null ? new TaskQuestion.Asked.Lost() : task.asked(question);
            if (before == null) {
                open.add(question);
                bytes += question.params().size();
            }
            asked.add(before == null ? new TaskQuestion.Asked.Open() : before);
        }
        if (task != null && !open.isEmpty()) {
            tables.change(task, bytes, () -> open.forEach(question -> task.ask(question, now)));
        }
        return asked;
    }

    @Override
    public Optional<TaskOutcome> answer(TaskRun run, int ordinal) {
        return locked(
                () -> Optional.ofNullable(tables.held(run)).flatMap(task -> task.answer(ordinal)));
    }

    @Override
    public Optional<RawJson> record(TaskRun run, String key, RawJson value) {
        return locked(
                () -> {
                    MemoryTask task = tables.held(run);
                    if (task == null || task.value(key).isPresent()) {
                        return task == null ? Optional.empty() : task.value(key);
                    }
                    tables.change(
                            task,
                            MemoryBudget.of(key) + value.size(),
                            () -> task.record(key, value));
                    return Optional.of(value);
                });
    }

    @Override
    public Recorded recorded(TaskRun run, String key) {
        return locked(
                () -> {
                    MemoryTask task = tables.held(run);
                    return task == null
                            ? new Recorded.Lost()
                            : task.value(key)
                                    .<Recorded>map(Recorded.Value::new)
                                    .orElseGet(Recorded.Nothing::new);
                });
    }

    @Override
    public Optional<TaskSnapshot> snapshot(Owner owner, TaskId id) {
        return locked(() -> Optional.ofNullable(tables.owned(owner, id)).map(MemoryTask::snapshot));
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
                    MemoryTask task = tables.owned(owner, id);
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
    public Set<Integer> answer(Owner owner, TaskId id, Map<Integer, TaskOutcome> answers) {
        return locked(() -> answer(tables.owned(owner, id), answers));
    }

    @Override
    public boolean withdraw(TaskRun run, int ordinal, TaskOutcome answer) {
        return locked(() -> !answer(tables.held(run), Map.of(ordinal, answer)).isEmpty());
    }

    /** Stores answers; all of them, or none if there is no room for all. */
    private Set<Integer> answer(@Nullable MemoryTask task, Map<Integer, TaskOutcome> answers) {
        if (task == null) {
            return Set.of();
        }
        Map<TaskQuestion, TaskOutcome> open = new LinkedHashMap<>();
        long bytes = 0;
        for (TaskQuestion question : task.openQuestions()) {
            TaskOutcome answer = answers.get(question.ordinal());
            if (answer != null) {
                open.put(question, answer);
                bytes += MemoryBudget.of(answer) - question.params().size();
            }
        }
        if (!open.isEmpty()) {
            tables.change(
                    task,
                    bytes,
                    () -> open.forEach((question, answer) -> task.answer(question, answer, now)));
        }
        return open.keySet().stream()
                .map(TaskQuestion::ordinal)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean park(TaskRun run, String job, @Nullable Duration pollEvery) {
        return change(
                () -> tables.held(run),
                task -> {
                    if (!tables.park(task, job, pollEvery, now)) {
                        throw new IllegalArgumentException(
                                "another task of %s is parked on the job %s"
                                        .formatted(task.stored().name(), job));
                    }
                });
    }

    @Override
    public Optional<TakenTask> parked(String name, String job) {
        return locked(() -> Optional.ofNullable(tables.parked(name, job)).map(MemoryTask::taken));
    }

    @Override
    public Optional<TakenTask> resume(TaskRun parked) {
        return locked(
                () -> {
                    MemoryTask task =
                            tables.owned(
                                    parked.owner(), parked.id(), each -> each.isParkedIn(parked));
                    if (task == null) {
                        return Optional.empty();
                    }
                    tables.resume(task);
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
                    tables.purge(now.minus(retention));
                    due.addAll(tables.dueJobs(now));
                    ended.addAll(tables.justExpired());
                    return true;
                });
        if (!ended.isEmpty()) {
            node.expired(ended);
        }
        due.forEach(node::poll);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            tables.clear();
        } finally {
            lock.unlock();
        }
    }
}
