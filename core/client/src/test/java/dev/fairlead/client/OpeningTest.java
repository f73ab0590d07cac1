package dev.fairlead.client;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.link.Opening;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

final class OpeningTest {
    private final ManualTimers timers = new ManualTimers();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Link link = closed::countDown;

    @CheckReturnValue
    private Background<Link> opening() {
        Opening opening =
                new Opening(
                        host -> {
                            Uninterruptibly.await(ready::await);
                            return link;
                        },
                        context -> {
                            throw new AssertionError("no session is opened");
                        });
        return Background.call(() -> opening.await(Duration.ofSeconds(30), timers));
    }

    @Test
    void aConnectionThatComesAfterAnInterruptIsClosed() throws Exception {
        Background<Link> opening = opening();
        await().until(() -> opening.thread.getState() == Thread.State.WAITING);
        opening.interrupt();
        assertThatThrownBy(opening::result).isInstanceOf(InterruptedException.class);
        assertThat(closed.getCount()).isEqualTo(1);
        ready.countDown();
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aConnectionThatComesAfterTheTimeoutIsClosed() throws Exception {
        Background<Link> opening = opening();
        timers.awaitTimers(1);
        timers.advance(Duration.ofSeconds(30));
        assertThatThrownBy(opening::result).hasMessage("no connection within 30 s");
        ready.countDown();
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aConnectionThatComesInTimeIsReturned() throws Exception {
        Background<Link> opening = opening();
        ready.countDown();
        assertThat(opening.result()).isSameAs(link);
        assertThat(closed.getCount()).isEqualTo(1);
    }
}
