package dev.fairlead.auth.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test moves. */
final class SetClock extends Clock {
    /**
     * The time at which tests begin and issuers issue their tokens: in the past of every machine.
     */
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile Instant now = START;

    void advance(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
