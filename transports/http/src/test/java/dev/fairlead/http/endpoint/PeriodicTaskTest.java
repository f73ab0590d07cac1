package dev.fairlead.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Timers;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

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
                        this::thread, INTERVAL, timers, () -> rounds.add(Thread.currentThread()))) {
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

    /** Timers that find no memory for a round again and again. */
    private final class ScarceTimers implements Timers {
        private final AtomicInteger calls = new AtomicInteger();
        private final Timers real = timers;

        @Override
        public Clock clock() {
            return real.clock();
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            if (calls.incrementAndGet() % 2 == 0) {
                throw new OutOfMemoryError("of the test");
            }
            return real.schedule(delay, action);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @Test
    void roundsFollowAlthoughThereWasNoMemoryToScheduleOne() throws Exception {
        memory.set(true);
        try (PeriodicTask task =
                new PeriodicTask(
                        this::thread,
                        INTERVAL,
                        new ScarceTimers(),
                        () -> rounds.add(Thread.currentThread()))) {
            task.start();
            for (int i = 0; i < 3; i++) {
                timers.advance(INTERVAL);
                rounds.take().join();
            }
        }
    }

    @Test
    void aRoundThatFailsDoesNotEndTheOthers() throws Exception {
        memory.set(true);
        try (PeriodicTask task =
                new PeriodicTask(
                        this::thread,
                        INTERVAL,
                        timers,
                        () -> {
                            rounds.add(Thread.currentThread());
                            throw new LinkageError("expected by this test");
                        })) {
            task.start();
            for (int i = 0; i < 2; i++) {
                timers.advance(INTERVAL);
                Thread round = rounds.poll(60, TimeUnit.SECONDS);
                assertThat(round).isNotNull();
                round.join();
            }
        }
    }
}
