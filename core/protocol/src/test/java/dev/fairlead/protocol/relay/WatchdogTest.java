package dev.fairlead.protocol.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;

/** The thread of the watchdog that all relays of a process share. */
@Timeout(60)
class WatchdogTest {
    private static Thread watching() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("mcp-watchdog"))
                .findFirst()
                .orElse(null);
    }

    /** A relay whose first reader blocks in a handler until a second one reads. */
    private static void relieve() throws InterruptedException {
        CountDownLatch relieved = new CountDownLatch(2);
        Relay[] relay = new Relay[1];
        relay[0] =
                new Relay(
                        "reader",
                        Thread.ofVirtual().factory(),
                        Watchdog.shared(),
                        () -> {
                            relieved.countDown();
                            relay[0].run("handler", () -> await(relieved));
                        });
        relay[0].start();
        relieved.await();
        assertThat(watching()).isNotNull();
        relay[0].stop();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void itEndsWithTheLastRelayAndStartsWithTheNext() throws InterruptedException {
        relieve();
        Thread first = watching();
        if (first != null) { // it may have ended by now
            first.join();
        }

        relieve();
        assertThat(Watchdog.shared().replacements()).isGreaterThanOrEqualTo(2);
    }
}
