package dev.fairlead.server.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.changes.ListKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@Timeout(60)
class OutgoingNotificationsTest {
    private final LinkedBlockingQueue<String> sent = new LinkedBlockingQueue<>();

    @Test
    void aTransportThatFailsGetsTheNextOneAllTheSame() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        OutgoingNotifications queue =
                new OutgoingNotifications(
                        notification -> {
                            if (notification.method().contains("tools")) {
                                failed.countDown();
                                throw new IllegalStateException("broken transport");
                            }
                            sent.add(notification.method());
                        });
        queue.open();
        queue.listChanged(ListKind.TOOLS, null);
        failed.await();
        queue.listChanged(ListKind.PROMPTS, null);

        assertThat(sent.poll(30, TimeUnit.SECONDS)).isEqualTo("notifications/prompts/list_changed");
    }
}
