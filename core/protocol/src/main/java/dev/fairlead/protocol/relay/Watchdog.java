package dev.fairlead.protocol.relay;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Checks the readers of relays once a tick while handlers run on them, and sleeps while none does.
 * Its thread is a daemon, and ends with the last relay.
 */
public final class Watchdog {
    private static final System.Logger LOGGER = System.getLogger(Watchdog.class.getName());

    /** The interval of the checks: a handler may hold its reader for one to two ticks. */
    static final Duration TICK = Duration.ofMillis(1);

    private static final String FAILED = "Watching readers failed; trying again in 1 s";

    /** The pause after a failure, so that it does not flood the log. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** The number of ticks without any handler before the watchdog sleeps. */
    private static final int QUIET_TICKS = 50;

    private static final Watchdog SHARED =
            new Watchdog(new Parking(), QUIET_TICKS, new CopyOnWriteArrayList<>());

    private final List<Relay> relays;
    private final AtomicLong replacements = new AtomicLong();

    /** Readers that were replaced while they waited, until their handler ends. */
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    private final @Nullable Parking parking; // null without a thread
    private final int quietTicks;
    private volatile @Nullable WatchdogThread
            running; // changed under the monitor; null without relays

    /** Creates a watchdog without a thread: tests run its checks themselves. */
    Watchdog() {
        this(null, QUIET_TICKS, new CopyOnWriteArrayList<>());
    }

    /**
     * Creates a watchdog; a test passes its own parking and relays to order the actions of the
     * threads.
     *
     * @param quietTicks how many ticks without any handler pass before the watchdog sleeps
     */
    Watchdog(@Nullable Parking parking, int quietTicks, List<Relay> relays) {
        this.parking = parking;
        this.quietTicks = quietTicks;
        this.relays = relays;
    }

    /** Creates the thread of a watchdog, and lets it wait. */
    static class Parking {
        Thread thread(Runnable watching) {
            return HandlerThread.unstarted(
                    Thread.ofPlatform().name("mcp-watchdog").daemon(), watching);
        }

        void pause(Object blocker, Duration time) {
            LockSupport.parkNanos(blocker, time.toNanos());
        }

        void park(Object blocker) {
            LockSupport.park(blocker);
        }

        void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }
    }

    /** Returns the watchdog of this process, which has a thread while there are relays. */
    public static Watchdog shared() {
        return SHARED;
    }

    /** Returns how often a reader was replaced, since the process started. */
    public long replacements() {
        return replacements.get();
    }

    /**
     * Returns whether the current thread runs a handler for which it was replaced as a reader,
     * since the handler waited: the thread was not merely preempted, and the handler did not
     * compute.
     */
    public boolean hasWaited() {
        return waiting.contains(Thread.currentThread());
    }

    void waits(Thread reader) {
        waiting.add(reader);
    }

    /** Records that the handler of a reader has ended, or was not replaced. */
    void ended(Thread reader) {
        waiting.remove(reader);
    }

    void replaced() {
        replacements.incrementAndGet();
    }

    synchronized void add(Relay relay) {
        relays.add(relay);
        if (parking != null && running == null) {
            WatchdogThread fresh = new WatchdogThread(parking);
            running = fresh;
            try {
                fresh.thread.start();
            } catch (OutOfMemoryError e) { // the system has no more threads
                running = null;
                relays.remove(relay);
                throw e;
            }
        }
    }

    synchronized void remove(Relay relay) {
        relays.remove(relay);
        WatchdogThread former = running;
        if (relays.isEmpty() && former != null) {
            running = null;
            former.parking.unpark(former.thread);
        }
    }

    /** Ends the sleep. Costs two volatile reads while the watchdog is awake. */
    void wake() {
        WatchdogThread current = running;
        if (current != null && current.asleep) {
            current.asleep = false;
            current.parking.unpark(current.thread);
        }
    }

    /** The thread of the watchdog, while there are relays. */
    private final class WatchdogThread {
        private final Parking parking;
        private final Thread thread;
        private volatile boolean asleep;

        WatchdogThread(Parking parking) {
            this.parking = parking;
            this.thread = parking.thread(this::run);
        }

        private boolean isDue() {
            return running == this;
        }

        private void run() {
            int quiet = 0;
            int failures = 0;
            while (isDue()) {
                try {
                    quiet = look() ? 0 : quiet + 1;
                    failures = LastingLoop.succeeded(failures, FAILED);
                    if (quiet < quietTicks) {
                        parking.pause(this, TICK);
                    } else {
                        sleep();
                        quiet = 0;
                    }
                } catch (
                        Throwable e) { // without this thread a handler that blocks holds its reader
                    failures = LastingLoop.failed(failures, FAILED);
                    LimitedLog.failed(LOGGER, Level.ERROR, "", e, FAILED);
                    parking.pause(this, PAUSE);
                }
            }
        }

        /** Sleeps until a handler starts; one that has started meanwhile is noticed. */
        private void sleep() {
            asleep = true;
            while (asleep && isDue() && !isAnyBusy()) {
                parking.park(this);
            }
            asleep = false;
        }
    }

    private boolean isAnyBusy() {
        for (Relay relay : relays) {
            if (relay.isBusy()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks all relays once.
     *
     * @return whether any of them has run a handler since the last check
     */
    boolean look() {
        boolean active = false;
        for (Relay relay : relays) {
            active |= relay.look();
        }
        return active;
    }
}
