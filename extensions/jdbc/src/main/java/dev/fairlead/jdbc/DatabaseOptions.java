package dev.fairlead.jdbc;

import dev.fairlead.protocol.options.Checks;
import dev.fairlead.protocol.time.Durations;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;

/**
 * How a {@link Database} is used.
 *
 * @param connections most connections that operations share on PostgreSQL, at least 3. One more is
 *     used for sweeps, one for additions of owned values, one for heartbeats, and two for signals
 *     of each server or client with tasks, so that a server has at most 12 by default. SQLite has
 *     one thread that writes and three that read
 * @param maxWaiting how many operations may wait for a connection or thread; more fail at once
 * @param beat how often a node sends a heartbeat to a shared database; meaningless for SQLite,
 *     where a file lock shows whether a process is alive
 * @param lease after how long without a heartbeat a node is dead, and its tasks and sessions are
 *     taken over; at least four beats, and longer than the longest pause of a process. A node that
 *     has just started, and any after an outage, waits for as long until it takes others for dead
 * @param endedPerOwner most ended tasks that an owner may have; the oldest are removed soon after.
 *     All anonymous owners together may have four times as many
 * @param endedBytesPerOwner most bytes of their results, in the same way
 * @param wrappingKey wraps the keys of request states in the database; null if they lie open there
 */
public record DatabaseOptions(
        int connections,
        int maxWaiting,
        Duration beat,
        Duration lease,
        int endedPerOwner,
        long endedBytesPerOwner,
        @Nullable WrappingKey wrappingKey) {
    /**
     * 7 connections, 10,000 operations that wait, a beat each second, a lease of 4 seconds; 10,000
     * ended tasks of an owner with results of 256 MiB; no wrapping key.
     */
    public static final DatabaseOptions DEFAULT =
            new DatabaseOptions(
                    7,
                    10_000,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(4),
                    10_000,
                    256L << 20,
                    null);

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if one is not positive, or the lease is shorter than four
     *     beats
     */
    public DatabaseOptions {
        Objects.requireNonNull(beat, "beat");
        Objects.requireNonNull(lease, "lease");
        Checks.positive(connections, "connections");
        Checks.positive(maxWaiting, "maxWaiting");
        Checks.positive(beat.toMillis(), "the milliseconds of beat");
        Checks.positive(endedPerOwner, "endedPerOwner");
        Checks.positive(endedBytesPerOwner, "endedBytesPerOwner");
        if (lease.compareTo(beat.multipliedBy(4)) < 0) {
            throw new IllegalArgumentException(
                    "lease must be at least four beats of %s but was %s"
                            .formatted(Durations.text(beat), Durations.text(lease)));
        }
    }

    /** Returns a copy with another number of connections. */
    public DatabaseOptions withConnections(int most) {
        return new DatabaseOptions(
                most, maxWaiting, beat, lease, endedPerOwner, endedBytesPerOwner, wrappingKey);
    }

    /** Returns a copy with another number of operations that may wait. */
    public DatabaseOptions withMaxWaiting(int operations) {
        return new DatabaseOptions(
                connections,
                operations,
                beat,
                lease,
                endedPerOwner,
                endedBytesPerOwner,
                wrappingKey);
    }

    /** Returns a copy with another interval of heartbeats and another lease. */
    public DatabaseOptions withLiveness(Duration eachBeat, Duration leaseWithoutBeat) {
        return new DatabaseOptions(
                connections,
                maxWaiting,
                eachBeat,
                leaseWithoutBeat,
                endedPerOwner,
                endedBytesPerOwner,
                wrappingKey);
    }

    /** Returns a copy with other limits of ended tasks. */
    public DatabaseOptions withEnded(int tasksPerOwner, long bytesPerOwner) {
        return new DatabaseOptions(
                connections, maxWaiting, beat, lease, tasksPerOwner, bytesPerOwner, wrappingKey);
    }

    /**
     * Returns a copy with a key that wraps those of request states ({@link Database#stateKeys}).
     * All nodes need it. Keys that were stored open before are no longer used then, so that calls
     * which wait for an answer are refused once.
     */
    public DatabaseOptions withWrappingKey(WrappingKey key) {
        return new DatabaseOptions(
                connections,
                maxWaiting,
                beat,
                lease,
                endedPerOwner,
                endedBytesPerOwner,
                Objects.requireNonNull(key, "key"));
    }
}
