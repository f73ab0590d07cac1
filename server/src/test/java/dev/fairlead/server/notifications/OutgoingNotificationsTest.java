package dev.fairlead.server.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.changes.ListKind;

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

    private static RuntimeException failed(Class<? extends Throwable> failure) {
        if (failure == LinkageError.class) {
            throw new LinkageError("a class is missing");
        }
        return new IllegalStateException("broken transport");
    }
}
