package dev.fairlead.protocol.engine;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether the handler of a tool, prompt, resource or method ends quickly, by its latest runs.
 *
 * <p>A handler is slow until more than {@value #PROOF} runs were quick. Each run longer than 0.1 ms
 * counts against it, and each longer than 1 ms counts {@value #VERY_SLOW} times. There is no mean:
 * a thread that was preempted once on a busy machine does not make a handler slow, and a slow
 * handler is known after a few runs. Thread-safe.
 */
public final class Pace {
    private static final System.Logger LOGGER = System.getLogger(Pace.class.getName());

    /** A handler with a lower score is quick; the score starts at twice that. */
    private static final int PROOF = 32;

    private static final int VERY_SLOW = 8;
    private static final long SLOW_NANOS = 100_000;
    private static final long VERY_SLOW_NANOS = 1_000_000;

    private final String subject;
    private final AtomicInteger score = new AtomicInteger(2 * PROOF);

    /**
     * Creates the pace of a handler that has not run yet.
     *
     * @param subject whose it is, for logs: {@code the tool greet}
     */
    public Pace(String subject) {
        this.subject = subject;
    }

    /** Returns whose pace it is. */
    public String subject() {
        return subject;
    }

    /** Returns whether the next run is expected to be quick. */
    public boolean isQuick() {
        return score.get() < PROOF;
    }

    /**
     * Counts a run, and logs at level DEBUG if the handler has become quick or slow by it.
     *
     * @param nanos how long the handler took
     */
    public void ran(long nanos) {
        int step = nanos > VERY_SLOW_NANOS ? VERY_SLOW : nanos > SLOW_NANOS ? 1 : -1;
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

    private static int next(int now, int step) {
        return Math.max(0, Math.min(2 * PROOF, now + step));
    }
}
