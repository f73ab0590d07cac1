package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.base.Progress;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** A request that waits for a task to end, with its open stream. */
final class Waiter {
    /** The number of checks of the connections of other deliveries after a caller has come. */
    static final int CHECKS = 3;

    private final TaskCarrier stream;
    private final Wake wake = new Wake();
    private volatile int checks = CHECKS; // thread that matches
    private volatile boolean broken;
    private volatile boolean ended;
    private volatile @Nullable TaskOutcome outcome;
    private StoredTask sent; // guarded by this
    private double progress; // guarded by this

    /**
     * @param now the task at the start of the request
     */
    Waiter(TaskCarrier stream, StoredTask now) {
        this.stream = stream;
        this.sent = now;
        this.progress = now.progress() == null ? Double.NEGATIVE_INFINITY : now.progress();
    }

    TaskCarrier stream() {
        return stream;
    }

    void wake() {
        wake.wake();
    }

    /**
     * Ends the wait, since the task has ended.
     *
     * @param stored the outcome; null if it is to be read from the store
     */
    void end(@Nullable TaskOutcome stored) {
        outcome = stored;
        ended = true;
        wake.wake();
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns the outcome, if it was passed to {@link #end}. */
    @Nullable TaskOutcome outcome() {
        return outcome;
    }

    void await() throws InterruptedException {
        wake.await();
    }

    /**
     * Returns whether the request has just come, so that other deliveries of its questions are
     * checked.
     */
    boolean isStarting() {
        return checks > 0;
    }

    void checked() {
        checks = Math.max(0, checks - 1);
    }

    /** Marks the stream as broken, since it has failed to deliver a question. */
    void breakStream() {
        broken = true;
    }

    /**
     * Returns whether messages on the stream reach the requestor, at once or after it reconnects.
     */
    boolean isReachable() {
        return !broken && stream.isOpen();
    }

    /** Returns whether messages on the stream reach the requestor at once, as far as is known. */
    boolean isConnected() {
        return isReachable() && stream.isConnected();
    }

    /** Sends changes since the last time, from any node. */
    void sendState(StoredTask task) {
        if (hasChanged(task)) {
            stream.changed(task);
        }
    }

    /** Sends the progress that another node has stored. */
    void sendProgress(StoredTask task) {
        Double reached = task.progress();
        if (reached != null) {
            sendProgress(task, new Progress(reached, null, null));
        }
    }

    /** Sends progress, unless it is no greater than the last one sent. */
    void sendProgress(StoredTask task, Progress report) {
        synchronized (this) {
            if (report.progress() <= progress) {
                return;
            }
            progress = report.progress();
        }
        stream.progressed(task, report);
    }

    private synchronized boolean hasChanged(StoredTask task) {
        StoredTask before = sent;
        boolean same =
                task.state() == before.state()
                        && Objects.equals(task.statusMessage(), before.statusMessage());
        if (same || task.lastUpdatedAt().isBefore(before.lastUpdatedAt())) {
            return false;
        }
        sent = task;
        return true;
    }
}
