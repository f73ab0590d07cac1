package dev.fairlead.jdbc;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSignals;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Settles the runs that no node holds any more: those of dead orphaned are taken over or end, and a
 * node is notified which of its own have ended elsewhere. Runs on the thread of the heartbeat;
 * notifications for the node are passed to the caller.
 */
final class OrphanRecovery {
    /** The smallest share of a node in one beat, so that few orphans need no division. */
    private static final int SHARE = 16;

    /** The limit of the count of orphans; beyond it, all orphaned take their full share. */
    private static final int COUNTED = 10_000;

    /** The most tasks that may not run again and end in one beat of a node. */
    private static final int ENDED = 1_000;

    /**
     * How many leases there are between two checks of the runs that the database assigns to this
     * node.
     */
    private static final int LEASES = 15;

    private final Heartbeat.Pulse pulse;
    private final OrphanTable orphaned;
    private final NodeTable others;
    private final TaskMembership membership;
    private final TaskSignals signals;
    private final Duration lookInterval;
    private Set<TaskRun> unknown = Set.of();
    private long lastLook = System.nanoTime();

    OrphanRecovery(
            Heartbeat.Pulse pulse,
            NodeTable others,
            OrphanTable orphaned,
            TaskMembership membership,
            TaskSignals signals,
            Duration lease) {
        this.pulse = pulse;
        this.others = others;
        this.orphaned = orphaned;
        this.membership = membership;
        this.signals = signals;
        this.lookInterval = lease.multipliedBy(LEASES);
    }

    /**
     * Ends, takes over and reports runs.
     *
     * @param notifications takes the notifications for the node, also those of steps before a
     *     failure
     */
    void settle(Consumer<Runnable> notifications) throws SQLException {
        long incarnation = membership.incarnation();
        int free = membership.node().freePlaces();
        int counted = free > 0 ? COUNTED : 0;
        OrphanTable.Work work = pulse.read(s -> orphaned.look(s, incarnation, counted));
        if (work.lost()) {
            pulse.write(s -> orphaned.endLost(s, ENDED))
                    .forEach(task -> ended(task, notifications));
        }
        if (work.orphans() > 0) {
            takeOver(free, work.orphans(), notifications);
        }
        if (work.deliveries()) {
            for (TaskId id : pulse.write(orphaned::freeDeliveries)) {
                notifications.accept(() -> signals.changed(id));
            }
        }
        if (work.ended()) {
            findEnded(notifications);
        }
        if (System.nanoTime() - lastLook > lookInterval.toNanos()) {
            lastLook = System.nanoTime();
            compareWithMemory(notifications);
        }
    }

    /**
     * A node takes as much as it has room for, but no more than its part of all there is: otherwise
     * the first would take everything.
     */
    private void takeOver(int free, long orphans, Consumer<Runnable> notifications)
            throws SQLException {
        long sharing = Math.max(1, pulse.read(others::living));
        int share = (int) Math.min(free, Math.max(SHARE, (orphans + sharing - 1) / sharing));
        long incarnation = membership.incarnation();
        runOrEnd(pulse.write(s -> orphaned.takeOver(s, incarnation, share)), notifications);
    }

    /** Runs the tasks that were taken over, and ends those that cannot be read. */
    private void runOrEnd(OrphanTable.Taken taken, Consumer<Runnable> notifications)
            throws SQLException {
        taken.tasks().forEach(task -> taken(task, notifications));
        if (!taken.unreadable().isEmpty()) {
            long incarnation = membership.incarnation();
            pulse.write(s -> orphaned.endUnreadable(s, incarnation, taken.unreadable()))
                    .forEach(task -> ended(task, notifications));
        }
    }

    private void taken(TakenTask task, Consumer<Runnable> notifications) {
        membership.hold(task.task().key());
        notifications.accept(() -> membership.node().takeOver(List.of(task)));
        notifications.accept(() -> signals.changed(task.task().id()));
    }

    private void ended(StoredTask task, Consumer<Runnable> notifications) {
        notifications.accept(() -> membership.node().orphansEnded(List.of(task)));
        notifications.accept(() -> signals.changed(task.id()));
    }

    private void findEnded(Consumer<Runnable> notifications) throws SQLException {
        long incarnation = membership.incarnation();
        for (TaskRun run : pulse.read(s -> orphaned.ended(s, incarnation))) {
            if (membership.holds(run)) {
                notifications.accept(() -> membership.node().lost(run));
            } else {
                pulse.write(s -> orphaned.clear(s, incarnation, run));
            }
        }
    }

    /**
     * A commit whose answer got lost leaves a run that is in the memory of no node, and so does a
     * node that failed when it was notified. A run that is found so twice is begun again or ended,
     * as after a crash.
     */
    private void compareWithMemory(Consumer<Runnable> notifications) throws SQLException {
        long incarnation = membership.incarnation();
        Set<TaskRun> now = new HashSet<>(pulse.read(s -> orphaned.held(s, incarnation)));
        now.removeAll(membership.node().running());
        for (TaskRun run : now) {
            if (unknown.contains(run)) {
                membership.drop(run);
                runOrEnd(pulse.write(s -> orphaned.takeBack(s, incarnation, run)), notifications);
                pulse.write(s -> orphaned.endOwn(s, incarnation, run))
                        .forEach(task -> ended(task, notifications));
            }
        }
        unknown = now;
    }
}
