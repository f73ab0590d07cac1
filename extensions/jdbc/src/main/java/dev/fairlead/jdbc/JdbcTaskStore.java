package dev.fairlead.jdbc;

import dev.fairlead.jdbc.StoreAccess.DuplicateException;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskOverview;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskQuestion.Delivery;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.TooManyTasksException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tasks in a database, one space of it. */
final class JdbcTaskStore implements TaskStore {
    private static final Logger LOG = System.getLogger(JdbcTaskStore.class.getName());

    /** How much a sweep does in one statement, and in how many it does it at most. */
    private static final int STEP = 500;

    private static final int STEPS = 40;

    /** How long a dead node is still known, whose unfinished tasks are taken over meanwhile. */
    private static final Duration DEAD_NODES = Duration.ofMinutes(1);

    private final Duration lease;
    private final Heartbeat heartbeat;
    private final Duration sweepEvery;
    private final TaskSignals signals;
    private final StoreAccess access;
    private final TaskTable tasks;
    private final QuestionTable questions;
    private final OnceTable values;
    private final JobTable jobs;
    private final ExpiryTable expiry;
    private final EndedShares shares;
    private final NodeTable nodes;
    private final OrphanTable orphans;
    private final AtomicBoolean opened = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile @Nullable TaskMembership membership;
    private final Deque<Runnable> closers = new ConcurrentLinkedDeque<>(); // the last comes first

    @Override
    public String description() {
        return switch (access.engine().dialect()) {
            case SQLITE -> "an SQLite file";
            case POSTGRES -> "PostgreSQL";
        };
    }

    JdbcTaskStore(Database database, String space, TaskSignals signals, Duration sweepEvery) {
        this.lease = database.options().lease();
        this.heartbeat = database.heartbeat();
        this.sweepEvery = sweepEvery;
        this.signals = signals;
        this.access = new StoreAccess(database.engine(), space);
        this.tasks = new TaskTable(access);
        this.questions = new QuestionTable(access);
        this.values = new OnceTable(access);
        this.jobs = new JobTable(access);
        this.expiry = new ExpiryTable(access);
        this.shares = new EndedShares(access, database.options());
        this.nodes = new NodeTable(access);
        this.orphans = new OrphanTable(access);
    }

    @Override
    public void open(TaskNode node, Clock clock) {
        Objects.requireNonNull(node, "node");
        if (!opened.compareAndSet(false, true)) {
            throw new IllegalStateException("the store was opened before");
        }
        access.useClock(clock);
        try {
            open(node);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void open(TaskNode node) {
        TaskMembership joined = TaskMembership.join(access, nodes, node);
        membership = joined;
        closers.push(() -> leave(joined));
        OrphanRecovery recovery =
                new OrphanRecovery(heartbeat.pulse(), nodes, orphans, joined, signals, lease);
        closers.push(heartbeat.add(joined, recovery::settle)::close);
        Sweeps sweeps =
                new Sweeps(
                        access.engine().sweeping(),
                        access.space(),
                        sweepEvery,
                        access::databaseTime,
                        this::sweep);
        closers.push(sweeps::close);
        access.call(sweeps::started);
    }

    private TaskMembership membership() {
        TaskMembership joined = membership;
        if (joined == null) {
            throw new IllegalStateException("the store is not open");
        }
        return joined;
    }

    // ---- for the receiver

    @Override
    public StoredTask create(NewTask task, int maxActive) throws TooManyTasksException {
        TaskMembership joined = membership();
        Optional<StoredTask> stored;
        try {
            stored = joined.attempt(node -> tasks.create(task, node, maxActive));
        } catch (DuplicateException e) {
            throw new IllegalArgumentException("there is a task " + task.id() + " already", e);
        }
        if (stored.isEmpty()) {
            throw new TooManyTasksException(
                    "An owner may have " + maxActive + " tasks that have not ended");
        }
        // with the objects in memory already, not with copies of them
        joined.hold(new TaskRun(task.owner(), task.id(), stored.get().run()));
        return stored.get();
    }

    @Override
    public Optional<StoredTask> find(Owner owner, TaskId id) {
        return tasks.find(owner, id);
    }

    @Override
    public Set<TaskId> existing(Owner owner, Collection<TaskId> ids) {
        return tasks.existing(owner, ids);
    }

    @Override
    public Map<TaskId, String> versions(Collection<TaskId> ids) {
        return tasks.versions(ids);
    }

    @Override
    public Optional<TaskOverview> overview() {
        return Optional.of(new OverviewTable(access));
    }

    @Override
    public TaskPage list(Owner owner, @Nullable String after, int limit) {
        return tasks.list(owner, after, limit);
    }

    @Override
    public boolean cancel(Owner owner, TaskId id, @Nullable String statusMessage) {
        return tasks.cancel(owner, id, statusMessage);
    }

    // ---- for a run

    @Override
    public boolean update(TaskRun run, @Nullable String statusMessage, @Nullable Double progress) {
        return tasks.update(run, statusMessage, progress);
    }

    @Override
    public boolean end(TaskRun run, TaskOutcome outcome, @Nullable String statusMessage) {
        boolean ended = tasks.end(run, outcome, statusMessage);
        if (ended) {
            shares.ended(run.owner(), outcome);
            membership().drop(run);
        }
        return ended;
    }

    /**
     * Runs that ended or were parked here are no longer listed, so most releases need no statement.
     */
    @Override
    public void release(TaskRun run) {
        TaskMembership joined = membership();
        if (joined.drop(run)) {
            access.write(run.id(), s -> orphans.clear(s, joined.incarnation(), run));
        }
    }

    @Override
    public List<TaskQuestion.Asked> ask(TaskRun run, List<TaskQuestion> asked) {
        return questions.ask(run, asked);
    }

    @Override
    public Optional<TaskOutcome> answer(TaskRun run, int ordinal) {
        return questions.answer(run, ordinal);
    }

    @Override
    public boolean withdraw(TaskRun run, int ordinal, TaskOutcome answer) {
        return questions.withdraw(run, ordinal, answer);
    }

    @Override
    public Optional<RawJson> record(TaskRun run, String key, RawJson value) {
        return values.record(run, key, value);
    }

    @Override
    public Recorded recorded(TaskRun run, String key) {
        return values.recorded(run, key);
    }

    // ---- delivery of questions

    @Override
    public Optional<TaskSnapshot> snapshot(Owner owner, TaskId id) {
        return questions.snapshot(owner, id);
    }

    @Override
    public Optional<Delivered> delivered(Owner owner, String delivery) {
        return questions.delivered(owner, delivery);
    }

    @Override
    public boolean deliver(
            Owner owner,
            TaskId id,
            int ordinal,
            @Nullable Delivery expected,
            @Nullable Delivery next) {
        return questions.deliver(owner, id, ordinal, expected, next, membership().incarnation());
    }

    @Override
    public Set<Integer> answer(Owner owner, TaskId id, Map<Integer, TaskOutcome> answers) {
        return questions.answer(owner, id, answers);
    }

    // ---- outside jobs

    @Override
    public boolean park(TaskRun run, String job, @Nullable Duration pollEvery) {
        boolean parked;
        try {
            parked = jobs.park(run, job, pollEvery);
        } catch (DuplicateException e) {
            throw new IllegalArgumentException("another task is parked on the job " + job, e);
        }
        if (parked) {
            membership().drop(run);
        }
        return parked;
    }

    @Override
    public Optional<TakenTask> parked(String name, String job) {
        return jobs.parked(name, job);
    }

    @Override
    public Optional<TakenTask> resume(TaskRun parked) {
        TaskMembership joined = membership();
        Optional<TakenTask> taken = joined.attempt(node -> jobs.resume(parked, node));
        taken.ifPresent(task -> joined.hold(task.task().key()));
        return taken;
    }

    // ---- upkeep

    @Override
    public Optional<Duration> sweepInterval() {
        return Optional.empty();
    }

    @Override
    public void sweep() {
        TaskNode node = membership().node();
        for (int step = 0; step < STEPS; step++) {
            List<Optional<StoredTask>> expired = expiry.end(STEP);
            List<StoredTask> readable = UnreadableRows.readable(expired);
            if (!readable.isEmpty()) {
                node.expired(readable);
            }
            int faded = expiry.fade(STEP);
            int purged = expiry.purge(node.retention(), STEP);
            if (expired.size() < STEP && faded < STEP && purged < STEP) {
                break;
            }
        }
        shares.trim(STEP);
        jobs.due(STEP).forEach(node::poll);
        access.transact(
                s -> {
                    orphans.forget(s, DEAD_NODES);
                    return true;
                });
    }

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        closers.forEach(Runnable::run);
        access.close();
    }

    private static void leave(TaskMembership joined) {
        try {
            joined.leave();
        } catch (TaskStoreException e) {
            LOG.log(Level.WARNING, "This node could not say that it ends; others find out", e);
        }
    }
}
