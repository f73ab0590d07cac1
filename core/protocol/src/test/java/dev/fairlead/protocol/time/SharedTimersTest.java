package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Many owners share one thread. */
@Timeout(90)
class SharedTimersTest {
    private final SharedTimers shared = new SharedTimers("shared");

    private static Thread thread(Timers timers) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        timers.schedule(Duration.ZERO, () -> thread.complete(Thread.currentThread()));
        return thread.get();
    }

    @Test
    void theThreadEndsWithTheLastOwner() throws Exception {
        Timers first = shared.open();
        Timers second = shared.open();
        Thread thread = thread(first);
        assertThat(thread(second)).isSameAs(thread);

        first.close();
        first.close();
        assertThat(thread(second)).isSameAs(thread);

        second.close();
        thread.join();
    }

    @Test
    void laterOwnersHaveANewOne() throws Exception {
        Timers first = shared.open();
        Thread thread = thread(first);
        first.close();

        Timers second = shared.open();
        assertThat(thread(second)).isNotSameAs(thread);
        second.close();
    }
}
