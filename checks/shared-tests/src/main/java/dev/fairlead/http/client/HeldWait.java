package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.time.Uninterruptibly;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Waits of a client for one duration, which last until a test ends them. */
final class HeldWait implements UnaryOperator<Duration> {
    private final Duration due;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    HeldWait(Duration due) {
        this.due = due;
    }

    @Override
    public Duration apply(Duration wait) {
        if (!wait.equals(due)) {
            return wait;
        }
        begun.countDown();
        Uninterruptibly.await(over::await);
        return Duration.ZERO;
    }

    void awaitBegun() throws InterruptedException {
        assertThat(begun.await(60, TimeUnit.SECONDS)).as("the client waits for " + due).isTrue();
    }

    void end() {
        over.countDown();
    }
}
