package dev.fairlead.tasks;

import static dev.fairlead.protocol.options.Checks.positive;

import dev.fairlead.protocol.limits.HeapPlan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The store, executor and limits of tasks. Immutable: each method returns a changed copy. Every
 * server and client made with it has tasks of its own unless they share a database.
 *
 * {@snippet :
 * McpServer.named("reports", "2.0.0").tasks(Tasks.inMemory().maxTtl(ofDays(1)).maxPerOwner(20))
 * }
 */
public final class Tasks {
    /** The default limit on the number of tasks in memory. */
    static final int MAX_TASKS = 10_000;

    private final Supplier<Parts> parts;
    private final TaskLimits limits;
    private final List<TaskListener> listeners;
    private final boolean listForAnonymous;

    private Tasks(
            Supplier<Parts> parts,
            TaskLimits limits,
            List<TaskListener> listeners,
            boolean listForAnonymous) {
        this.parts = parts;
        this.limits = limits;
        this.listeners = List.copyOf(listeners);
        this.listForAnonymous = listForAnonymous;
    }

    /**
     * The parts of an engine, which opens and closes store and signals.
     *
     * @param store not open yet
     */
    public record Parts(TaskStore store, TaskExecutor executor, TaskSignals signals) {
        public Parts {
            Objects.requireNonNull(store, "store");
            Objects.requireNonNull(executor, "executor");
            Objects.requireNonNull(signals, "signals");
        }
    }

    /**
     * Returns tasks in memory, gone with the process: at most 10,000 with 256 MiB in all, or with a
     * quarter of the maximum heap where that is less; see {@link #inMemory(int, long)}.
     */
    public static Tasks inMemory() {
        return inMemory(MAX_TASKS, HeapPlan.TASKS.bytes());
    }

    /**
     * Returns tasks in memory, gone with the process. When the store is full, the oldest ended task
     * of the largest owner is removed before its time: of the one that needs room, or of a larger
     * one that is anonymous or has more than a quarter of the store. Tasks of known owners within a
     * quarter are kept for their whole time to live. Where nothing can be removed, new tasks are
     * refused, and tasks that have something to store wait until there is room.
     *
     * @param maxTasks how many tasks there may be, counted until they are purged: also those that
     *     have ended, until their time and the {@link #retention} are over
     * @param maxBytes how many bytes their contents may have in all: origins, questions, answers,
     *     recorded values and outcomes
     */
    public static Tasks inMemory(int maxTasks, long maxBytes) {
        positive(maxTasks, "maxTasks");
        positive(maxBytes, "maxBytes");
        return on(
                () ->
                        new Parts(
                                new InMemoryTaskStore(maxTasks, maxBytes),
                                TaskExecutor.virtualThreads(),
                                new LocalTaskSignals()));
    }

    /** Returns tasks in a store of your own, for one server or client. */
    public static Tasks on(TaskStore store, TaskExecutor executor, TaskSignals signals) {
        Parts parts = new Parts(store, executor, signals);
        return on(() -> parts);
    }

    /**
     * Returns tasks in stores of your own.
     *
     * @param parts called once for each server or client
     */
    public static Tasks on(Supplier<Parts> parts) {
        return new Tasks(
                Objects.requireNonNull(parts, "parts"), new TaskLimits(), List.of(), false);
    }

    private Tasks with(Consumer<TaskLimits> change) {
        return new Tasks(parts, limits.with(change), listeners, listForAnonymous);
    }

    /** Sets the time to live of tasks whose requestor asks for none: an hour unless set. */
    public Tasks defaultTtl(Duration ttl) {
        return with(copy -> copy.defaultTtl = positive(ttl, "defaultTtl"));
    }

    /**
     * Sets the greatest time to live of a task: a day unless set. A longer one is reduced to it.
     */
    public Tasks maxTtl(Duration ttl) {
        return with(copy -> copy.maxTtl = positive(ttl, "maxTtl"));
    }

    /**
     * Sets the greatest time to live of a task of an anonymous requestor over HTTP: an hour unless
     * set.
     */
    public Tasks anonymousTtl(Duration ttl) {
        return with(copy -> copy.anonymousTtl = positive(ttl, "anonymousTtl"));
    }

    /** Sets how often requestors should poll: every second unless set. */
    public Tasks pollInterval(Duration interval) {
        return with(copy -> copy.pollInterval = positive(interval, "pollInterval"));
    }

    /**
     * Sets how long an expired task is still known as expired, and not as unknown: 5 minutes unless
     * set. Its result is gone at once.
     */
    public Tasks retention(Duration retention) {
        return with(copy -> copy.retention = positive(retention, "retention"));
    }

    /**
     * Sets how many tasks of an owner may be unfinished at once, on all nodes together: 100 unless
     * set. More are refused. Anonymous requestors over HTTP are counted by session, without one by
     * address; a new session is counted from zero, so only the share of an address of {@link
     * #maxRunning} and the size of the store bound them. Unless set, the limit applies to
     * requestors without a session on the loopback interface only once fewer than a quarter of
     * {@link #maxRunning} are free.
     */
    public Tasks maxPerOwner(int tasks) {
        positive(tasks, "maxPerOwner");
        return with(
                copy -> {
                    copy.maxPerOwner = tasks;
                    copy.loopbackTasks = true;
                });
    }

    /**
     * Sets how many tasks may run on this node, including those that wait for an answer: 1,000
     * unless set. More are refused, and those of anonymous requestors at one address if they would
     * leave less than a quarter to others.
     */
    public Tasks maxRunning(int tasks) {
        return with(copy -> copy.maxRunning = positive(tasks, "maxRunning"));
    }

    /**
     * Sets how many bytes a result may have: 4 MiB unless set. A task with more fails with an error
     * that names the limit.
     */
    public Tasks maxResultBytes(int bytes) {
        return with(copy -> copy.maxResultBytes = positive(bytes, "maxResultBytes"));
    }

    /**
     * Sets how many questions of a task may be open at once: 16 unless set. With more the call that
     * asks throws an error that ends the task, {@code -32603}.
     */
    public Tasks maxOpenQuestions(int questions) {
        return with(copy -> copy.maxOpenQuestions = positive(questions, "maxOpenQuestions"));
    }

    /**
     * Sets how many bytes the parameters of the open questions of a task may have in all: 4 MiB
     * unless set. With more the call that asks throws an error that ends the task, {@code -32603}.
     */
    public Tasks maxQuestionBytes(int bytes) {
        return with(copy -> copy.maxQuestionBytes = positive(bytes, "maxQuestionBytes"));
    }

    /**
     * Sets how many bytes a value recorded with {@code once} may have: 1 MiB unless set. With more
     * {@code once} throws an error that ends the task, {@code -32603}; the computation of the value
     * has had its effect then.
     */
    public Tasks maxValueBytes(int bytes) {
        return with(copy -> copy.maxValueBytes = positive(bytes, "maxValueBytes"));
    }

    /** Sets how many tasks a page of a list has at most: 50 unless set. */
    public Tasks pageSize(int tasks) {
        return with(copy -> copy.pageSize = positive(tasks, "pageSize"));
    }

    /**
     * Sets how many task operations an owner may request each second, with bursts of twice as many:
     * 100 unless set. More are refused. Anonymous requestors over HTTP are counted by session,
     * without one by address; those without one on the loopback interface only if it is set.
     */
    public Tasks operationsPerSecond(int operations) {
        positive(operations, "operationsPerSecond");
        return with(
                copy -> {
                    copy.operationsPerSecond = operations;
                    copy.loopbackOperations = true;
                });
    }

    /**
     * Sets how many suspicious operations of an owner within a minute cause a warning in the log:
     * 20 lookups of unknown tasks, and 1,200 polls, unless set. Lookups of all anonymous requestors
     * over HTTP are counted together, polls by session.
     */
    public Tasks suspicion(int failedLookups, int polls) {
        positive(failedLookups, "failedLookups");
        positive(polls, "polls");
        return with(
                copy -> {
                    copy.failedLookups = failedLookups;
                    copy.pollsPerMinute = polls;
                });
    }

    /**
     * Offers {@code tasks/list} also to anonymous requestors over HTTP; they see the tasks of their
     * own session. Otherwise only known requestors are offered the list.
     */
    public Tasks listForAnonymous() {
        return new Tasks(parts, limits, listeners, true);
    }

    /** Adds a listener of events, beside earlier ones. */
    public Tasks onEvent(TaskListener listener) {
        List<TaskListener> all = new ArrayList<>(listeners);
        all.add(Objects.requireNonNull(listener, "listener"));
        return new Tasks(parts, limits, all, listForAnonymous);
    }

    /** The limits. */
    public TaskLimits limits() {
        return limits;
    }

    /** The limits that differ from their defaults, by their names. */
    public Map<String, String> changedLimits() {
        return limits.changed();
    }

    /** The listeners of events. */
    public List<TaskListener> listeners() {
        return listeners;
    }

    /** Returns whether anonymous requestors may list the tasks of their session. */
    public boolean listsForAnonymous() {
        return listForAnonymous;
    }

    /** The parts for one more engine. */
    public Parts parts() {
        return parts.get();
    }
}
