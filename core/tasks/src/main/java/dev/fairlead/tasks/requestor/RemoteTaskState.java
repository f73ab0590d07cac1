package dev.fairlead.tasks.requestor;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Monitor;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.WaitDeadline;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The known state of a task of the peer, and the callers that wait for its end. Thread-safe. */
final class RemoteTaskState {
    /**
     * The number of reports that may wait for a slow listener; beyond it, the oldest are dropped.
     */
    static final int PROGRESS_LIMIT = 64;

    private static final System.Logger LOGGER = System.getLogger(RemoteTaskState.class.getName());

    private final Monitor monitor;
    // guarded by monitor
    private final ArrayDeque<Progress> reports = new ArrayDeque<>();
    private @Nullable Task known;
    private @Nullable CallException trouble; // the reason why the peer does not report
    private @Nullable RawJson result;
    private @Nullable RuntimeException failure;
    private int waiting;
    private boolean hinted;

    RemoteTaskState(Timers timers) {
        this.monitor = new Monitor(timers);
    }

    // ---- known state

    Optional<Task> known() {
        return monitor.read(() -> Optional.ofNullable(known));
    }

    Optional<RawJson> result() {
        return monitor.read(() -> Optional.ofNullable(result));
    }

    boolean hasEnded() {
        return monitor.read(() -> result != null || failure != null);
    }

    /** Returns whether a caller waits in {@link #await}. */
    boolean isAwaited() {
        return monitor.read(() -> waiting > 0);
    }

    /** Returns whether a notification gave reason to look at the task. */
    boolean isHinted() {
        return monitor.read(() -> hinted);
    }

    // ---- reports

    /** The effect of a report. */
    enum StatusChange {
        /** No effect. */
        NONE,
        /** A change that listeners do not receive, such as the moment of the last change. */
        QUIET,
        /** A change of the status or the status message. */
        LOUD
    }

    /** Takes a report of the task, unless it is older than the known state. */
    StatusChange report(Task task) {
        return monitor.changing(
                () -> {
                    Task before = known;
                    if (!isNewer(before, task)) {
                        return StatusChange.NONE;
                    }
                    known = task;
                    return isLoud(before, task) ? StatusChange.LOUD : StatusChange.QUIET;
                });
    }

    /** Returns whether a report is newer than the known state, and differs from it. */
    private static boolean isNewer(@Nullable Task known, Task reported) {
        if (known == null) {
            return true;
        }
        if (known.status().isTerminal() || known.equals(reported)) {
            return false;
        }
        return reported.status().isTerminal()
                || !reported.lastUpdatedAt().isBefore(known.lastUpdatedAt());
    }

    private static boolean isLoud(@Nullable Task before, Task now) {
        return before == null
                || before.status() != now.status()
                || !Objects.equals(before.statusMessage(), now.statusMessage());
    }

    /** Sets or clears a reason to look at the task. */
    void hint(boolean reason) {
        monitor.change(() -> hinted = reason);
    }

    /** Sets the reason why the peer does not report the task; null if it does. */
    void troubled(@Nullable CallException why) {
        monitor.change(() -> trouble = why);
    }

    void progress(Progress progress) {
        monitor.change(
                () -> {
                    if (reports.size() == PROGRESS_LIMIT) {
                        reports.removeFirst();
                    }
                    reports.addLast(progress);
                });
    }

    /** Takes the result, or the reason why there is none; false if the task had ended already. */
    boolean end(@Nullable RawJson value, @Nullable RuntimeException cause) {
        return monitor.changing(
                () -> {
                    if (hasEnded()) {
                        return false;
                    }
                    result = value;
                    failure = cause;
                    return true;
                });
    }

    // ---- waiting

    /** Waits for the end, see {@link RemoteTask#await}. */
    RawJson await(@Nullable Duration limit, @Nullable ProgressListener listener)
            throws InterruptedException {
        try (WaitDeadline over = monitor.deadline(limit)) {
            monitor.change(() -> waiting++);
            try {
                Progress report = next(over, listener);
                while (report != null) {
                    notify(Objects.requireNonNull(listener), report);
                    report = next(over, listener);
                }
                return outcome(limit);
            } finally {
                monitor.change(() -> waiting--);
            }
        }
    }

    /** Calls a listener, whose failure must not end the wait. */
    private static void notify(ProgressListener listener, Progress report) {
        try {
            listener.progress(report);
        } catch (RuntimeException e) {
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "A progress listener failed");
        }
    }

    /** Returns the next report for a listener; null if there is nothing to wait for any more. */
    private @Nullable Progress next(WaitDeadline over, @Nullable ProgressListener listener)
            throws InterruptedException {
        monitor.await(() -> (listener != null && !reports.isEmpty()) || hasEnded(), over);
        return listener == null ? null : monitor.read(reports::pollFirst);
    }

    private RawJson outcome(@Nullable Duration limit) {
        return monitor.read(
                () -> {
                    if (failure != null) {
                        throw failure instanceof CallException call
                                ? call.withCallerStack()
                                : failure;
                    }
                    if (result == null) {
                        throw tooLate(limit);
                    }
                    return result;
                });
    }

    private RequestTimeoutException tooLate(@Nullable Duration limit) {
        String name = known == null ? "the task" : "task " + known.id();
        if (trouble == null) {
            return new RequestTimeoutException(
                    name + " did not end" + within(limit) + "; it continues");
        }
        RequestTimeoutException late =
                new RequestTimeoutException(
                        "no result of "
                                + name
                                + within(limit)
                                + "; last error: "
                                + trouble.getMessage());
        late.addSuppressed(trouble);
        return late;
    }

    private static String within(@Nullable Duration limit) {
        return limit == null ? "" : " within " + Durations.text(limit);
    }

    /**
     * Waits for a while, or until the task has ended.
     *
     * @param sooner whether to end the wait at once; judged when something about the task changes
     */
    void pause(Duration duration, BooleanSupplier sooner) throws InterruptedException {
        monitor.await(() -> hasEnded() || sooner.getAsBoolean(), duration);
    }
}
