package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.engine.PeerError;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.PeriodicTask;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskGauges;
import dev.fairlead.tasks.TaskLimits;
import dev.fairlead.tasks.TaskListener;
import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskOverview;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs tasks and answers requests about them, independent of the wire: the same for the server,
 * whose tools are called, and for the client, which is asked. Thread-safe.
 *
 * <p>Methods that name an owner throw {@link JsonRpcException}: {@code -32602} for a task that is
 * unknown, foreign or expired, {@code -32000} where a limit is reached, and {@code -32603} where
 * the store fails.
 */
public final class TaskEngine implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(TaskEngine.class.getName());

    /** The interval at which gauges are reported to listeners. */
    static final Duration GAUGES = Duration.ofSeconds(10);

    private final TaskLimits limits;
    private final TaskStore store;
    private final TaskSignals signals;
    private final Persistence persistence;
    private final LocalTasks locals = new LocalTasks();
    private final SignalListener listener;
    private final ChangePublisher changes;
    private final QuestionDeliveries deliveries;
    private final DeadlineTicker ticker;
    private final TaskConclusion conclusion;
    private final Audit audit;
    private final AdmissionControl admission;
    private final RunRegistry runs;
    private final Waiters waiters;
    private final List<PeriodicTask> maintenance = new ArrayList<>();
    private final TaskWork work;
    private final Set<TaskRun> polling = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Opens an engine.
     *
     * @param name of this node, for logs
     */
    public static TaskEngine open(Tasks tasks, String name, TaskWork work, Timers timers) {
        return new TaskEngine(tasks, name, work, timers);
    }

    private TaskEngine(Tasks tasks, String name, TaskWork work, Timers timers) {
        Tasks.Parts made = tasks.parts();
        this.limits = tasks.limits();
        this.store = made.store();
        this.signals = made.signals();
        this.audit = new Audit(tasks.listeners(), timers.clock());
        this.admission = new AdmissionControl(limits, audit, timers);
        this.persistence = new Persistence(store, timers);
        this.changes = new ChangePublisher(store, signals, locals);
        boolean reliable = signals.isReliable();
        this.deliveries =
                new QuestionDeliveries(store, timers, persistence, locals, changes, reliable);
        this.conclusion =
                new TaskConclusion(
                        store, limits.maxResultBytes(), work, locals, changes, persistence, audit);
        this.listener = new SignalListener(store, locals, deliveries, reliable);
        this.ticker = new DeadlineTicker(timers, locals, deliveries, conclusion, listener);
        TaskRunner runner =
                new TaskRunner(work, persistence, limits, changes, deliveries, ticker, conclusion);
        this.runs =
                new RunRegistry(
                        store,
                        persistence,
                        limits,
                        made.executor(),
                        timers,
                        audit,
                        admission,
                        locals,
                        ticker,
                        runner,
                        conclusion);
        this.waiters = new Waiters(store, persistence, timers, locals, ticker, deliveries);
        this.work = work;
        open(new Node(name), timers.clock());
        store.sweepInterval().ifPresent(every -> repeat(every, timers, this::sweep));
        repeat(GAUGES, timers, this::reportGauges);
    }

    private void repeat(Duration every, Timers timers, Runnable round) {
        PeriodicTask task = new PeriodicTask("mcp-task-maintenance", every, timers, round);
        maintenance.add(task);
        task.start();
    }

    private void sweep() {
        try {
            store.sweep();
        } catch (TaskStoreException e) {
            LOGGER.log(Level.DEBUG, "The store was not swept", e);
        }
    }

    /** Opens signals and store; closes both if that fails. */
    private void open(Node node, Clock clock) {
        try {
            signals.open(listener);
            store.open(node, clock);
        } catch (RuntimeException | Error e) {
            closeAfter(e, signals::close);
            closeAfter(e, store::close);
            throw e;
        }
    }

    private static void closeAfter(Throwable failure, Runnable close) {
        try {
            close.run();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    // ---- creation

    /** Stores a task, which does not run before {@link #begin}. */
    public StoredTask create(Owner owner, TaskRequest request) {
        return runs.create(owner, request);
    }

    /**
     * Starts the run of a task that was created here; to be called once the response with its id
     * was sent, or cannot be sent.
     *
     * @param origin the session that asked for it; null where nothing can be sent to it later
     */
    public void begin(StoredTask task, @Nullable TaskCarrier origin) {
        locals.find(task.id())
                .flatMap(LocalTask::run)
                .ifPresent(
                        run -> {
                            if (origin != null) {
                                run.local().attach(origin);
                            }
                            runs.begin(run);
                        });
    }

    /**
     * Abandons a task that was created here, in place of {@link #begin}, since its requestor does
     * not get its id. It never runs, passes no limit, and is cancelled as soon as the store can be
     * reached.
     */
    public void abandon(StoredTask task) {
        locals.find(task.id()).flatMap(LocalTask::run).ifPresent(runs::abandon);
    }

    // ---- operations of requestors

    /**
     * Returns the task.
     *
     * @param requestor attached to the task if the session that was attached cannot be reached;
     *     null for none
     */
    public StoredTask find(Owner owner, TaskId id, @Nullable TaskCarrier requestor) {
        admission.poll(owner, id);
        StoredTask task = known(owner, id);
        audit.event(TaskEvent.Kind.READ, owner, id, task.name(), null);
        if (requestor != null && !task.state().isEnded()) {
            attach(task, requestor);
        }
        return task;
    }

    /** Delivers open questions to the session as well, unless they are being delivered. */
    private void attach(StoredTask task, TaskCarrier requestor) {
        locals.changeKnown(task.id(), local -> local.attach(requestor));
        if (task.state() == TaskState.INPUT_REQUIRED && requestor.isOpen()) {
            LocalTask local = locals.change(task, known -> known.attach(requestor));
            ticker.watch(local);
            deliveries.match(local);
        }
    }

    /** Returns the task, unless it is unknown or has expired. */
    private StoredTask known(Owner owner, TaskId id) {
        StoredTask task =
                persistence
                        .stored(() -> store.find(owner, id))
                        .orElseThrow(() -> admission.unknown(owner, id));
        if (task.state() == TaskState.EXPIRED) {
            throw AdmissionControl.expired();
        }
        return task;
    }

    /**
     * Returns the task with all its open questions and its outcome, by one call of the store. An
     * expired task is refused as an unknown one.
     */
    public TaskSnapshot snapshot(Owner owner, TaskId id) {
        admission.poll(owner, id);
        TaskSnapshot found = knownNow(owner, id);
        audit.event(TaskEvent.Kind.READ, owner, id, found.task().name(), null);
        return found;
    }

    /**
     * Reads a task for a notification, as {@link #snapshot} does but against no limit of the owner.
     *
     * @return empty if the task is unknown, foreign or expired
     */
    public Optional<TaskSnapshot> findSnapshot(Owner owner, TaskId id) {
        return persistence
                .stored(() -> store.snapshot(owner, id))
                .filter(found -> found.task().state() != TaskState.EXPIRED);
    }

    /**
     * Returns which of these tasks belong to an owner and have not expired, by one call of the
     * store, which counts as one operation of the owner.
     */
    public Set<TaskId> existing(Owner owner, Collection<TaskId> ids) {
        admission.pass(owner);
        List<TaskId> possible = ids.stream().filter(TaskIds::mayBe).toList();
        return possible.isEmpty()
                ? Set.of()
                : persistence.stored(() -> store.existing(owner, possible));
    }

    /** An action that is called at changes of a task until this is closed. */
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Has an action called whenever a task may have changed, on any node; also if there is no such
     * task. Changes that are closer together than signals travel may become one call.
     *
     * @param changed must return soon, and throw nothing; called by several threads
     */
    public Registration watch(TaskId id, Runnable changed) {
        return listener.watch(id, changed);
    }

    /** Returns the task, unless it is unknown or has expired, which look the same. */
    private TaskSnapshot knownNow(Owner owner, TaskId id) {
        return findSnapshot(owner, id).orElseThrow(() -> admission.unknown(owner, id));
    }

    /**
     * Takes the answers of one message to open questions; deliveries of these questions are
     * withdrawn. All answers are recorded or none. Some questions may be left open. Keys that name
     * no open question are ignored, be it answered, withdrawn or never asked; after the end of the
     * task all answers are ignored.
     *
     * @param answers gives the answers by {@link TaskQuestion#key} to the questions that are open;
     *     if it throws, nothing is recorded
     * @throws JsonRpcException also with {@code -32602}, and without recording anything, if the
     *     answers to known keys have more bytes in all than {@link TaskLimits#maxResultBytes}
     */
    public void answer(
            Owner owner,
            TaskId id,
            Function<List<TaskQuestion>, Map<String, TaskOutcome>> answers) {
        admission.pass(owner, id);
        List<TaskQuestion> open = knownNow(owner, id).questions();
        Map<Integer, TaskOutcome> ordinals = new HashMap<>();
        answers.apply(open)
                .forEach(
                        (key, answer) ->
                                TaskQuestion.ordinal(key)
                                        .ifPresent(ordinal -> ordinals.put(ordinal, answer)));
        long bytes = ordinals.values().stream().mapToLong(TaskConclusion::size).sum();
        if (bytes > limits.maxResultBytes()) {
            throw JsonRpcException.invalidParams(
                    TaskConclusion.tooLarge("The answers have", bytes, limits.maxResultBytes()));
        }
        if (!persistence.stored(() -> store.answer(owner, id, ordinals)).isEmpty()) {
            changes.changed(id);
            locals.find(id).ifPresent(this::answered);
        }
    }

    /**
     * Takes the answer to a question that another process of this server has asked.
     *
     * @param delivery the name of its {@linkplain TaskCarrier.Prepared request}
     * @param answer reads the answer to the question
     * @return false if there is no such question, or it is not open
     */
    public boolean answerDelivered(
            Owner owner, String delivery, Function<TaskQuestion, TaskOutcome> answer) {
        Optional<TaskStore.Delivered> found =
                persistence.stored(() -> store.delivered(owner, delivery));
        if (found.isEmpty()) {
            return false;
        }
        TaskQuestion question = found.get().question();
        answer(owner, found.get().task(), Map.of(question.key(), answer.apply(question)));
        return true;
    }

    /** Takes answers that do not depend on the questions, by their keys. */
    public void answer(Owner owner, TaskId id, Map<String, TaskOutcome> answers) {
        answer(owner, id, open -> answers);
    }

    /** Withdraws answered questions, and delivers the next one. */
    private void answered(LocalTask local) {
        changes.sendState(local);
        deliveries.match(local);
    }

    /**
     * Waits until the task has ended, and meanwhile delivers its questions on a stream.
     *
     * @throws JsonRpcException also with {@code -32603} if it was cancelled, with {@code taskId}
     *     and {@code status} in the data
     */
    public TaskOutcome await(Owner owner, TaskId id, TaskCarrier stream)
            throws InterruptedException {
        admission.poll(owner, id);
        TaskOutcome outcome =
                waiters.await(owner, id, stream).orElseThrow(() -> admission.unknown(owner, id));
        audit.event(TaskEvent.Kind.RESULT_READ, owner, id, null, null);
        return outcome;
    }

    /**
     * A page of the owner's tasks.
     *
     * @throws JsonRpcException also with {@code -32602} for an invalid cursor
     */
    public TaskPage list(Owner owner, @Nullable String cursor) {
        admission.pass(owner);
        try {
            TaskPage page = persistence.stored(() -> store.list(owner, cursor, limits.pageSize()));
            audit.event(TaskEvent.Kind.LISTED, owner, null, null, null);
            return page;
        } catch (IllegalArgumentException e) {
            throw JsonRpcException.invalidParams("Invalid cursor");
        }
    }

    /**
     * Cancels a task; returns when it is cancelled, which may be before its handler has stopped.
     *
     * @throws JsonRpcException also with {@code -32602} if it has ended
     */
    public StoredTask cancel(Owner owner, TaskId id) {
        boolean cancelled = cancelNow(owner, id);
        StoredTask task = known(owner, id);
        if (!cancelled) {
            throw JsonRpcException.invalidParams("Task has ended and cannot be cancelled");
        }
        return task;
    }

    /**
     * Cancels a task unless it has ended. An expired task is refused as an unknown one.
     *
     * @return whether this call has cancelled it
     */
    public boolean cancelIfOpen(Owner owner, TaskId id) {
        boolean cancelled = cancelNow(owner, id);
        if (!cancelled) {
            knownNow(owner, id);
        }
        return cancelled;
    }

    /** Cancels a task; its activities here stop before any step that can fail. */
    private boolean cancelNow(Owner owner, TaskId id) {
        admission.pass(owner, id);
        String name = locals.find(id).flatMap(LocalTask::run).map(Run::name).orElse(null);
        return persistence.stored(
                () -> conclusion.cancel(owner, id, name, "Cancelled by the requestor"));
    }

    // ---- operators

    /**
     * Returns tasks of all owners and nodes, open ones first; none if the store has no overview.
     */
    public List<TaskOverview.Seen> overview(int limit) {
        TaskOverview overview = store.overview().orElse(null);
        if (overview == null) {
            return List.of();
        }
        List<TaskOverview.Seen> seen = new ArrayList<>(overview.open(limit));
        if (seen.size() < limit) {
            seen.addAll(overview.ended(limit - seen.size()));
        }
        return seen;
    }

    /** Adds a listener of events until the returned action removes it. */
    public Runnable observe(TaskListener listener) {
        return audit.observe(listener);
    }

    /** Returns the tasks whose handlers are alive on this node, also after their end. */
    public Set<TaskId> running() {
        return runs.running().stream().map(TaskRun::id).collect(Collectors.toSet());
    }

    /** Cancels a task of any owner, as a requestor does; false if it has ended. */
    public boolean cancelByOperator(StoredTask task) {
        return persistence.stored(
                () ->
                        conclusion.cancel(
                                task.owner(), task.id(), task.name(), "Cancelled by an operator"));
    }

    // ---- carriers

    /** Offers waiting questions to a carrier that can be reached again. */
    public void reachable(TaskCarrier carrier) {
        for (LocalTask local : locals.all()) {
            if (local.isAttachedTo(carrier)) {
                local.reachable();
                deliveries.match(local);
            }
        }
    }

    /** Removes a carrier that is closed for good. */
    public void closed(TaskCarrier carrier) {
        locals.all().forEach(local -> local.closed(carrier));
    }

    // ---- outside jobs

    /** Ends a task that is parked on a job; false if there is none. */
    public boolean finish(String name, String job, TaskOutcome outcome) {
        return store.parked(name, job)
                .filter(parked -> conclusion.end(parked.task(), outcome))
                .isPresent();
    }

    /** Runs a task that is parked on a job again, on this node; false if there is none. */
    public boolean resume(String name, String job) {
        Optional<TakenTask> resumed =
                store.parked(name, job).flatMap(parked -> store.resume(parked.task().key()));
        resumed.ifPresent(next -> runs.takeOver(next.task(), next.origin()));
        return resumed.isPresent();
    }

    private void pollNow(TakenTask parked) {
        try {
            outcome(parked).ifPresent(outcome -> conclusion.end(parked.task(), outcome));
        } catch (TaskStoreException e) {
            LOGGER.log(Level.WARNING, "An outside job is done, but was not stored", e);
        } catch (Exception e) {
            LOGGER.log(Level.WARNING, "An outside job could not be polled", e);
        } finally {
            polling.remove(parked.task().key());
        }
    }

    private Optional<TaskOutcome> outcome(TakenTask parked) throws Exception {
        try {
            return work.poll(parked);
        } catch (JsonRpcException e) {
            return Optional.of(new TaskOutcome.Error(PeerError.response(e)));
        }
    }

    // ---- the engine

    public TaskLimits limits() {
        return limits;
    }

    /** Returns the description of the store, for the log. */
    public String storeDescription() {
        return store.description();
    }

    public TaskGauges gauges() {
        return new TaskGauges(runs.size(), runs.asking(), waiters.size());
    }

    private void reportGauges() {
        if (!locals.isEmpty()) {
            audit.gauges(gauges());
        }
    }

    @Override
    public void close() {
        close(RunRegistry.CLOSE);
    }

    /** Closes the engine, but waits at most a given time for handlers that were interrupted. */
    void close(Duration patience) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        admission.close();
        ticker.close();
        maintenance.forEach(PeriodicTask::close);
        persistence.close();
        waiters.close();
        locals.all().forEach(local -> local.deliveries().forEach(QuestionDelivery::withdraw));
        runs.close(patience);
        signals.close();
        store.close();
    }

    // ---- calls of the store

    private final class Node implements TaskNode {
        private final String name;

        Node(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int freePlaces() {
            return runs.freePlaces();
        }

        @Override
        public Duration retention() {
            return limits.retention();
        }

        @Override
        public void takeOver(List<TakenTask> tasks) {
            for (TakenTask taken : tasks) {
                audit.event(TaskEvent.Kind.TAKEN_OVER, taken.task());
                runs.takeOver(taken.task(), taken.origin());
                changes.changed(taken.task().id());
            }
        }

        @Override
        public void orphansEnded(List<StoredTask> tasks) {
            ended(TaskEvent.Kind.ORPHANED, tasks);
        }

        @Override
        public void expired(List<StoredTask> tasks) {
            ended(TaskEvent.Kind.EXPIRED, tasks);
        }

        private void ended(TaskEvent.Kind kind, List<StoredTask> tasks) {
            for (StoredTask task : tasks) {
                audit.event(kind, task);
                locals.find(task.id()).ifPresent(local -> local.end(task.state()));
                changes.changed(task.id());
            }
        }

        @Override
        public void lost(TaskRun run) {
            runs.stop(run, Interrupts.ENDED);
        }

        @Override
        public void fenced() {
            runs.fence();
        }

        @Override
        public void poll(TakenTask parked) {
            if (polling.add(parked.task().key())) {
                Thread.ofVirtual()
                        .name("mcp-task-poll-" + parked.task().id().value())
                        .start(() -> pollNow(parked));
            }
        }

        @Override
        public Set<TaskRun> running() {
            return runs.running();
        }
    }
}
