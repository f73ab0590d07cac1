package dev.fairlead.server.notifications;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@Timeout(60)
class OutgoingNotificationsTest {
    private final LinkedBlockingQueue<String> sent = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, LinkageError.class})
    void aTransportThatFailsGetsTheNextOneAllTheSame(Class<? extends Throwable> failure)
            throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        OutgoingNotifications queue =
                new OutgoingNotifications(
                        notification -> {
                            if (notification.method().contains("tools")) {
                                failed.countDown();
                                throw failed(failure);
                            }
                            sent.add(notification.method());
                        });
        queue.open();
        queue.listChanged(ListKind.TOOLS, null);
        failed.await();
        queue.listChanged(ListKind.PROMPTS, null);

        assertThat(sent.poll(30, TimeUnit.SECONDS)).isEqualTo("notifications/prompts/list_changed");
    }

    @Test
    void whatIsBeingSentAndWhatWaitsIsUnsent() throws Exception {
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        OutgoingNotifications queue =
                new OutgoingNotifications(
                        notification -> {
                            sending.countDown();
                            Uninterruptibly.await(released::await);
                            sent.add(notification.method());
                        });
        queue.open();
        queue.resourceUpdated("a://b", null);
        sending.await();
        queue.listChanged(ListKind.TOOLS, null);

        assertThat(queue.unsent())
                .extracting(OutgoingNotifications.Unsent::key)
                .containsExactly(
                        "notifications/resources/updated a://b",
                        "notifications/tools/list_changed ");
        released.countDown();
        assertThat(sent.poll(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(sent.poll(30, TimeUnit.SECONDS)).isNotNull();
        await().untilAsserted(() -> assertThat(queue.unsent()).isEmpty());
    }

    private static RuntimeException failed(Class<? extends Throwable> failure) {
        if (failure == LinkageError.class) {
            throw new LinkageError("a class is missing");
        }
        return new IllegalStateException("broken transport");
    }
}
