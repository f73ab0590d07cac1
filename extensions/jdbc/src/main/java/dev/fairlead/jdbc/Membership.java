package dev.fairlead.jdbc;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/**
 * This node among those that share the database: its present incarnation. A node that was declared
 * dead, since it was frozen or cut off, stops its work and joins as a new one.
 */
class Membership {
    private final TableAccess access;
    private final NodeTable nodes;
    private final String name;
    private final Runnable fenced;
    private final ReentrantLock joining = new ReentrantLock();
    private volatile @Nullable String address;
    private volatile long incarnation;

    /**
     * Joins.
     *
     * @param fenced stops the work of an incarnation that was declared dead; returns at once
     */
    Membership(TableAccess access, NodeTable nodes, String name, Runnable fenced) {
        this.access = access;
        this.nodes = nodes;
        this.name = name;
        this.fenced = fenced;
        this.incarnation = join();
    }

    private long join() {
        return access.write(s -> nodes.join(s, name, address));
    }

    /** Announces the address at which other nodes reach this one, also as later incarnations. */
    final void announce(String reached) {
        address = reached;
        access.write(s -> nodes.announce(s, incarnation, reached));
    }

    final long incarnation() {
        return incarnation;
    }

    /**
     * Makes an attempt as the present incarnation, and again as a new one if that was dead.
     *
     * @param attempt gives nothing if it failed, for that or another reason
     */
    final <T> Optional<T> attempt(LongFunction<Optional<T>> attempt) {
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
    final void renew(long dead) {
        joining.lock();
        try {
            if (incarnation == dead) {
                fenced.run();
                incarnation = join();
            }
        } finally {
            joining.unlock();
        }
    }

    /** Takes the time of the database, which a beat has read. */
    final void databaseTimeIs(long millis) {
        access.databaseTimeIs(millis);
    }

    /** Ends the incarnation: other nodes may take over its work. */
    final void leave() {
        access.write(s -> nodes.leave(s, incarnation));
    }
}
