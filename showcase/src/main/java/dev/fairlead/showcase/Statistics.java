package dev.fairlead.showcase;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How often the long tools were started, are running, and were ended early, in the whole process.
 */
final class Statistics {
    /** The counts of one tool at one moment. */
    record Counts(long started, long running, long cancelled) {}

    /** The counts of all long tools, as {@code interop_stats} gives them. */
    record Snapshot(Counts slow, Counts forever) {}

    private final AtomicLong started = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong cancelled = new AtomicLong();

    /** A piece of work that counts itself. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws Exception;
    }

    <T> T countSlow(Work<T> work) throws Exception {
        started.incrementAndGet();
        try {
            return work.run();
        } catch (InterruptedException e) {
            cancelled.incrementAndGet();
            throw e;
        } finally {
            ended.incrementAndGet();
        }
    }

    /** Tools that run until cancelled come with tasks, so {@code forever} is zero. */
    Snapshot snapshot() {
        long over = ended.get(); // read first: what has ended was started before
        long begun = started.get();
        return new Snapshot(new Counts(begun, begun - over, cancelled.get()), new Counts(0, 0, 0));
    }
}
