package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskNode;
import dev.fairlead.tasks.TaskRun;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/**
 * This node among those that share the database: its present incarnation, and the runs that it
 * holds. A node that was declared dead, since it was frozen or cut off, stops its handlers and
 * joins as a new one.
 */
final class Membership {
    private final StoreAccess access;
    private final NodeTable nodes;
    private final TaskNode node;
    private final Set<TaskRun> held = ConcurrentHashMap.newKeySet();
    private final ReentrantLock joining = new ReentrantLock();
    private volatile long incarnation;

    Membership(StoreAccess access, NodeTable nodes, TaskNode node) {
        this.access = access;
        this.nodes = nodes;
        this.node = node;
        this.incarnation = join();
    }

    private long join() {
        return access.write(s -> nodes.join(s, node.name()));
    }

    TaskNode node() {
        return node;
    }

    long incarnation() {
        return incarnation;
    }

    /**
     * Makes an attempt as the present incarnation, and again as a new one if that was dead.
     *
     * @param attempt gives nothing if it failed, for that or another reason
     */
    <T> Optional<T> attempt(LongFunction<Optional<T>> attempt) {
        while (true) {
            long used = incarnation;
            Optional<T> made = attempt.apply(used);
            if (made.isPresent() || access.read(s -> nodes.isAlive(s, used))) {
                return made;
            }
            renew(used);
        }
    }

    /** Joins as a new incarnation in place of a dead one, unless another thread has done so. */
    void renew(long dead) {
        joining.lock();
        try {
            if (incarnation == dead) {
                held.clear();
                node.fenced();
                incarnation = join();
            }
        } finally {
            joining.unlock();
        }
    }

    /** Ends the incarnation: other nodes may take over its tasks. */
    void leave() {
        access.write(s -> nodes.leave(s, incarnation));
    }

    void hold(TaskRun run) {
        held.add(run);
    }

    /** Returns whether this node held the run until now. */
    boolean drop(TaskRun run) {
        return held.remove(run);
    }

    boolean holds(TaskRun run) {
        return held.contains(run);
    }
}
