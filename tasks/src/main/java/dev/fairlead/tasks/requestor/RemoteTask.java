package dev.fairlead.tasks.requestor;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.CreateTaskResult;
import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.ProgressListener;
import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.TaskStatus;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskCancelledException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A task at the peer, or the ordinary result of a peer that made none (TASK-027): what is known of
 * it, and those who wait for it. Its {@link TaskWatch} brings the news. Thread-safe.
 */
public final class RemoteTask {
    /** How many reports may wait for a slow listener; of more, the oldest are dropped. */
    static final int PROGRESS_LIMIT = 64;

    private static final System.Logger LOGGER = System.getLogger(RemoteTask.class.getName());

    private final RemoteTasks tasks;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // guarded by lock
    private final ArrayDeque<Progress> reports = new ArrayDeque<>();
    private @Nullable TaskId id;
    private @Nullable CreateTaskResult creation;
    private @Nullable Task known;
    private @Nullable RawJson result;
    private @Nullable RuntimeException failure;
    private @Nullable Thread watch;
    private int waiting;
    private boolean hinted;

    RemoteTask(RemoteTasks tasks) {
        this.tasks = tasks;
    }

    /**
     * Hears what is told of a task, on the threads that bring it: must return soon, and run code of
     * users elsewhere.
     */
    public interface Listener {
        /** Status, status message or times have changed; never goes back (TASK-073). */
        default void changed(Task task) {}

        /** The peer reports progress. */
        default void progressed(Progress progress) {}

        /**
         * Whether changes matter so much that the peer is to be asked for them all the time. Where
         * no listener wants that, somebody who waits for the task hears only of changes that the
         * peer tells by itself.
         */
        default boolean wantsEveryChange() {
            return false;
        }
    }

    // ---- for the requestor

    /** Its name; empty where the peer answered with an ordinary result. */
    public Optional<TaskId> id() {
        return locked(() -> Optional.ofNullable(id));
    }

    /** What the peer answered when it was created; empty where that was elsewhere, or not. */
    public Optional<CreateTaskResult> created() {
        return locked(() -> Optional.ofNullable(creation));
    }

    /** What was told of it last; empty before the first news of a task that was resumed. */
    public Optional<Task> known() {
        return locked(() -> Optional.ofNullable(known));
    }

    /** The ordinary result, or that of the task, if it is here already. */
    public Optional<RawJson> result() {
        return locked(() -> Optional.ofNullable(result));
    }

    /** Has a listener hear from now on. */
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /**
     * Asks the peer how the task stands.
     *
     * @return the newest that is known after that
     * @throws IllegalStateException if the peer made no task
     */
    public Task refresh() throws InterruptedException {
        told(tasks.peer().get(name()));
        return known().orElseThrow();
    }

    /**
     * Asks the peer to cancel the task; who waits for it gets a {@link TaskCancelledException}.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if it has ended
     * @throws IllegalStateException if the peer made no task
     */
    public void cancel() throws InterruptedException {
        Task cancelled = tasks.peer().cancel(name());
        told(cancelled);
        if (cancelled.status() == TaskStatus.CANCELLED) {
            fail(cancelled(cancelled));
        }
    }

    /** Has the task watched until it has ended, by one thread, however often this is called. */
    public void watch() {
        Optional<TaskId> name = id();
        Thread thread =
                Thread.ofVirtual()
                        .name("mcp-task-watch-" + name.map(TaskId::value).orElse(""))
                        .unstarted(new TaskWatch(tasks, this));
        boolean begins =
                locked(
                        () -> {
                            boolean first = watch == null && !hasEnded();
                            watch = first ? thread : watch;
                            return first;
                        });
        if (begins) {
            tasks.watch(name(), this);
            thread.start();
        }
    }

    /**
     * Waits for the end of the task. A limit and an interrupt end the wait and nothing else.
     *
     * @param limit null for as long as the task lives
     * @param listener hears progress on this thread; null where nobody does
     * @return the result as it came
     * @throws RequestTimeoutException if the task has not ended in time
     * @throws TaskCancelledException if it was cancelled
     * @throws dev.fairlead.tasks.TaskExpiredException if the peer knows it no more
     * @throws dev.fairlead.jsonrpc.JsonRpcException if it ended with this error
     * @throws dev.fairlead.jsonrpc.ConnectionException if the peer cannot be reached any more
     */
    public RawJson await(@Nullable Duration limit, @Nullable ProgressListener listener)
            throws InterruptedException {
        watch();
        boolean[] late = new boolean[1]; // guarded by lock
        Timers.Timer timer =
                limit == null ? () -> {} : tasks.timers().schedule(limit, () -> signal(late));
        waits(1);
        try {
            Progress report = next(late, listener);
            while (report != null) {
                tell(Objects.requireNonNull(listener), report);
                report = next(late, listener);
            }
            return outcome(limit);
        } finally {
            waits(-1);
            timer.cancel();
        }
    }

    /** A listener that fails must not end the wait. */
    private static void tell(ProgressListener listener, Progress report) {
        try {
            listener.progress(report);
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, "A progress listener failed", e);
        }
    }

    private void waits(int more) {
        locked(
                () -> {
                    waiting += more;
                    changed.signalAll();
                    return null;
                });
    }

    private void signal(boolean[] flag) {
        locked(
                () -> {
                    flag[0] = true;
                    changed.signalAll();
                    return null;
                });
    }

    /** The next report for a listener; null when there is nothing to wait for any more. */
    private @Nullable Progress next(boolean[] late, @Nullable ProgressListener listener)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while ((listener == null || reports.isEmpty()) && !late[0] && !hasEnded()) {
                changed.await();
            }
            return listener == null ? null : reports.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private RawJson outcome(@Nullable Duration limit) {
        return locked(
                () -> {
                    if (failure != null) {
                        throw failure;
                    }
                    if (result == null) {
                        throw new RequestTimeoutException(
                                "task " + id + " has not ended within " + limit + "; it goes on");
                    }
                    return result;
                });
    }

    // ---- for the watch, and for what brings news

    TaskId name() {
        return id().orElseThrow(() -> new IllegalStateException("the peer made no task"));
    }

    void named(TaskId name) {
        locked(() -> id = name);
    }

    void created(CreateTaskResult made) {
        named(made.task().id());
        locked(() -> creation = made);
        told(made.task());
        LOGGER.log(Level.DEBUG, "Task {0} was created", made.task().id());
    }

    /** Takes what a notification says: it moves nothing backwards, and proves nothing. */
    void hint(Task task) {
        if (told(task) && task.status() != TaskStatus.WORKING) {
            locked(
                    () -> {
                        hinted = true;
                        changed.signalAll();
                        return null;
                    });
        }
    }

    /** Takes what is told of the task; false if that is no news. */
    boolean told(Task task) {
        boolean news =
                locked(
                        () -> {
                            boolean newer = isNews(known, task);
                            known = newer ? task : known;
                            return newer;
                        });
        if (news) {
            LOGGER.log(Level.DEBUG, () -> "Task " + task.id() + " is " + task.status());
            listeners.forEach(listener -> listener.changed(task));
        }
        return news;
    }

    /** Whether a telling is newer than another, and not the same (TASK-073). */
    static boolean isNews(@Nullable Task known, Task told) {
        if (known == null) {
            return true;
        }
        if (known.status().isTerminal() || known.equals(told)) {
            return false;
        }
        return told.status().isTerminal() || !told.lastUpdatedAt().isBefore(known.lastUpdatedAt());
    }

    void progress(Progress progress) {
        locked(
                () -> {
                    if (reports.size() == PROGRESS_LIMIT) {
                        reports.removeFirst();
                    }
                    reports.addLast(progress);
                    changed.signalAll();
                    return null;
                });
        listeners.forEach(listener -> listener.progressed(progress));
    }

    /** Whether somebody waits in {@link #await}, and nobody wants to hear of every change. */
    boolean isOnlyAwaited() {
        return locked(() -> waiting > 0)
                && listeners.stream().noneMatch(Listener::wantsEveryChange);
    }

    /** Whether a notification gave reason to look at the task, since the last {@link #pause}. */
    boolean isHinted() {
        return locked(() -> hinted);
    }

    /**
     * Waits for a while, or until the task has ended.
     *
     * @param sooner whether to end the wait at once; judged when something about the task changes
     */
    void pause(Duration duration, BooleanSupplier sooner) throws InterruptedException {
        boolean[] over = new boolean[1]; // guarded by lock
        Timers.Timer timer = tasks.timers().schedule(duration, () -> signal(over));
        lock.lockInterruptibly();
        try {
            while (!over[0] && !hasEnded() && !sooner.getAsBoolean()) {
                changed.await();
            }
            hinted = false;
        } finally {
            lock.unlock();
            timer.cancel();
        }
    }

    private boolean hasEnded() {
        return result != null || failure != null;
    }

    void end(RawJson value) {
        ended(value, null);
    }

    void fail(RuntimeException cause) {
        ended(null, cause);
    }

    /** Only the first end counts. */
    private void ended(@Nullable RawJson value, @Nullable RuntimeException cause) {
        tasks.forget(this); // first: whoever has the outcome hears nothing more
        Thread watching =
                locked(
                        () -> {
                            if (hasEnded()) {
                                return null;
                            }
                            result = value;
                            failure = cause;
                            changed.signalAll();
                            return watch;
                        });
        if (watching != null && watching != Thread.currentThread()) {
            watching.interrupt();
        }
    }

    static TaskCancelledException cancelled(Task task) {
        return new TaskCancelledException(task.id(), task.statusMessage(), null);
    }

    private interface Locked<T extends @Nullable Object> {
        T run();
    }

    private <T extends @Nullable Object> T locked(Locked<T> action) {
        lock.lock();
        try {
            return action.run();
        } finally {
            lock.unlock();
        }
    }
}
