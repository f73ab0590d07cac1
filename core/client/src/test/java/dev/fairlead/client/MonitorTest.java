package dev.fairlead.client;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Monitor;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class MonitorTest {
    private final ManualTimers timers = new ManualTimers();
    private final Monitor monitor = new Monitor(timers);
    private int count; // guarded by monitor

    private Background<Boolean> waitingForTwo() {
        return Background.call(() -> monitor.await(() -> count == 2, Duration.ofSeconds(30)));
    }

    @Test
    void aWaitEndsWithTheChangeThatIsWanted() throws Exception {
        Background<Boolean> waiting = waitingForTwo();
        timers.awaitTimers(1);
        monitor.change(() -> count++);
        await().until(() -> waiting.thread.getState() == Thread.State.WAITING);
        monitor.change(() -> count++);
        assertThat(waiting.result()).isTrue();
        assertThat(monitor.read(() -> count)).isEqualTo(2);
    }

    @Test
    void aWaitEndsWithItsTime() throws Exception {
        Background<Boolean> waiting = waitingForTwo();
        timers.awaitTimers(1);
        timers.advance(Duration.ofSeconds(30));
        assertThat(waiting.result()).isFalse();
    }

    @Test
    void aWaitEndsWithAnInterrupt() throws Exception {
        Background<Boolean> waiting = waitingForTwo();
        timers.awaitTimers(1);
        waiting.interrupt();
        assertThatThrownBy(waiting::result).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aStateThatIsWantedAlreadyNeedsNoTime() throws Exception {
        monitor.change(() -> count = 2);
        assertThat(monitor.await(() -> count == 2, Duration.ofSeconds(30))).isTrue();
    }
}
