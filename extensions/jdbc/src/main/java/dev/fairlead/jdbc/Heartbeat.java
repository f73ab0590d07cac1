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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Runs the beats of all nodes that use a database in this process, on one thread: each renews their
 * leases together, and does the work that follows from the death of others, such as the {@link
 * OrphanRecovery}. A node and its listeners are notified of the outcome on another thread: one that
 * blocks or fails does not stop the heartbeat. Until all were notified no more work is taken over.
 */
final class Heartbeat implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Heartbeat.class.getName());

    /** How long {@link Member#close} waits for events that are being delivered. */
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(5);

    private final Pulse pulse;
    private final HeartbeatThread beats;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final ReentrantLock beating = new ReentrantLock();

    Heartbeat(Engine engine, DatabaseOptions options) {
        this.pulse =
                engine instanceof PostgresEngine postgres
                        ? new PostgresPulse(postgres, options.lease())
                        : new SqlitePulse(engine);
        this.beats = new HeartbeatThread("fairlead-beat", options.beat(), this::beat, pulse::reset);
    }

    /** How the statements of a beat reach the database, each as a transaction of its own. */
    interface Pulse {
        /**
         * Renews the leases of these incarnations and marks expired nodes of other processes as
         * dead.
         *
         * @return the time of the database, by each incarnation that was not declared dead itself
         */
        Map<Long, Long> beat(Set<Long> incarnations) throws SQLException;

        <T> T read(Work<T> work) throws SQLException;

        <T> T write(Work<T> statement) throws SQLException;

        /** Releases its connection; it may be used again. */
        void reset();
    }

    /** The work of each beat after the leases were renewed. */
    @FunctionalInterface
    interface Recovery {
        /**
         * @param notifications takes the notifications for the node, also those of steps before a
         *     failure
         */
        void settle(Consumer<Runnable> notifications) throws SQLException;
    }

    /** Returns the way to the database, for the thread of the heartbeat alone. */
    Pulse pulse() {
        return pulse;
    }

    /** Has the lease of a node renewed from now on; the first beat is due at once. */
    Member add(Membership membership, Recovery recovery) {
        Member added = new Member(membership, recovery);
        members.add(added);
        beats.wake();
        return added;
    }

    private void beat() throws SQLException {
        beating.lock();
        try {
            List<Member> present = List.copyOf(members);
            if (!present.isEmpty()) {
                renew(present);
                settle(present);
            }
        } finally {
            beating.unlock();
        }
    }

    private void renew(List<Member> present) throws SQLException {
        Map<Long, Membership> renewed = new HashMap<>();
        present.forEach(each -> renewed.put(each.membership.incarnation(), each.membership));
        Map<Long, Long> alive = pulse.beat(renewed.keySet());
        renewed.forEach(
                (incarnation, membership) -> {
                    Long time = alive.get(incarnation);
                    if (time == null) {
                        membership.renew(incarnation);
                    } else {
                        membership.databaseTimeIs(time);
                    }
                });
    }

    /**
     * The failure of one member does not stop the work of the others: the first is thrown, with
     * those of others as suppressed ones.
     */
    static void settle(List<Member> present) throws SQLException {
        Exception first = null;
        for (Member each : present) {
            try {
                each.settle();
            } catch (SQLException | RuntimeException e) {
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof SQLException e) {
            throw e;
        }
        if (first instanceof RuntimeException e) {
            throw e;
        }
    }

    /** Ends the beats. To be called after all members have left. */
    @Override
    public void close() {
        beats.stop();
    }

    /** A node whose lease is renewed. */
    final class Member implements AutoCloseable {
        private final Membership membership;
        private final Recovery recovery;
        private volatile @Nullable Thread delivery;

        private Member(Membership membership, Recovery recovery) {
            this.membership = membership;
            this.recovery = recovery;
        }

        private void settle() throws SQLException {
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
                            Thread.ofVirtual().name("fairlead-events").start(() -> runAll(events));
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
         * Ends the renewal; waits for a beat under way, also when interrupted, and up to a limit
         * for the events it delivers.
         */
        @Override
        public void close() {
            beating.lock();
            try {
                members.remove(this);
            } finally {
                beating.unlock();
            }
            Thread last = delivery;
            if (last != null) {
                Uninterruptibly.await(() -> last.join(DELIVERY_TIMEOUT));
            }
        }
    }
}
