package dev.fairlead.jdbc;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;

import dev.fairlead.jdbc.engine.PlatformThread;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;

import javax.sql.DataSource;

/**
 * Has db-scheduler sweep a space again and again, on one of its nodes at a time; when that one dies
 * another continues.
 */
final class Sweeps implements AutoCloseable {
    static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT = Duration.ofSeconds(3);
    private static final int MISSED_HEARTBEATS = 4;
    private static final Duration STOPPING = Duration.ofSeconds(5);

    private final Scheduler scheduler;

    /**
     * Prepares sweeps.
     *
     * @param time goes by the same clock on all nodes: what is due is stored for all of them
     */
    Sweeps(DataSource source, String space, Supplier<Instant> time, Runnable sweep) {
        RecurringTask<Void> recurring =
                Tasks.recurring("sweep-" + space, FixedDelay.of(INTERVAL))
                        .execute((instance, context) -> sweep.run());
        this.scheduler =
                Scheduler.create(source)
                        .startTasks(recurring)
                        .tableName("mcp_scheduled")
                        .schedulerName(new SchedulerName.Fixed(UUID.randomUUID().toString()))
                        .clock(time::get)
                        .threads(1)
                        .pollingInterval(POLL)
                        .heartbeatInterval(HEARTBEAT)
                        .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                        .shutdownMaxWait(STOPPING)
                        .build();
    }

    /** Its start stores when the first sweep is due, on the thread that calls. */
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
