package dev.fairlead.tasks.requestor;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.TaskCancelledException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A task at the peer, or the ordinary result of a peer that made none. Its {@link TaskWatch} brings
 * its changes. Thread-safe.
 */
public final class RemoteTask {
    private static final System.Logger LOGGER = System.getLogger(RemoteTask.class.getName());

    private final RemoteTasks tasks;
    private final RemoteTaskState state;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock reporting = new ReentrantLock(); // listeners get changes in order
    private final AtomicReference<@Nullable Thread> watch = new AtomicReference<>();
    private volatile @Nullable TaskId id;
    private volatile @Nullable CreateTaskResult creation;

    RemoteTask(RemoteTasks tasks) {
        this.tasks = tasks;
        this.state = new RemoteTaskState(tasks.timers());
    }

    /**
     * Receives the changes of a task, on the threads that bring them: must return soon, and run
     * code of users elsewhere.
     */
    public interface Listener {
        /**
         * Receives the task: first its known state when the listener was added, if any, then each
         * change of the status or the status message; never an older state.
         */
        default void changed(Task task) {}

        /** Receives progress of the peer. */
        default void progressed(Progress progress) {}

        /**
         * Returns whether the peer is to be polled for every change. If no listener wants that and
         * a caller waits for the task, listeners receive only the changes that the peer notifies.
         */
        default boolean wantsEveryChange() {
            return false;
        }
    }

    // ---- for the requestor

    /** Returns the id; empty if the peer answered with an ordinary result. */
    public Optional<TaskId> id() {
        return Optional.ofNullable(id);
    }

    /**
     * Returns the peer's answer to the creation; empty for a task that was created elsewhere, or
     * not at all.
     */
    public Optional<CreateTaskResult> created() {
        return Optional.ofNullable(creation);
    }

    /** Returns the newest known state; empty before the first report of a resumed task. */
    public Optional<Task> known() {
        return state.known();
    }

    /** Returns the ordinary result, or that of the task, if it is here already. */
    public Optional<RawJson> result() {
        return state.result();
    }

    /** Adds a listener, which receives the state of the task and its changes from now on. */
    public void listen(Listener listener) {
        reporting.lock();
        try {
            listeners.add(listener);
            known().ifPresent(listener::changed);
        } finally {
            reporting.unlock();
        }
    }

    /**
     * Asks the peer for the state of the task.
     *
     * @return the newest known state after that
     * @throws IllegalStateException if the peer made no task
     */
    public Task refresh() throws InterruptedException {
        answered(tasks.peer().get(name()));
        return known().orElseThrow();
    }

    /**
     * Asks the peer to cancel the task; callers that wait for it get a {@link
     * TaskCancelledException}.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if it has ended
     * @throws IllegalStateException if the peer made no task
     */
    public void cancel() throws InterruptedException {
        Task cancelled = tasks.peer().cancel(name());
        answered(cancelled);
        if (cancelled.status() == TaskStatus.CANCELLED) {
            fail(cancelled(cancelled));
        }
    }

    /**
     * Cancels a task that its requestor no longer needs, and stops watching it. Returns at once; a
     * refusal or loss of the peer is only logged.
     */
    public void abandon() {
        tasks.forget(this);
        if (id != null) {
            Thread.ofVirtual().name("mcp-task-cancel").start(this::cancelQuietly);
        }
    }

    private void cancelQuietly() {
        try {
            cancel();
            LOGGER.log(Level.DEBUG, "Task {0} was cancelled: no caller waits for it", printable());
        } catch (CallException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.INFO,
                    "",
                    "Task {0} continues although no caller waits for it: {1}",
                    printable(),
                    Printable.excerpt(e.getMessage()));
        } catch (InterruptedException e) { // no code interrupts this thread
            Thread.currentThread().interrupt();
        } finally {
            fail(new ConnectionException("no caller waits for task " + name() + " any more"));
        }
    }

    /** Watches the task until it has ended, by one thread for any number of calls. */
    public void watch() {
        if (watch.get() != null || state.hasEnded()) {
            return;
        }
        Thread thread =
                Thread.ofVirtual()
                        .name("mcp-task-watch-" + printable())
                        .unstarted(new TaskWatch(tasks, this, state));
        if (watch.compareAndSet(null, thread)) {
            tasks.watch(name(), this);
            thread.start();
        }
    }

    /**
     * Waits for the end of the task. A limit and an interrupt end the wait and nothing else. A peer
     * that cannot be reached, or fails, is asked again until the time to live of the task is over.
     *
     * @param limit null for as long as the task lives
     * @param listener receives progress on this thread; null for none
     * @return the result as it came
     * @throws dev.fairlead.jsonrpc.RequestTimeoutException if the task has not ended in time
     * @throws TaskCancelledException if it was cancelled
     * @throws dev.fairlead.tasks.TaskExpiredException if it has expired, or is unknown to the peer
     * @throws dev.fairlead.jsonrpc.JsonRpcException if it ended with this error
     * @throws dev.fairlead.jsonrpc.ConnectionException if the peer cannot be reached any more
     */
    public RawJson await(@Nullable Duration limit, @Nullable ProgressListener listener)
            throws InterruptedException {
        watch();
        return state.await(limit, listener);
    }

    // ---- for the watch and the sources of changes

    TaskId name() {
        return id().orElseThrow(() -> new IllegalStateException("the peer made no task"));
    }

    /** Returns the id, for logs. */
    String printable() {
        return Printable.excerpt(name().value());
    }

    void named(TaskId name) {
        id = name;
    }

    void created(CreateTaskResult made) {
        named(made.task().id());
        creation = made;
        answered(made.task());
        LOGGER.log(Level.DEBUG, "Task {0} was created", printable());
    }

    /** Takes the peer's answer. */
    void answered(Task task) {
        tasks.looks().add(task);
        report(task);
    }

    /**
     * Takes the task of a notification as a hint: it never replaces a newer state, and is not
     * trusted as the outcome.
     */
    void hint(Task task) {
        if (report(task) && task.status() != TaskStatus.WORKING) {
            state.hint(true);
        }
    }

    /** Looks at the task soon. */
    void lookNow() {
        state.hint(true);
    }

    /** Takes a report of the task; false if it changes nothing. */
    boolean report(Task task) {
        reporting.lock();
        try {
            RemoteTaskState.StatusChange change = state.report(task);
            if (change == RemoteTaskState.StatusChange.LOUD) {
                LOGGER.log(Level.DEBUG, () -> "Task " + printable() + " is " + task.status());
                listeners.forEach(listener -> listener.changed(task));
            }
            return change != RemoteTaskState.StatusChange.NONE;
        } finally {
            reporting.unlock();
        }
    }

    void progress(Progress progress) {
        state.progress(progress);
        listeners.forEach(listener -> listener.progressed(progress));
    }

    /** Returns whether a caller waits in {@link #await}, and no listener wants every change. */
    boolean isOnlyAwaited() {
        return state.isAwaited() && listeners.stream().noneMatch(Listener::wantsEveryChange);
    }

    void end(RawJson value) {
        ended(value, null);
    }

    void fail(RuntimeException cause) {
        ended(null, cause);
    }

    /** Ends the task; only the first call counts. */
    private void ended(@Nullable RawJson value, @Nullable RuntimeException cause) {
        tasks.forget(this); // first: no listener gets a change after the outcome
        boolean first = state.end(value, cause);
        Thread watching = watch.get(); // a watch that begins later sees the end
        if (first && watching != null && watching != Thread.currentThread()) {
            watching.interrupt();
        }
    }

    static TaskCancelledException cancelled(Task task) {
        return new TaskCancelledException(task.id(), task.statusMessage(), null);
    }
}
