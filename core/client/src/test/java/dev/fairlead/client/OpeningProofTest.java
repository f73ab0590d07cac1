package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.link.Opening;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.time.ManualTimers;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** An interrupt at any moment of a connection, in many rounds. */
@Tag("proof")
class OpeningProofTest {
    private final ManualTimers timers = new ManualTimers();

    /** The connection comes before, while, or after the caller is interrupted. */
    @Test
    void aConnectionThatRacesWithAnInterruptIsReturnedOrClosed() throws Exception {
        for (int i = 0; i < 500; i++) {
            CountDownLatch ready = new CountDownLatch(1);
            CountDownLatch closed = new CountDownLatch(1);
            Link link = closed::countDown;
            Opening opening =
                    new Opening(
                            host -> {
                                while (ready.getCount()
                                        > 0) { // at once, unlike a thread that is woken
                                    Thread.yield();
                                }
                                return link;
                            },
                            context -> {
                                throw new AssertionError("no session is opened");
                            });
            FutureTask<Link> waiting =
                    new FutureTask<>(() -> opening.await(Duration.ofSeconds(30), timers));
            Thread waiter = Thread.ofPlatform().start(waiting);
            while (waiter.getState() != Thread.State.WAITING && !waiting.isDone()) {
                Thread.yield();
            }
            ready.countDown();
            for (int spin = 0; spin < i % 50 * 4; spin++) {
                Thread.onSpinWait();
            }
            waiter.interrupt();
            if (!isReturned(waiting)) {
                assertThat(closed.await(30, TimeUnit.SECONDS)).as("closed " + i).isTrue();
            }
        }
    }

    private static boolean isReturned(FutureTask<Link> waiting) throws Exception {
        try {
            return waiting.get() != null;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(InterruptedException.class);
            return false;
        }
    }
}
