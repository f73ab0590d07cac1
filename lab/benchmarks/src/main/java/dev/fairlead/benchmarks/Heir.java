package dev.fairlead.benchmarks;

import java.util.concurrent.CountDownLatch;

/** A node that takes tasks over and lets them end at once. */
final class Heir implements AutoCloseable {
    private final CountDownLatch all;
    private final OpenEngine opened;

    Heir(String url, int tasks) {
        all = new CountDownLatch(tasks);
        opened =
                new OpenEngine(
                        url,
                        context -> {
                            all.countDown();
                            return OpenEngine.RESULT;
                        });
    }

    void awaitAll() throws InterruptedException {
        all.await();
    }

    @Override
    public void close() {
        opened.close();
    }
}
