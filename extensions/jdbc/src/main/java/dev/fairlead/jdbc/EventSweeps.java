package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStoreException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sweeps the spaces of events that this process uses on a shared database: each of them on one of
 * the servers that share it at a time. Thread-safe.
 */
final class EventSweeps implements AutoCloseable {
    /** Keeps apart events and tasks in spaces of the same name, which has no colon. */
    private static final String PREFIX = "events:";

    private final Engine engine;
    private final DatabaseClock clock;
    private final Map<String, Sweep> spaces = new HashMap<>(); // guarded by this
    private boolean closed; // guarded by this

    EventSweeps(Engine engine) {
        this.engine = engine;
        this.clock = new DatabaseClock(engine);
    }

    /** The sweep of a space. */
    private static final class Sweep implements AutoCloseable {
        private final EventAccess access;
        private final Sweeps sweeps;
        private EventLimits limits; // guarded by this
        private boolean closed; // guarded by this
        private @Nullable EventRetention running; // guarded by this

        Sweep(EventAccess access, EventLimits limits, DatabaseClock clock) {
            this.access = access;
            this.limits = limits;
            this.sweeps =
                    new Sweeps(
                            access.engine().sweeping(),
                            PREFIX + access.space(),
                            Sweeps.INTERVAL,
                            clock::now,
                            this::sweep);
        }

        /** Combines different limits: the lower ones hold. */
        synchronized void limit(EventLimits other) {
            limits =
                    new EventLimits(
                            Math.min(limits.eventsPerSession(), other.eventsPerSession()),
                            Math.min(limits.bytesPerSession(), other.bytesPerSession()),
                            Math.min(limits.bytes(), other.bytes()),
                            limits.age().compareTo(other.age()) < 0 ? limits.age() : other.age());
        }

        private void sweep() {
            EventRetention retention = next();
            if (retention != null) {
                retention.sweep();
            }
        }

        private synchronized @Nullable EventRetention next() {
            running = closed ? null : new EventRetention(access, limits);
            return running;
        }

        private synchronized void stop() {
            closed = true;
            if (running != null) {
                running.stop();
            }
        }

        @Override
        public void close() {
            stop();
            sweeps.close();
        }
    }

    /**
     * Starts to sweep a space, unless that has begun.
     *
     * @throws EventStoreException if the database cannot be reached
     */
    void add(String space, EventLimits limits) {
        Sweep sweep = new Sweep(new EventAccess(engine, space), limits, clock);
        synchronized (this) {
            if (closed) {
                return; // each user of the database fails
            }
            Sweep known = spaces.putIfAbsent(space, sweep);
            if (known != null) {
                known.limit(limits);
                return;
            }
        }
        try {
            sweep.sweeps.started();
        } catch (SQLException | RuntimeException e) {
            synchronized (this) {
                spaces.remove(space, sweep);
            }
            sweep.close();
            throw new EventStoreException(
                    "The sweep of events did not start: " + e.getMessage(), e);
        }
        if (isClosed()) {
            sweep.close();
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Ends the sweeps, so that those of other servers continue. May be called twice. */
    @Override
    public void close() {
        List<Sweep> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(spaces.values());
            spaces.clear();
        }
        all.forEach(Sweep::close);
    }
}
