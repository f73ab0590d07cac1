package dev.fairlead.server.call;

import dev.fairlead.protocol.engine.LogText;
import dev.fairlead.protocol.time.LastingLoop;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds handlers that occupy all carrier threads, so that no other virtual thread of the process
 * can run: those that compute for long or call native code without {@link
 * dev.fairlead.server.ToolDeclaration#blocking}.
 *
 * <p>While handlers run, it starts a probe on a virtual thread at every beat. A probe that has not
 * run at the next beat was kept from it; the handlers that are on a carrier then are logged with
 * their stacks, at most once in {@link #PAUSE}. It watches real threads, so it has a platform
 * thread of its own and the time of the system, also if the server has other timers.
 */
public final class CarrierWatchdog {
    private static final System.Logger LOGGER = System.getLogger(CarrierWatchdog.class.getName());

    static final Duration BEAT = Duration.ofSeconds(1);

    /** A beat that is later than this was held up with the whole machine: it proves nothing. */
    private static final Duration LATE = Duration.ofMillis(500);

    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MAX_HANDLERS = 8;
    private static final int MAX_FRAMES = 40;

    private final RunningHandlers running;
    private final Thread thread =
            Thread.ofPlatform()
                    .daemon()
                    .name("mcp-carrier-watchdog")
                    .unstarted(
                            LastingLoop.task(
                                    LOGGER, "", "Watching the carrier threads failed", this::look));
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    // used by the thread only
    private @Nullable Probe probe;
    private long beat = System.nanoTime();
    private long nextReport = beat;

    /** A virtual thread that only shows that it ran. */
    private static final class Probe {
        private volatile boolean ran;

        Probe() {
            Thread.ofVirtual().name("mcp-carrier-probe").start(() -> ran = true);
        }
    }

    public CarrierWatchdog(RunningHandlers running) {
        this.running = running;
    }

    /** Begins to watch, unless it did; does nothing once it is closed. */
    public void start() {
        if (!started.get() && closed.getCount() > 0 && started.compareAndSet(false, true)) {
            thread.start();
        }
    }

    /** Stops watching. */
    public void close() {
        closed.countDown();
    }

    /** Looks at the next beat. Returns false once it is closed. */
    private boolean look() throws InterruptedException {
        if (closed.await(BEAT.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        long now = System.nanoTime();
        boolean onTime = now - beat < BEAT.plus(LATE).toNanos();
        beat = now;
        if (probe == null || probe.ran) {
            probe = null;
            probe = running.isEmpty() ? null : new Probe();
        } else if (onTime && now - nextReport >= 0) {
            nextReport = now + PAUSE.toNanos();
            report();
        }
        return true;
    }

    private void report() {
        List<RunningHandlers.Entry> mounted =
                running.entries().stream()
                        .filter(entry -> isMounted(entry.thread))
                        .sorted(Comparator.comparingLong(entry -> entry.startNanos))
                        .limit(MAX_HANDLERS)
                        .toList();
        LOGGER.log(
                Level.WARNING,
                "No virtual thread could run for "
                        + BEAT.toSeconds()
                        + " s, because all carrier threads are occupied. Handlers that occupy one: "
                        + (mounted.isEmpty()
                                ? "none of this server"
                                : mounted.size()
                                        + "; declare tools that compute for long or call native"
                                        + " code with blocking()")
                        + mounted.stream()
                                .map(CarrierWatchdog::describe)
                                .collect(Collectors.joining()));
    }

    /**
     * The text of a virtual thread ends with its carrier while it has one; nothing else shows it.
     */
    private static boolean isMounted(Thread thread) {
        return thread.isVirtual() && thread.toString().lastIndexOf('@') > 0;
    }

    private static String describe(RunningHandlers.Entry entry) {
        Duration duration = Duration.ofNanos(System.nanoTime() - entry.startNanos);
        return "\n"
                + LogText.clean(entry.subject()) // a client may have chosen the name
                + ", running for "
                + duration.toSeconds()
                + " s"
                + Stream.of(entry.thread.getStackTrace())
                        .limit(MAX_FRAMES)
                        .map(frame -> "\n\tat " + frame)
                        .collect(Collectors.joining());
    }
}
