package dev.fairlead.jdbc;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;

import dev.fairlead.jdbc.engine.PlatformThread;
import dev.fairlead.protocol.time.Durations;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import javax.sql.DataSource;

/**
 * Has db-scheduler sweep a space again and again, on one of its nodes at a time; when that one dies
 * another continues.
 */
final class Sweeps implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Sweeps.class.getName());

    static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT = Duration.ofSeconds(3);
    private static final int MISSED_HEARTBEATS = 4;
    private static final Duration STOPPING = Duration.ofSeconds(5);

    /** The sweeps of other spaces are in the same table. */
    private static final Duration NEVER = Duration.ofDays(365_000);

    private final String space;
    private final Duration interval;
    private final AtomicBoolean failing = new AtomicBoolean();
    private final Scheduler scheduler;

    /**
     * Prepares sweeps.
     *
     * @param interval from the end of one sweep to the next
     * @param time follows the same clock on all nodes: the next sweep is stored for all of them
     */
    Sweeps(
            DataSource source,
            String space,
            Duration interval,
            Supplier<Instant> time,
            Runnable sweep) {
        this.space = space;
        this.interval = interval;
        RecurringTask<Void> recurring =
                Tasks.recurring("sweep-" + space, FixedDelay.of(interval))
                        .execute(
                                (instance, context) -> {
                                    failing.set(false);
                                    sweep.run();
                                });
        this.scheduler =
                Scheduler.create(source)
                        .startTasks(recurring)
                        .tableName("mcp_scheduled")
                        .schedulerName(new SchedulerName.Fixed(UUID.randomUUID().toString()))
                        .clock(time::get)
                        .threads(1)
                        .executorService(Executors.newSingleThreadExecutor(this::thread))
                        .pollingInterval(interval.compareTo(POLL) < 0 ? interval : POLL)
                        .heartbeatInterval(HEARTBEAT)
                        .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                        .shutdownMaxWait(STOPPING)
                        .deleteUnresolvedAfter(NEVER)
                        .build();
    }

    /**
     * An exception of db-scheduler while it takes a sweep ends the thread; the next poll has
     * another.
     */
    private Thread thread(Runnable work) {
        return Thread.ofPlatform()
                .daemon(false)
                .name("fairlead-sweeps-" + space)
                .uncaughtExceptionHandler((thread, failure) -> failed(failure))
                .unstarted(work);
    }

    private void failed(Throwable failure) {
        if (!failing.getAndSet(true)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Could not remove expired entries of {0}, and tries again every {1}: {2}",
                    space,
                    Durations.text(interval),
                    failure.getMessage());
        }
    }

    /** Starts the sweeps; stores when the first one is due, on the thread of the caller. */
    Sweeps started() throws SQLException {
        return PlatformThread.call(
                () -> {
                    scheduler.start();
                    return this;
                });
    }

    @Override
    public void close() {
        scheduler.stop();
    }
}
