package dev.fairlead.protocol.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same action on several threads that start together. */
final class Threads {
    private Threads() {}

    /** Returns the sum of the results. */
    static int sum(int threads, Callable<Integer> action) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(
                        executor.submit(
                                () -> {
                                    start.await();
                                    return action.call();
                                }));
            }
            int sum = 0;
            for (Future<Integer> one : running) {
                sum += one.get();
            }
            return sum;
        }
    }
}
