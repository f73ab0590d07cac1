package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Looks at all tasks of the node once a second, while there are any, for what is due: their expiry,
 * the limit of their run, and now and then whether a signal was lost. What is due within that
 * second gets a timer of its own. So a task that waits costs no timer.
 */
final class Pulse {
    /** The time between two looks. */
    static final Duration BEAT = Duration.ofSeconds(1);

    /** Whoever waits for a signal that may be lost looks by himself once in so many beats. */
    static final int ROUND = 30;

    private final Timers timers;
    private final LocalTasks locals;
    private final Deliveries deliveries;
    private final Consumer<LocalTask> round;
    private final AtomicBoolean beating = new AtomicBoolean();
    private volatile boolean closed;
    private long beats; // thread of the timers

    /**
     * @param round to have a task looked at because signals may be lost
     */
    Pulse(Timers timers, LocalTasks locals, Deliveries deliveries, Consumer<LocalTask> round) {
        this.timers = timers;
        this.locals = locals;
        this.deliveries = deliveries;
        this.round = round;
    }

    /** A task is new here, or has a new limit. */
    void watch(LocalTask local) {
        setTimer(local, timers.clock().millis());
        begin();
    }

    private void begin() {
        if (!closed && beating.compareAndSet(false, true)) {
            timers.schedule(BEAT, this::beat);
        }
    }

    private void beat() {
        long now = timers.clock().millis();
        int turn = Math.floorMod(++beats, ROUND);
        for (LocalTask local : locals.all()) {
            setTimer(local, now);
            if (Math.floorMod(local.id().hashCode(), ROUND) == turn) {
                round.accept(local);
            }
        }
        beating.set(false);
        if (!locals.isEmpty()) {
            begin();
        }
    }

    private void setTimer(LocalTask local, long now) {
        long left = next(local) - now;
        if (left <= BEAT.toMillis()) {
            timers.schedule(Duration.ofMillis(Math.max(0, left)), () -> due(local));
        }
    }

    private static long next(LocalTask local) {
        RunLimit limit = local.run().map(Run::time).map(RunTime::limit).orElse(null);
        return limit == null ? local.expiry() : Math.min(local.expiry(), limit.due());
    }

    private void due(LocalTask local) {
        long now = timers.clock().millis();
        if (local.expiry() <= now) {
            local.expiry(now + BEAT.toMillis()); // the clock of the store may be behind
            deliveries.match(local);
        }
        local.run().ifPresent(run -> run.time().check(now));
    }

    /** Looks no more. */
    void close() {
        closed = true;
    }
}
