package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node does with each beat, on a thread of its own: it says that it lives, and settles the
 * {@link OrphanRecovery}. What the node and its listeners are told of that they hear on another
 * thread: one that blocks or fails does not stop the heart. Until all was told nothing more is
 * taken over.
 */
final class Heartbeat {
    private static final Logger LOG = System.getLogger(Heartbeat.class.getName());

    /** How long {@link #close} waits for events that are being delivered. */
    private static final Duration TELLING = Duration.ofSeconds(5);

    private final Pulse pulse;
    private final Membership membership;
    private final OrphanRecovery succession;
    private final HeartbeatThread beats;
    private volatile @Nullable Thread delivery;

    Heartbeat(Pulse pulse, Membership membership, OrphanRecovery succession, Duration interval) {
        this.pulse = pulse;
        this.membership = membership;
        this.succession = succession;
        this.beats = new HeartbeatThread("fairlead-tasks-beat", interval, this::beat, pulse::reset);
    }

    /** How the statements of a beat reach the database, each as a transaction of its own. */
    interface Pulse {
        /** Says that the incarnation lives and buries the dead; false if it was declared dead. */
        boolean beat(long incarnation) throws SQLException;

        <T> T read(Work<T> work) throws SQLException;

        <T> T write(Work<T> statement) throws SQLException;

        /** Lets go of what it holds; it may be used again. */
        void reset();
    }

    Heartbeat started() {
        beats.start(false);
        return this;
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
            succession.settle(events::add);
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
                LOG.log(Level.WARNING, "A task could not be handed to this node", e);
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
            Uninterruptibly.await(() -> last.join(TELLING));
        }
    }
}
