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

    private final Counter slow = new Counter();
    private final Counter forever = new Counter();

    /** A piece of work that is counted. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws Exception;
    }

    <T> T countSlow(Work<T> work) throws Exception {
        return slow.count(work);
    }

    <T> T countForever(Work<T> work) throws Exception {
        return forever.count(work);
    }

    Snapshot snapshot() {
        return new Snapshot(slow.counts(), forever.counts());
    }

    /** Counts the work of one tool. */
    private static final class Counter {
        private final AtomicLong started = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final AtomicLong cancelled = new AtomicLong();

        <T> T count(Work<T> work) throws Exception {
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

        Counts counts() {
            long over = ended.get(); // read first: every run that has ended was started before
            long begun = started.get();
            return new Counts(begun, begun - over, cancelled.get());
        }
    }
}
