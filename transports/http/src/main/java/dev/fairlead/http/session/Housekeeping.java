package dev.fairlead.http.session;

import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Periodic work that may have to wait for a store; on a virtual thread of its own, one round at a
 * time, so that nothing else waits for it.
 */
public final class Housekeeping {
    private static final System.Logger LOGGER = System.getLogger(Housekeeping.class.getName());

    /** The time between two sweeps of a store. */
    static final Duration SWEEPS = Duration.ofSeconds(5);

    /** The number of failures after which the rest of a round is left to the next. */
    private static final int FAILURES = 10;

    private final SessionRegistry<HttpSession> sessions;
    private final @Nullable EventStore store;
    private final Duration idle;
    private final InstantSource clock;
    private final InstantSource wallClock;
    private final AtomicBoolean working = new AtomicBoolean();
    private volatile Instant nextSweep;
    private volatile boolean closed;
    private boolean complained; // in this round

    /** The lead of the time of day over the clock when the store was last updated. */
    private Duration ahead;

    /**
     * @param idle after which time a session ends that is not used
     * @param clock how time passes, by which sessions become idle
     * @param wallClock the time of day, by which a store may count
     */
    public Housekeeping(
            SessionRegistry<HttpSession> sessions,
            @Nullable EventStore store,
            Duration idle,
            InstantSource clock,
            InstantSource wallClock) {
        this.sessions = sessions;
        this.store = store;
        this.idle = idle;
        this.clock = clock;
        this.wallClock = wallClock;
        this.ahead = ahead();
        this.nextSweep = clock.instant().plus(SWEEPS);
    }

    /** Returns how old the last use of a session in a store may be. */
    private static Duration tolerance(Duration idle) {
        return idle.dividedBy(4);
    }

    /** Returns how long a session that is not used must be kept for another process. */
    public static Duration kept(Duration idle) {
        return idle.plus(tolerance(idle));
    }

    /** Starts a round, unless one is under way. */
    public void round() {
        if (!closed && working.compareAndSet(false, true)) {
            try {
                Thread.ofVirtual().name("mcp-http-housekeeping").start(this::work);
            } catch (OutOfMemoryError e) { // the system has no more threads
                working.set(false);
                LimitedLog.failed(
                        LOGGER, Level.WARNING, "", e, "Sessions and streams are not tidied");
            }
        }
    }

    private void work() {
        try {
            Instant now = clock.instant();
            complained = false;
            each(session -> session.tidy(now));
            each(sessions::endIfIdle);
            attempt(() -> sweep(now));
        } finally {
            working.set(false);
        }
    }

    /**
     * A failure of one session does not affect the others, but a few of them end a round, so that a
     * store that is down gets few calls. Each round has an order of its own, so that failing
     * sessions do not always delay the same ones.
     */
    private void each(Consumer<HttpSession> part) {
        List<HttpSession> all = new ArrayList<>(sessions.all());
        Collections.shuffle(all);
        int failures = 0;
        for (HttpSession session : all) {
            if (failures < FAILURES && !attempt(() -> part.accept(session))) {
                failures++;
            }
        }
    }

    /** Returns whether that succeeded; an outage is logged once in a round. */
    private boolean attempt(Runnable part) {
        try {
            part.run();
            return true;
        } catch (EventStoreException e) {
            Level level = closed || complained ? Level.DEBUG : Level.WARNING;
            LimitedLog.failed(LOGGER, level, "", e, "The event store is not tidied");
            complained = true;
        } catch (RuntimeException e) {
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "Sessions and streams are not tidied");
        }
        return false;
    }

    private void sweep(Instant now) {
        if (store == null || now.isBefore(nextSweep)) {
            return;
        }
        nextSweep = now.plus(SWEEPS);
        if (!store.sweepsByItself()) {
            store.sweep();
        }
        Optional<SessionStore> kept = store.sessions();
        if (kept.isPresent()) {
            touch(kept.get(), now);
            kept.get().purge(kept(idle));
        }
    }

    /**
     * Keeps the sessions that are used here from being purged. The sessions that are open here are
     * not too old for this process, also if the time of day was set, so all of them are touched
     * then.
     */
    private void touch(SessionStore kept, Instant now) {
        Duration tolerance = tolerance(idle);
        Duration current = ahead();
        boolean set = current.minus(ahead).abs().compareTo(tolerance) > 0;
        List<KeptSession> used =
                sessions.all().stream()
                        .flatMap(
                                session ->
                                        (set
                                                        ? session.kept()
                                                        : session.toTouch(now.minus(tolerance)))
                                                .stream())
                        .toList();
        if (!used.isEmpty()) {
            kept.touch(used.stream().map(KeptSession::key).toList());
            used.forEach(session -> session.touched(now));
        }
        ahead = set ? current : ahead;
    }

    private Duration ahead() {
        return Duration.between(clock.instant(), wallClock.instant());
    }

    public void close() {
        closed = true;
    }
}
