package dev.fairlead.protocol.pipe;

import java.util.concurrent.CountDownLatch;

/** Waits that an interrupt does not end; it stays set. */
final class Uninterruptibly {
    private Uninterruptibly() {}

    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
