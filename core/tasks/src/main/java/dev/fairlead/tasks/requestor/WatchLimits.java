package dev.fairlead.tasks.requestor;

import dev.fairlead.protocol.tasks.Task;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The times and numbers of requests of a watch. */
final class WatchLimits {
    /** The time between two polls of a peer that suggests none. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    /** The shortest time between two polls; a shorter poll interval of the peer is raised to it. */
    static final Duration SHORTEST = Duration.ofMillis(100);

    /** The longest time between two polls; a longer poll interval of the peer is reduced to it. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    /**
     * The time for which {@code tasks/result} waits without a response; then the task is looked at,
     * and the wait starts again.
     */
    static final Duration RESULT = Duration.ofMinutes(5);

    /** The pause after the first failure; doubled after each further one. */
    static final Duration FIRST_RETRY = Duration.ofMillis(500);

    /** The longest pause after a failure. */
    static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

    /**
     * The time for which a silent peer is asked again, while the time to live of the task is
     * unknown; if known, it is asked until that is over.
     */
    static final Duration OUTAGE = Duration.ofHours(1);

    /**
     * The number of times in a row that a peer may refuse or withhold the result of an ended task.
     */
    static final int REFUSALS = 10;

    /** The time for which an expired task that the peer still reports is watched. */
    static final Duration OVERDUE = Duration.ofMinutes(10);

    private WatchLimits() {}

    /** Returns the time until the next poll: never less than suggested, and up to a tenth more. */
    static Duration untilPoll(@Nullable Task known) {
        Duration interval = interval(known);
        return interval.plusMillis(ThreadLocalRandom.current().nextLong(interval.toMillis() / 10));
    }

    /** Returns the shortest time between two polls. */
    static Duration interval(@Nullable Task known) {
        Long suggested = known == null ? null : known.pollInterval();
        return suggested == null ? INTERVAL : bounded(suggested);
    }

    private static Duration bounded(long millis) {
        return Duration.ofMillis(Math.clamp(millis, SHORTEST.toMillis(), LONGEST.toMillis()));
    }

    /**
     * Returns the pause after failures, reduced by up to a quarter at random.
     *
     * @param failures the number of failures in a row, at least one
     */
    static Duration afterFailures(int failures) {
        long longest = LONGEST_RETRY.toMillis();
        long wait = Math.min(FIRST_RETRY.toMillis() << Math.min(failures - 1, 20), longest);
        return Duration.ofMillis(wait - ThreadLocalRandom.current().nextLong(wait / 4));
    }
}
