package dev.fairlead.protocol;

import dev.fairlead.protocol.time.Durations;

import java.time.Duration;
import java.util.Objects;

/**
 * Limits of an {@link EventStore}. The limits of a session never remove its newest event, of any
 * size. The limit of all sessions removes that as well, but not the newest of all, and takes from
 * the session with the most bytes first: a session with few loses none to others with many.
 *
 * @param eventsPerSession the most events of a session
 * @param bytesPerSession the most bytes of the events of a session
 * @param bytes the most bytes of all events
 * @param age the age after which an event is removed
 */
public record EventLimits(int eventsPerSession, long bytesPerSession, long bytes, Duration age) {
    /** The default limits: 1,000 events and 4 MiB of a session, 128 MiB in all, for 5 minutes. */
    public static final EventLimits DEFAULT =
            new EventLimits(1_000, 4 << 20, 128 << 20, Duration.ofMinutes(5));

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is not positive
     */
    public EventLimits {
        Objects.requireNonNull(age, "age");
        if (eventsPerSession < 1 || bytesPerSession < 1 || bytes < 1 || age.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "the limits of an event store must be positive but were %s, %s, %s and %s"
                            .formatted(
                                    eventsPerSession, bytesPerSession, bytes, Durations.text(age)));
        }
    }
}
