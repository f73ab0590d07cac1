package dev.fairlead.stdio;

import java.time.Duration;

/**
 * How long the end of a child is waited for once nothing more can be done for it.
 *
 * @param kill after it was killed
 * @param stderr for its last lines on standard error, which another process may hold open
 * @param exit for a child whose output has ended, before its exit status counts as unknown
 * @param output for the end of its output once it has ended, as another process may hold it open
 */
record LastWaits(Duration kill, Duration stderr, Duration exit, Duration output) {
    static final LastWaits DEFAULT =
            new LastWaits(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(1));
}
