package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the beats of a node on a thread of its own: each renews its lease, and runs the {@link
 * OrphanRecovery}. The node and its listeners are notified of the outcome on another thread: one
 * that blocks or fails does not stop the heartbeat. Until all were notified no more tasks are taken
 * over.
 */
final class Heartbeat {
    private static final Logger LOG = System.getLogger(Heartbeat.class.getName());

    /** How long {@link #close} waits for events that are being delivered. */
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(5);

    private final Pulse pulse;
    private final Membership membership;
    private final OrphanRecovery recovery;
    private final HeartbeatThread beats;
    private volatile @Nullable Thread delivery;

    Heartbeat(Pulse pulse, Membership membership, OrphanRecovery recovery, Duration interval) {
        this.pulse = pulse;
        this.membership = membership;
        this.recovery = recovery;
        this.beats = new HeartbeatThread("fairlead-tasks-beat", interval, this::beat, pulse::reset);
    }

    /** How the statements of a beat reach the database, each as a transaction of its own. */
    interface Pulse {
        /**
         * Renews the lease of the incarnation and marks expired nodes as dead; false if it was
         * declared dead itself.
         */
        boolean beat(long incarnation) throws SQLException;

        <T> T read(Work<T> work) throws SQLException;

        <T> T write(Work<T> statement) throws SQLException;

        /** Releases its connection; it may be used again. */
        void reset();
    }

    void start() {
        beats.start(false);
    }

    private void beat() throws SQLException {
        long incarnation = membership.incarnation();
        if (!pulse.beat(incarnation)) {
            membership.renew(incarnation);
        }
        Thread last = delivery;
        if (last != null && last.isAlive()) {
            return;
        }
        List<Runnable> events = new ArrayList<>();
        try {
            recovery.settle(events::add);
        } finally {
            if (!events.isEmpty()) {
                delivery =
                        Thread.ofVirtual()
                                .name("fairlead-tasks-events")
                                .start(() -> runAll(events));
            }
        }
    }

    private static void runAll(List<Runnable> events) {
        for (Runnable one : events) {
            try {
                one.run();
            } catch (Throwable e) { // the others run nevertheless
                LimitedLog.failed(
                        LOG, Level.WARNING, "", e, "A task could not be handed to this node");
            }
        }
    }

    /**
     * Stops; waits for a beat under way, also when interrupted, and up to a limit for the events it
     * delivers.
     */
    void close() {
        beats.stop();
        Thread last = delivery;
        if (last != null) {
            Uninterruptibly.await(() -> last.join(DELIVERY_TIMEOUT));
        }
    }
}
