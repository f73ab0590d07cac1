package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskRun;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** A run on this node, from the creation of its task until its handler has stopped. Thread-safe. */
final class Run {
    /** A job that the task is to wait for. */
    record Parking(String job, @Nullable Duration pollEvery) {}

    private final TaskRun key;
    private final RawJson origin;
    private final LocalTask local;
    private final Timers timers;
    private final Consumer<Run> gone;
    private final Quota.Share place;
    private final Interrupts interrupts = new Interrupts();
    private final RunTime time;
    private volatile StoredTask task;
    private volatile boolean stored;
    private volatile boolean reported;
    private boolean begun; // guarded by this
    private boolean taken; // guarded by this
    private int lastOrdinal; // guarded by this
    private volatile List<QuestionBatch> asking = List.of(); // written under this
    private volatile @Nullable Progression progression; // made under this, when first needed
    private volatile @Nullable Parking parking;

    /**
     * Creates a run that is yet to begin.
     *
     * @param place among the runs of this node, taken already
     * @param gone called when its handler has stopped, or will never begin
     */
    Run(
            StoredTask task,
            RawJson origin,
            Quota.Share place,
            LocalTask local,
            Timers timers,
            Consumer<Run> gone) {
        this.key = task.key();
        this.task = task;
        this.origin = origin;
        this.place = place;
        this.local = local;
        this.timers = timers;
        this.gone = gone;
        this.time = new RunTime(timers);
    }

    TaskRun key() {
        return key;
    }

    /** Returns the place among the runs of this node. */
    Quota.Share place() {
        return place;
    }

    /** Returns the name of the item that the task runs, such as the tool. */
    String name() {
        return task.name();
    }

    StoredTask task() {
        return task;
    }

    RawJson origin() {
        return origin;
    }

    LocalTask local() {
        return local;
    }

    Interrupts interrupts() {
        return interrupts;
    }

    RunTime time() {
        return time;
    }

    // ---- its life

    /** Begins the run; false if it has begun or was stopped before. */
    synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /**
     * Claims the run for the current thread, to run it or to give it up; false if another did so
     * before.
     */
    synchronized boolean take() {
        boolean first = !taken;
        taken = true;
        return first;
    }

    /** Sets the task as the store has it, known only after the run was created. */
    void stored(StoredTask created) {
        task = created;
        stored = true;
    }

    /**
     * Returns whether the task is known to be stored: before that it may be missing in the store.
     */
    boolean isStored() {
        return stored;
    }

    /** Returns whether its handler has not ended yet. */
    boolean isAtWork() {
        return !interrupts.isOver();
    }

    boolean isStopped() {
        return interrupts.isStopped();
    }

    /** Returns whether there is nothing to send to a new waiter. */
    boolean isQuiet() {
        return !isAsking() && !reported && isAtWork();
    }

    /** Requests the handler to stop; one that has not begun never runs. */
    void stop(String reason) {
        if (interrupts.stop(reason)) {
            wake(); // threads that ask need not be that of the run
            if (begin()) {
                gone();
            }
        }
    }

    /** Ends the run: its handler has stopped, or will never begin. */
    void gone() {
        gone.accept(this);
    }

    /** Returns the exception for a run that no longer holds its task. */
    InterruptedException lost() {
        interrupts.stop(Interrupts.ENDED);
        Thread.interrupted();
        return new InterruptedException(Interrupts.ENDED);
    }

    /** Returns whether its handler has neither ended nor is to stop. */
    boolean isToContinue() {
        return !isStopped() && isAtWork();
    }

    void throwIfStopped() throws InterruptedException {
        if (!isToContinue()) {
            Thread.interrupted();
            throw new InterruptedException(interrupts.reason().orElse(null));
        }
    }

    /**
     * Ends the time limit, since the handler has stopped; waits until {@link RunTime} no longer
     * ends the task.
     */
    void stopped() {
        wake(); // other threads may still ask
        time.stopped();
        Progression known = progression;
        if (known != null) {
            known.stop();
        }
    }

    // ---- reports

    /** Records that the handler is about to report something. */
    void reports() {
        reported = true;
    }

    /** Returns the progress of the run, which is forwarded to a receiver. */
    Progression progression(Consumer<Progress> receiver) {
        Progression known = progression;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            if (progression == null) {
                progression = new Progression(timers, task.progress(), receiver);
            }
            return Objects.requireNonNull(progression);
        }
    }

    /** Forwards pending progress; returns when the receiver has all. */
    void flush() {
        Progression known = progression;
        if (known != null) {
            known.flush();
        }
    }

    // ---- questions

    /** Returns the ordinal of the first of a number of questions. */
    synchronized int firstOrdinal(int questions) {
        int first = lastOrdinal + 1;
        lastOrdinal += questions;
        return first;
    }

    /** Adds questions, unless a check of all open questions throws. */
    synchronized void add(QuestionBatch batch, Consumer<List<QuestionBatch>> check) {
        List<QuestionBatch> all = new ArrayList<>(asking);
        all.add(batch);
        check.accept(all);
        asking = List.copyOf(all);
    }

    synchronized void remove(QuestionBatch batch) {
        asking = asking.stream().filter(other -> other != batch).toList();
    }

    boolean isAsking() {
        return !asking.isEmpty();
    }

    /** Wakes the threads that ask, since the task has changed. */
    void wake() {
        asking.forEach(QuestionBatch::wake);
    }

    // ---- outside jobs

    @Nullable Parking parking() {
        return parking;
    }

    void park(Parking onto) {
        parking = onto;
    }
}
