package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A weather station where it never rains. */
final class Station {
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch rain = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    String awaitRain() throws InterruptedException {
        waiting.countDown();
        rain.await();
        return "It rains";
    }

    void release() {
        released.countDown();
    }

    void expectWaiting() throws InterruptedException {
        assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
    }

    void expectReleased() throws InterruptedException {
        assertThat(released.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
