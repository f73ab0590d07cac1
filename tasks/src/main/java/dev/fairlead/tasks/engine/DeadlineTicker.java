package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskOutcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at all tasks of the node once a second, while there are any, for what is due: their expiry,
 * the limit of their run, questions whose connection broke, and now and then whether a signal was
 * lost. What is due within that second gets a timer of its own. So a task that waits costs no
 * timer.
 */
final class DeadlineTicker {
    /** The time between two looks. */
    static final Duration BEAT = Duration.ofSeconds(1);

    /** Whoever waits for a signal that may be lost looks by himself once in so many beats. */
    static final int ROUND = 30;

    private final Timers timers;
    private final LocalTasks locals;
    private final Deliveries deliveries;
    private final Ending ending;
    private final SignalListener listener;
    private final AtomicBoolean beating = new AtomicBoolean();
    private volatile boolean closed;
    private long beats; // thread of the timers

    DeadlineTicker(
            Timers timers,
            LocalTasks locals,
            Deliveries deliveries,
            Ending ending,
            SignalListener listener) {
        this.timers = timers;
        this.locals = locals;
        this.deliveries = deliveries;
        this.ending = ending;
        this.listener = listener;
    }

    /** A task is new here, or has a new limit. */
    void watch(LocalTask local) {
        setTimer(local);
        begin();
    }

    private void begin() {
        if (beating.compareAndSet(false, true)) {
            schedule();
        }
    }

    private void schedule() {
        if (!closed) {
            timers.schedule(BEAT, this::beat);
        }
    }

    private void beat() {
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
        if (!locals.isEmpty()) { // the flag stays: between clearing and setting it no beat is due
            schedule();
            return;
        }
        beating.set(false);
        if (!locals.isEmpty()) { // a task was added before the flag was cleared
            begin();
        }
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
        ending.conclude(run, outcome);
        run.stop(Reasons.OVERDUE);
    }

    /** Looks no more. */
    void close() {
        closed = true;
    }
}
