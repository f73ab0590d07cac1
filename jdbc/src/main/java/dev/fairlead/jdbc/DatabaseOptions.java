package dev.fairlead.jdbc;

import java.time.Duration;
import java.util.Objects;

/**
 * How a {@link Database} is used.
 *
 * @param connections most connections that operations share on PostgreSQL. Up to two more are used
 *     for sweeps, and for each server or client with tasks one for signs of life and two for
 *     signals. SQLite has one thread that writes and three that read
 * @param maxWaiting how many operations may wait for a connection or thread; more fail at once
 * @param beat how often a node tells a shared database that it lives; meaningless for SQLite, where
 *     the operating system knows
 * @param lease after how long without a sign of life a node is dead and its tasks are taken over;
 *     at least four beats, and longer than the longest pause of a process. A node that has just
 *     started, and any after an outage, waits for as long until it takes others for dead
 */
public record DatabaseOptions(int connections, int maxWaiting, Duration beat, Duration lease) {
    /** 16 connections, 10,000 operations that wait, a beat each second, a lease of 4 seconds. */
    public static final DatabaseOptions DEFAULT =
            new DatabaseOptions(16, 10_000, Duration.ofSeconds(1), Duration.ofSeconds(4));

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if one is not positive, or the lease is shorter than four
     *     beats
     */
    public DatabaseOptions {
        Objects.requireNonNull(beat, "beat");
        Objects.requireNonNull(lease, "lease");
        if (connections < 1 || maxWaiting < 1 || beat.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "connections, maxWaiting and beat must be positive but were %d, %d and %s"
                            .formatted(connections, maxWaiting, beat));
        }
        if (lease.compareTo(beat.multipliedBy(4)) < 0) {
            throw new IllegalArgumentException(
                    "lease must be at least four beats of %s but was %s".formatted(beat, lease));
        }
    }

    /** With another number of connections. */
    public DatabaseOptions withConnections(int most) {
        return new DatabaseOptions(most, maxWaiting, beat, lease);
    }

    /** With another number of operations that may wait. */
    public DatabaseOptions withMaxWaiting(int operations) {
        return new DatabaseOptions(connections, operations, beat, lease);
    }

    /** With other signs of life. */
    public DatabaseOptions withLiveness(Duration eachBeat, Duration leaseWithoutBeat) {
        return new DatabaseOptions(connections, maxWaiting, eachBeat, leaseWithoutBeat);
    }
}
