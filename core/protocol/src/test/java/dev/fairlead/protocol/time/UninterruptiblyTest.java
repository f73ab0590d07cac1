package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;

class UninterruptiblyTest {
    @Test
    void anInterruptNeitherEndsTheWaitNorGetsLost() {
        CountDownLatch end = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        Uninterruptibly.await(
                () -> {
                    if (Thread.currentThread().isInterrupted()) {
                        end.await(); // throws
                    }
                    end.countDown();
                });
        assertThat(end.getCount()).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }
}
