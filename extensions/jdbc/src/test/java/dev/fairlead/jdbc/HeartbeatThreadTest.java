package dev.fairlead.jdbc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

@Timeout(60)
class HeartbeatThreadTest {
    /** Others would take over the tasks of a node that lives. */
    @Test
    void anErrorOfABeatAndOfItsResetEndsNoHeartbeats() throws Exception {
        CountDownLatch beats = new CountDownLatch(3);
        CountDownLatch ended = new CountDownLatch(1);
        HeartbeatThread thread =
                new HeartbeatThread(
                        "test-heartbeat",
                        Duration.ofMillis(1),
                        () -> {
                            beats.countDown();
                            throw new OutOfMemoryError("of the test");
                        },
                        () -> {
                            if (beats.getCount() > 0) {
                                throw new OutOfMemoryError("of the test");
                            }
                            ended.countDown();
                        });
        thread.wake();
        beats.await();
        thread.stop();
        ended.await();
    }
}
