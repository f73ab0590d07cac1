package dev.fairlead.http.endpoint;

import dev.fairlead.protocol.time.Timers;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that shows how much time has passed in this process, beginning with the time of day: the
 * clock of the system may be set meanwhile, which ends no session and no wait.
 */
final class MonotonicClock extends Clock {
    private final Timers timers;
    private final Instant start;
    private final long startNanos;

    MonotonicClock(Timers timers) {
        this.timers = timers;
        this.start = timers.clock().instant();
        this.startNanos = timers.nanoTime();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(timers.nanoTime() - startNanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("this clock measures time and shows no dates");
    }
}
