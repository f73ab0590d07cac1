package dev.fairlead.protocol.engine;

import dev.fairlead.protocol.relay.Watchdog;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Estimates whether the handler of a tool, prompt, resource or method ends quickly, by its latest
 * runs.
 *
 * <p>A handler is slow until more than {@value #PROOF} runs were quick. Each run longer than 0.1 ms
 * counts against it, and each longer than 1 ms counts {@value #VERY_SLOW} times. There is no mean:
 * a thread that was preempted once on a busy machine does not make a handler slow, and a slow
 * handler is known after a few runs.
 *
 * <p>A handler that waits on the thread that reads, so that another thread has to read meanwhile,
 * is slow from then on, until {@value #PROOF} runs were quick, twice as many the next time, and at
 * most {@value #MOST_OWED}: so also a handler that waits now and then gets threads of its own.
 * Thread-safe.
 */
public final class Pace {
    private static final System.Logger LOGGER = System.getLogger(Pace.class.getName());

    /** The score below which a handler is quick; it starts at twice that. */
    private static final int PROOF = 32;

    private static final int VERY_SLOW = 8;
    private static final long SLOW_NANOS = 100_000;
    private static final long VERY_SLOW_NANOS = 1_000_000;

    private static final int MOST_OWED = 65_536;

    private final String subject;
    private final AtomicInteger score = new AtomicInteger(2 * PROOF);

    /** The number of runs that must be quick after the handler has waited. */
    private final AtomicInteger owed = new AtomicInteger();

    private final AtomicInteger lastOwed = new AtomicInteger(PROOF / 2);

    /**
     * Creates the pace of a handler that has not run yet.
     *
     * @param subject the name of the handler for logs: {@code the tool greet}
     */
    public Pace(String subject) {
        this.subject = subject;
    }

    /** Returns the name of the handler. */
    public String subject() {
        return subject;
    }

    /** Returns whether the next run is expected to be quick. */
    public boolean isQuick() {
        return score.get() < PROOF && owed.get() == 0;
    }

    /**
     * Counts a run, and logs at level DEBUG if the handler has become quick or slow by it.
     *
     * @param nanos how long the handler took
     */
    public void ran(long nanos) {
        if (nanos > VERY_SLOW_NANOS && Watchdog.shared().hasWaited()) {
            waited();
        }
        int step = nanos > VERY_SLOW_NANOS ? VERY_SLOW : nanos > SLOW_NANOS ? 1 : -1;
        if (step < 0 && owed.get() > 0) {
            owed.updateAndGet(now -> Math.max(0, now - 1));
        }
        if (step < 0 && score.get() == 0) { // the usual case writes nothing
            return;
        }
        int before = score.getAndUpdate(now -> next(now, step));
        int after = next(before, step);
        if (before < PROOF && after >= PROOF) {
            LOGGER.log(Level.DEBUG, "{0} is slow now: it gets threads of its own", subject);
        } else if (before >= PROOF && after < PROOF) {
            LOGGER.log(Level.DEBUG, "{0} is quick now: a thread that reads may run it", subject);
        }
    }

    /** Records that the handler has waited on the thread that reads. */
    void waited() {
        int due = lastOwed.updateAndGet(last -> Math.min(2 * last, MOST_OWED));
        owed.set(due);
        LOGGER.log(
                Level.DEBUG,
                "{0} waits: it gets threads of its own for {1} runs",
                subject,
                Integer.toString(due));
    }

    private static int next(int now, int step) {
        return Math.max(0, Math.min(2 * PROOF, now + step));
    }
}
