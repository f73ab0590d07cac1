package dev.fairlead.benchmarks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What callers got done in some time, each on a virtual thread with one task after the other.
 *
 * @param millis how long each task took
 */
record Round(double perSecond, List<Double> millis) {
    static final int CALLERS = 64;

    static Round of(Lifecycle lifecycle, Duration time) throws Exception {
        List<List<Double>> taken = new ArrayList<>();
        List<Thread> callers = new ArrayList<>();
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        long start = System.nanoTime();
        long end = start + time.toNanos();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            List<Double> own = new ArrayList<>();
            taken.add(own);
            callers.add(
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    call(lifecycle, caller, end, own);
                                } catch (Exception e) {
                                    failure.compareAndSet(null, e);
                                }
                            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Exception first = failure.get();
        if (first != null) {
            throw first;
        }
        List<Double> all = taken.stream().flatMap(List::stream).toList();
        return new Round(all.size() / seconds, all);
    }

    private static void call(Lifecycle lifecycle, int caller, long end, List<Double> taken)
            throws Exception {
        long before = System.nanoTime();
        do { // a caller that begins late still counts
            lifecycle.once(caller);
            long now = System.nanoTime();
            taken.add((now - before) / 1e6);
            before = now;
        } while (before < end);
    }
}
