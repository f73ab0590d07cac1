package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.internal.Mailbox;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Queued items of a slow listener, at the edge of the limits. Each item has the size of its value.
 */
@Timeout(60)
final class MailboxTest {
    private static final int LAST = 7;

    private final BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
    private final Semaphore proceed = new Semaphore(0);
    private final Mailbox<Integer> mailbox =
            new Mailbox<>(
                    "test",
                    5,
                    100,
                    Integer::longValue,
                    item -> {
                        heard.add(item);
                        proceed.acquire();
                    });

    @AfterEach
    void close() {
        mailbox.close();
    }

    /** Has the listener take an item and keep all others waiting. */
    private void occupy() throws InterruptedException {
        mailbox.put(90);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(90);
    }

    private List<Integer> rest() throws InterruptedException {
        mailbox.put(LAST);
        proceed.release(100);
        List<Integer> rest = new ArrayList<>();
        for (Integer next = next(); next != LAST; next = next()) {
            rest.add(next);
        }
        return rest;
    }

    private int next() throws InterruptedException {
        Integer next = heard.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was heard");
        }
        return next;
    }

    @Test
    void aListenerThatFailsGetsWhatFollows() throws Exception {
        try (Mailbox<Integer> failing =
                new Mailbox<>(
                        "failing",
                        5,
                        item -> {
                            heard.add(item);
                            throw new LinkageError("expected by this test");
                        })) {
            failing.put(1);
            assertThat(next()).isEqualTo(1);
            failing.put(2);
            assertThat(next()).isEqualTo(2);
        }
    }

    @Test
    void asManyBytesWaitAsMay() throws Exception {
        occupy();
        mailbox.put(60);
        mailbox.put(100 - 60 - LAST);

        assertThat(rest()).containsExactly(60, 100 - 60 - LAST);
    }

    @Test
    void ofMoreBytesTheOldestAreDropped() throws Exception {
        occupy();
        mailbox.put(30);
        mailbox.put(31);
        mailbox.put(100 - 31 - LAST);
        mailbox.put(0);

        assertThat(rest()).containsExactly(31, 100 - 31 - LAST, 0);
    }

    @Test
    void anItemThatIsTooLargeWaitsAlone() throws Exception {
        occupy();
        mailbox.put(30);
        mailbox.put(500);
        assertThat(heard).isEmpty();
        mailbox.put(20);

        assertThat(rest()).containsExactly(20);
    }

    @Test
    void theLastItemIsDeliveredRegardlessOfItsSize() throws Exception {
        occupy();
        mailbox.put(30);
        mailbox.put(500);
        proceed.release(100);

        assertThat(next()).isEqualTo(500);
    }

    @Test
    void itemsBeingDeliveredOrAlreadyQueuedDoNotCount() throws Exception {
        occupy();
        mailbox.put(60);
        proceed.release();
        assertThat(next()).isEqualTo(60);
        mailbox.put(50);
        mailbox.put(100 - 50 - LAST);
        mailbox.putOnce(50);

        assertThat(rest()).containsExactly(50, 100 - 50 - LAST);
    }

    @Test
    void ofMoreItemsTheOldestAreDropped() throws Exception {
        occupy();
        for (int i = 0; i < 5; i++) {
            mailbox.put(10 + i);
        }

        assertThat(rest()).containsExactly(11, 12, 13, 14);
    }
}
