package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskOutcome;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks all tasks of the node once a second, while there are any: their expiry, the limit of their
 * run, questions whose connection broke, and every {@link #ROUND} seconds whether a signal was
 * lost. Only a deadline within the next second gets a timer of its own, so that a waiting task
 * costs no timer.
 */
final class DeadlineTicker {
    /** The time between two checks. */
    static final Duration BEAT = Duration.ofSeconds(1);

    /** The number of beats after which a task is checked for a signal that was lost. */
    static final int ROUND = 30;

    private static final String FAILED = "The deadlines of tasks could not be checked";

    private static final System.Logger LOGGER = System.getLogger(DeadlineTicker.class.getName());

    private final Timers timers;
    private final LocalTasks locals;
    private final QuestionDeliveries deliveries;
    private final TaskConclusion conclusion;
    private final SignalListener listener;
    private final AtomicBoolean beating = new AtomicBoolean();
    private final Runnable beat = this::beat;
    private volatile boolean closed;
    private long beats; // thread of the timers
    private int failures; // in a row; thread of the timers

    DeadlineTicker(
            Timers timers,
            LocalTasks locals,
            QuestionDeliveries deliveries,
            TaskConclusion conclusion,
            SignalListener listener) {
        this.timers = timers;
        this.locals = locals;
        this.deliveries = deliveries;
        this.conclusion = conclusion;
        this.listener = listener;
    }

    /** Checks a task that is new here, or has a new limit. */
    void watch(LocalTask local) {
        begin(); // before the steps that can run out of memory: a beat sets the timer too
        setTimer(local);
    }

    private void begin() {
        if (beating.compareAndSet(false, true)) {
            boolean scheduled = false;
            try {
                schedule();
                scheduled = true;
            } finally { // without memory another task, or this beat once more, begins
                beating.set(scheduled);
            }
        }
    }

    private void schedule() {
        if (!closed) {
            timers.schedule(BEAT, beat);
        }
    }

    private void beat() {
        try {
            look();
            failures = LastingLoop.succeeded(failures, FAILED);
        } catch (Throwable e) { // also after an error: the next beat must come
            failures = LastingLoop.failed(failures, FAILED);
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, FAILED);
        }
        if (!locals.isEmpty()) { // the flag stays: between clearing and setting it no beat is due
            schedule(); // without memory the timers repeat this beat
            return;
        }
        beating.set(false);
        if (!locals.isEmpty()) { // a task was added before the flag was cleared
            begin();
        }
    }

    private void look() {
        int turn = Math.floorMod(++beats, ROUND);
        List<LocalTask> ofThisTurn = new ArrayList<>();
        for (LocalTask local : locals.all()) {
            setTimer(local);
            if (local.isToBeMatched()) {
                deliveries.match(local);
            }
            if (Math.floorMod(local.id().hashCode(), ROUND) == turn) {
                ofThisTurn.add(local);
            }
        }
        listener.findChanged(ofThisTurn);
    }

    private void setTimer(LocalTask local) {
        long left = left(local);
        if (left <= BEAT.toNanos()) {
            timers.schedule(Duration.ofNanos(Math.max(0, left)), () -> due(local));
        }
    }

    private long left(LocalTask local) {
        long untilExpiry = local.expiry() - timers.clock().millis();
        long left = TimeUnit.MILLISECONDS.toNanos(untilExpiry);
        return local.run().map(run -> Math.min(left, run.time().left())).orElse(left);
    }

    private void due(LocalTask local) {
        long now = timers.clock().millis();
        if (local.expiry() <= now) {
            local.expiry(now + BEAT.toMillis()); // the clock of the store may be behind
            deliveries.match(local);
        }
        local.run().ifPresent(run -> run.time().check(outcome -> overdue(run, outcome)));
    }

    private void overdue(Run run, TaskOutcome outcome) {
        conclusion.conclude(run, outcome);
        run.stop(Interrupts.OVERDUE);
    }

    /** Stops the checks. */
    void close() {
        closed = true;
        LastingLoop.succeeded(Integer.MAX_VALUE, FAILED);
    }
}
