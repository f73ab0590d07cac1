package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

class PeriodicTaskTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final ManualTimers timers = new ManualTimers();
    private final BlockingQueue<Thread> rounds = new LinkedBlockingQueue<>();
    private final AtomicBoolean memory = new AtomicBoolean();

    private Thread thread(Runnable task) {
        return new Thread(task) {
            @Override
            public void start() {
                if (!memory.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
    }

    @Test
    void roundsFollowOnceThereAreThreadsAgain() throws Exception {
        try (PeriodicTask task =
                new PeriodicTask(
                        "test",
                        this::thread,
                        INTERVAL,
                        timers,
                        () -> rounds.add(Thread.currentThread()))) {
            task.start();
            timers.advance(INTERVAL);
            memory.set(true);
            timers.advance(INTERVAL);

            Thread round = rounds.poll(60, TimeUnit.SECONDS);
            assertThat(round).isNotNull();
            round.join();
            timers.advance(INTERVAL);
            assertThat(rounds.poll(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void aRoundThatFailsDoesNotEndTheOthers() throws Exception {
        memory.set(true);
        try (PeriodicTask task =
                new PeriodicTask(
                        "failing-test",
                        this::thread,
                        INTERVAL,
                        timers,
                        () -> {
                            rounds.add(Thread.currentThread());
                            throw new LinkageError("expected by this test");
                        })) {
            task.start();
            for (int i = 0; i < 10; i++) {
                timers.advance(INTERVAL);
                Thread round = rounds.poll(60, TimeUnit.SECONDS);
                assertThat(round).isNotNull();
                round.join();
            }
            assertThat(LastingLoop.failing()).isEqualTo("A round of failing-test failed");
        }
        assertThat(LastingLoop.failing()).isNull();
    }
}
