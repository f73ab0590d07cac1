package dev.fairlead.protocol.relay;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at the readers of relays once a tick while handlers run on them, and sleeps while none
 * does. Its thread is a daemon.
 */
public final class Watchdog {
    private static final System.Logger LOGGER = System.getLogger(Watchdog.class.getName());

    /** A handler may hold its reader for one to two ticks. */
    static final Duration TICK = Duration.ofMillis(1);

    /** How long the watchdog pauses after a failure, so that it does not flood the log. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** How many ticks without any handler pass before the watchdog sleeps. */
    private static final int QUIET_TICKS = 50;

    private final List<Relay> relays = new CopyOnWriteArrayList<>();
    private final AtomicLong replacements = new AtomicLong();
    private volatile boolean asleep;
    private @Nullable Thread thread; // set before it is published, if at all

    /** A watchdog without a thread: tests look by hand. */
    Watchdog() {}

    private static final class Shared {
        static final Watchdog INSTANCE = started();

        private static Watchdog started() {
            Watchdog watchdog = new Watchdog();
            Thread thread =
                    Thread.ofPlatform().name("mcp-watchdog").daemon().unstarted(watchdog::watch);
            watchdog.thread = thread;
            thread.start();
            return watchdog;
        }
    }

    /** Returns the watchdog of this process, whose thread the first call starts. */
    public static Watchdog shared() {
        return Shared.INSTANCE;
    }

    /** Returns how often a reader was replaced, since the process started. */
    public long replacements() {
        return replacements.get();
    }

    void replaced() {
        replacements.incrementAndGet();
    }

    void add(Relay relay) {
        relays.add(relay);
    }

    void remove(Relay relay) {
        relays.remove(relay);
    }

    /** Ends the sleep. Costs one volatile read while the watchdog is awake. */
    void wake() {
        if (asleep) {
            asleep = false;
            LockSupport.unpark(thread);
        }
    }

    private void watch() {
        int quiet = 0;
        while (true) {
            try {
                quiet = look() ? 0 : quiet + 1;
            } catch (RuntimeException | Error e) {
                LOGGER.log(Level.ERROR, "Watching readers failed; trying again in 1 s", e);
                LockSupport.parkNanos(this, PAUSE.toNanos());
            }
            if (quiet < QUIET_TICKS) {
                LockSupport.parkNanos(this, TICK.toNanos());
            } else {
                sleep();
                quiet = 0;
            }
        }
    }

    /** Sleeps until a handler starts; one that started meanwhile is seen. */
    private void sleep() {
        asleep = true;
        while (asleep && relays.stream().noneMatch(Relay::isBusy)) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /**
     * Looks at all relays once.
     *
     * @return whether any of them has run a handler since the last look
     */
    boolean look() {
        boolean active = false;
        for (Relay relay : relays) {
            active |= relay.look();
        }
        return active;
    }
}
