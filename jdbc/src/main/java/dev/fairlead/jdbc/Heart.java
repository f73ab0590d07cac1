package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Work;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSignals;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What a node does with each beat, on a thread of its own: it says that it lives, takes over what
 * dead nodes held, frees the questions that they were delivering, and finds out which of its own
 * runs have ended elsewhere.
 */
final class Heart implements Runnable {
    private static final Logger LOG = System.getLogger(Heart.class.getName());

    /** What a node takes over in one beat at least, so that few orphans need no division. */
    private static final int SHARE = 16;

    /** So many orphans are counted; beyond, all nodes have their hands full. */
    private static final int COUNTED = 10_000;

    private static final Duration MEMORY_CHECK = Duration.ofMinutes(1);

    private final Pulse pulse;
    private final NodeTable nodes;
    private final Membership membership;
    private final TaskSignals signals;
    private final Duration interval;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private Set<TaskRun> unknown = Set.of();
    private long lastMemoryCheck = System.nanoTime();
    private boolean failing;

    Heart(
            Pulse pulse,
            NodeTable nodes,
            Membership membership,
            TaskSignals signals,
            Duration interval) {
        this.pulse = pulse;
        this.nodes = nodes;
        this.membership = membership;
        this.signals = signals;
        this.interval = interval;
        this.thread = Thread.ofPlatform().daemon().name("fairlead-tasks-beat").unstarted(this);
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

    Heart started() {
        thread.start();
        return this;
    }

    @Override
    public void run() {
        try {
            do {
                safelyBeat();
            } while (!stopped.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody has this thread to interrupt it
        }
        pulse.reset();
    }

    private void safelyBeat() {
        try {
            beat();
            failing = false;
        } catch (Throwable e) { // whatever it is, the node must go on giving signs of life
            pulse.reset();
            if (!failing && stopped.getCount() > 0) {
                LOG.log(Level.WARNING, "A sign of life of this node could not be stored", e);
            }
            failing = true;
        }
    }

    private void beat() throws SQLException {
        long incarnation = membership.incarnation();
        if (!pulse.beat(incarnation)) {
            membership.renew(incarnation);
        }
        List<TakenTask> taken = takeOver();
        try {
            freeDeliveries();
        } finally {
            tell(taken);
        }
        tellOfEnded();
        if (System.nanoTime() - lastMemoryCheck > MEMORY_CHECK.toNanos()) {
            lastMemoryCheck = System.nanoTime();
            compareWithMemory();
        }
    }

    /**
     * A node takes as much as it has room for, but no more than its part of all there is: who came
     * first would have everything otherwise.
     */
    private List<TakenTask> takeOver() throws SQLException {
        long orphans = pulse.read(s -> nodes.orphans(s, COUNTED));
        int free = membership.node().freePlaces();
        if (orphans == 0 || free <= 0) {
            return List.of();
        }
        long living = Math.max(1, pulse.read(nodes::living));
        int share = (int) Math.min(free, Math.max(SHARE, (orphans + living - 1) / living));
        long incarnation = membership.incarnation();
        return pulse.write(s -> nodes.takeOver(s, incarnation, share));
    }

    /**
     * Comes before the next run of a task, which would find its questions delivered by the dead.
     */
    private void freeDeliveries() throws SQLException {
        if (pulse.read(nodes::hasDeadDeliveries)) {
            for (TaskId id : pulse.write(nodes::freeDeliveries)) {
                signals.changed(id);
            }
        }
    }

    private void tell(List<TakenTask> tasks) {
        List<TakenTask> again = tasks.stream().filter(t -> !t.task().state().isEnded()).toList();
        List<StoredTask> over =
                tasks.stream().map(TakenTask::task).filter(t -> t.state().isEnded()).toList();
        again.forEach(task -> membership.hold(task.task().key()));
        if (!again.isEmpty()) {
            membership.node().takeOver(again);
        }
        if (!over.isEmpty()) {
            membership.node().orphansEnded(over);
        }
        tasks.forEach(task -> signals.changed(task.task().id()));
    }

    private void tellOfEnded() throws SQLException {
        long incarnation = membership.incarnation();
        for (TaskRun run : pulse.read(s -> nodes.ended(s, incarnation))) {
            if (membership.holds(run)) {
                membership.node().lost(run);
            } else {
                pulse.write(s -> nodes.clear(s, incarnation, run));
            }
        }
    }

    /**
     * A commit whose answer got lost leaves a run that no memory knows. Seen twice, it is begun
     * again or ended, as after a crash.
     */
    private void compareWithMemory() throws SQLException {
        long incarnation = membership.incarnation();
        Set<TaskRun> now = new HashSet<>(pulse.read(s -> nodes.held(s, incarnation)));
        now.removeIf(membership::holds);
        now.removeAll(membership.node().running());
        for (TaskRun run : now) {
            if (unknown.contains(run)) {
                tell(pulse.write(s -> nodes.takeBack(s, incarnation, run)));
            }
        }
        unknown = now;
    }

    /** Stops; waits for a beat under way, also when interrupted. */
    void close() {
        stopped.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
