package dev.fairlead.gateway;

import dev.fairlead.protocol.time.Timers;

import java.time.Clock;
import java.time.Duration;

/** The timers of the gateway for one session, whose end they outlive. */
record BorrowedTimers(Timers timers) implements Timers {
    @Override
    public Clock clock() {
        return timers.clock();
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        return timers.schedule(delay, action);
    }

    @Override
    public void close() {}
}
