package dev.fairlead.server;

import dev.fairlead.protocol.time.Timers;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A clock that stands still until it is moved. */
final class ManualTimers implements Timers {
    private record Due(Instant at, Runnable action) {}

    private final List<Due> waiting = new ArrayList<>();
    private Instant now = Instant.parse("2025-11-25T00:00:00Z");

    @Override
    public Clock clock() {
        return new Clock() {
            @Override
            public Instant instant() {
                synchronized (ManualTimers.this) {
                    return now;
                }
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    @Override
    public synchronized Timer schedule(Duration delay, Runnable action) {
        Due due = new Due(now.plus(delay), action);
        waiting.add(due);
        return () -> {
            synchronized (this) {
                waiting.remove(due);
            }
        };
    }

    synchronized int waiting() {
        return waiting.size();
    }

    void advance(Duration duration) {
        Instant end = clock().instant().plus(duration);
        while (true) {
            Optional<Due> next;
            synchronized (this) {
                next =
                        waiting.stream()
                                .filter(due -> !due.at().isAfter(end))
                                .min(Comparator.comparing(Due::at));
                now = next.map(Due::at).orElse(end);
                next.ifPresent(waiting::remove);
            }
            if (next.isEmpty()) {
                return;
            }
            next.get().action().run();
        }
    }

    @Override
    public synchronized void close() {
        waiting.clear();
    }
}
