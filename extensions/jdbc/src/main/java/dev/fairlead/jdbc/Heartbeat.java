package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.PostgresEngine;
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
import java.util.function.Consumer;

/**
 * Runs the beats of a node on a thread of its own: each renews its lease, and does the work that
 * follows from the death of others, such as the {@link OrphanRecovery}. The node and its listeners
 * are notified of the outcome on another thread: one that blocks or fails does not stop the
 * heartbeat. Until all were notified no more work is taken over.
 */
final class Heartbeat {
    private static final Logger LOG = System.getLogger(Heartbeat.class.getName());

    /** How long {@link #close} waits for events that are being delivered. */
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final Pulse pulse;
    private final Membership membership;
    private final Recovery recovery;
    private final HeartbeatThread beats;
    private volatile @Nullable Thread delivery;

    /**
     * @param name the prefix of the names of its threads
     */
    Heartbeat(
            String name, Pulse pulse, Membership membership, Recovery recovery, Duration interval) {
        this.name = name;
        this.pulse = pulse;
        this.membership = membership;
        this.recovery = recovery;
        this.beats = new HeartbeatThread(name + "-beat", interval, this::beat, pulse::reset);
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

        /** The pulse that fits a database. */
        static Pulse of(Engine engine, NodeTable nodes, Duration lease) {
            return engine instanceof PostgresEngine postgres
                    ? new PostgresPulse(postgres, nodes, lease)
                    : new SqlitePulse(engine);
        }
    }

    /** The work of each beat after the lease was renewed. */
    @FunctionalInterface
    interface Recovery {
        /**
         * @param notifications takes the notifications for the node, also those of steps before a
         *     failure
         */
        void settle(Consumer<Runnable> notifications) throws SQLException;
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
                delivery = Thread.ofVirtual().name(name + "-events").start(() -> runAll(events));
            }
        }
    }

    private static void runAll(List<Runnable> events) {
        for (Runnable one : events) {
            try {
                one.run();
            } catch (Throwable e) { // the others run nevertheless
                LimitedLog.failed(
                        LOG,
                        Level.WARNING,
                        "",
                        e,
                        "This node did not take a report of its heartbeat");
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
