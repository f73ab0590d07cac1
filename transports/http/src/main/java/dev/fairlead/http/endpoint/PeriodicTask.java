package dev.fairlead.http.endpoint;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs periodic work on a virtual thread of its own, one round at a time; ends with its timers, or
 * before.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(PeriodicTask.class.getName());
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final ThreadFactory threads;
    private final Duration interval;
    private final Timers timers;
    private final Runnable work;
    private final Runnable next = this::next;
    private final Runnable start = this::start;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * @param name of the thread
     */
    public PeriodicTask(String name, Duration interval, Timers timers, Runnable work) {
        this(Thread.ofVirtual().name(name).factory(), interval, timers, work);
    }

    PeriodicTask(ThreadFactory threads, Duration interval, Timers timers, Runnable work) {
        this.threads = threads;
        this.interval = interval;
        this.timers = timers;
        this.work = work;
    }

    /** Returns an interval that is often enough for the shortest timeout of the settings. */
    public static Duration interval(Settings settings) {
        Duration interval = LONGEST;
        for (Duration wait :
                List.of(
                        settings.heartbeat,
                        settings.streamAfter,
                        settings.resumeWithin,
                        settings.sessionIdleTimeout)) {
            Duration half = wait.dividedBy(2);
            interval = half.compareTo(interval) < 0 ? half : interval;
        }
        return interval.compareTo(SHORTEST) < 0 ? SHORTEST : interval;
    }

    /** Schedules the next round, and after it all others. */
    public void start() {
        timers.schedule(interval, next);
    }

    private void next() {
        if (closed) {
            return;
        }
        LastingLoop.schedule(start); // first, also if this round fails
        if (running.compareAndSet(false, true)) {
            try {
                threads.newThread(this::round).start();
            } catch (Throwable e) { // as if the system has no more threads
                running.set(false);
                LimitedLog.failed(
                        LOGGER,
                        System.Logger.Level.WARNING,
                        "",
                        e,
                        "A round of maintenance was skipped");
            }
        }
    }

    private void round() {
        try {
            work.run();
        } catch (Throwable e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "Periodic HTTP maintenance failed");
        } finally {
            running.set(false);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
