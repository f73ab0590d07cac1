package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * The time by the clock of a PostgreSQL, which all servers that share it go by: read once a minute,
 * and measured in between, so that a wrong clock of this machine does not matter. Thread-safe.
 */
final class DatabaseClock {
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final String NOW = "select {now} as now";

    private final Engine engine;
    private volatile @Nullable Reading last;

    /** A time of the clock, and when it was read. */
    private record Reading(Instant time, long nanos) {
        Duration age() {
            return Duration.ofNanos(System.nanoTime() - nanos);
        }
    }

    DatabaseClock(Engine engine) {
        this.engine = engine;
    }

    /**
     * Returns the time of the clock; may read it, which blocks. While the database cannot be
     * reached, the last reading counts, and the clock of this machine if there is none.
     */
    Instant now() {
        Reading reading = last;
        if (reading == null || reading.age().compareTo(EVERY) > 0) {
            reading = read(reading);
            last = reading;
        }
        return reading.time().plus(reading.age());
    }

    private Reading read(@Nullable Reading before) {
        try {
            long begun = System.nanoTime();
            Long millis =
                    engine.read(
                            s ->
                                    s.first(NOW, row -> row.number("now"), (Object) null)
                                            .orElseThrow());
            return new Reading(Instant.ofEpochMilli(millis), begun);
        } catch (SQLException e) {
            return before == null ? new Reading(Instant.now(), System.nanoTime()) : before;
        }
    }
}
