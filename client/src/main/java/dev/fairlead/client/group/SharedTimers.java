package dev.fairlead.client.group;

import dev.fairlead.protocol.time.Timers;

import java.time.Clock;
import java.time.Duration;

/** The timers of a group for one of its clients, which does not end them. */
record SharedTimers(Timers timers) implements Timers {
    @Override
    public Clock clock() {
        return timers.clock();
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        return timers.schedule(delay, action);
    }

    @Override
    public void close() {
        // what a closed client left is cancelled already, or does nothing
    }
}
