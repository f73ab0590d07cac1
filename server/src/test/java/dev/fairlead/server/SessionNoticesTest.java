package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** What a session is to be told while its client is slow. */
class SessionNoticesTest {
    private static final JsonRpcNotification CHANGED = new JsonRpcNotification("changed", null);

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);

    private void slowly(JsonRpcNotification notification) {
        stuck.countDown();
        try {
            free.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        sent.add(notification.method());
    }

    @Test
    void equalNoticesThatWaitBecomeOneAndHoldNobodyUp() throws Exception {
        SessionNotices notices = new SessionNotices(this::slowly);
        notices.open();
        notices.add("a", CHANGED);
        stuck.await();
        for (int i = 0; i < 1_000; i++) {
            notices.add("a", CHANGED);
        }
        notices.add("b", CHANGED);
        notices.add("end", new JsonRpcNotification("end", null));

        free.countDown();

        Waiting.until(() -> sent.contains("end"));
        assertThat(sent).containsExactly("changed", "changed", "changed", "end");
    }

    @Test
    void nothingIsSentOnceTheSessionIsClosed() throws Exception {
        SessionNotices notices = new SessionNotices(this::slowly);
        notices.open();
        notices.add("a", CHANGED);
        stuck.await();
        notices.add("b", CHANGED);

        notices.close();
        notices.add("c", CHANGED);
        free.countDown();

        Waiting.until(() -> sent.size() == 1);
        assertThat(sent).containsExactly("changed");
    }

    @Test
    void aLostConnectionDoesNotStopWhatComesLater() {
        SessionNotices notices =
                new SessionNotices(
                        notification -> {
                            sent.add(notification.method());
                            throw new ConnectionException("lost");
                        });
        notices.add("a", CHANGED);
        notices.add("b", CHANGED);
        notices.open();

        Waiting.until(() -> sent.size() == 2);
    }
}
