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

    /** How long an end waits for what is still being told. */
    private static final Duration TELLING = Duration.ofSeconds(5);

    private final Pulse pulse;
    private final Membership membership;
    private final OrphanRecovery succession;
    private final HeartbeatThread beats;
    private volatile @Nullable Thread telling;

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
        Thread last = telling;
        if (last != null && last.isAlive()) {
            return;
        }
        List<Runnable> news = new ArrayList<>();
        try {
            succession.settle(news::add);
        } finally {
            if (!news.isEmpty()) {
                telling = Thread.ofVirtual().name("fairlead-tasks-news").start(() -> tell(news));
            }
        }
    }

    private static void tell(List<Runnable> news) {
        for (Runnable one : news) {
            try {
                one.run();
            } catch (Throwable e) { // the others are told nevertheless
                LOG.log(Level.WARNING, "A task could not be handed to this node", e);
            }
        }
    }

    /** Stops; waits for a beat under way, also when interrupted, and a while for what it tells. */
    void close() {
        beats.stop();
        Thread last = telling;
        if (last != null) {
            Uninterruptibly.await(() -> last.join(TELLING));
        }
    }
}
