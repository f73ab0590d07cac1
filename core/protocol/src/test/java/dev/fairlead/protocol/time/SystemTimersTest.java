package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

class SystemTimersTest {
    private final Timers timers = new SystemTimers("test-timers");
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        timers.close();
    }

    /** Waits until an action that is due after all those set so far has run. */
    private void awaitLast(Duration delay) throws InterruptedException {
        CountDownLatch last = new CountDownLatch(1);
        timers.schedule(delay, last::countDown);
        last.await();
    }

    /** Runs code while the thread of the timers has another action, then awaits all due ones. */
    private void whileBusy(Runnable code) throws InterruptedException {
        CountDownLatch free = new CountDownLatch(1);
        timers.schedule(Duration.ZERO, () -> Uninterruptibly.await(free::await));
        code.run();
        free.countDown();
        awaitLast(Duration.ZERO);
    }

    @Test
    void runActionsInTheOrderOfTheirTimes() throws Exception {
        whileBusy(
                () -> {
                    timers.schedule(Duration.ZERO, () -> ran.add("third"));
                    timers.schedule(Duration.ofDays(-1), () -> ran.add("first"));
                    timers.schedule(Duration.ofDays(-1), () -> ran.add("second"));
                });

        assertThat(ran).containsExactly("first", "second", "third");
    }

    @Test
    void anEarlierActionOvertakesTheOneThatTheThreadWaitsFor() throws Exception {
        timers.schedule(Duration.ofDays(1), () -> ran.add("late"));

        awaitLast(Duration.ofMillis(1));

        assertThat(ran).isEmpty();
    }

    @Test
    void aCancelledActionDoesNotRun() throws Exception {
        whileBusy(() -> timers.schedule(Duration.ZERO, () -> ran.add("cancelled")).cancel());

        assertThat(ran).isEmpty();
    }

    @Test
    void anActionThatFailsOrInterruptsEndsNoOther() throws Exception {
        timers.schedule(
                Duration.ZERO,
                () -> {
                    throw new IllegalStateException("of the test");
                });
        timers.schedule(
                Duration.ZERO,
                () -> {
                    throw new NoClassDefFoundError("of the test");
                });
        timers.schedule(Duration.ZERO, () -> Thread.currentThread().interrupt());

        awaitLast(Duration.ZERO);
        awaitLast(Duration.ofMillis(1));
    }

    @Test
    void actionsWithoutMemoryRunAgainBesideTheOthers() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            AtomicInteger left = new AtomicInteger(3);
            timers.schedule(
                    Duration.ZERO,
                    () -> {
                        attempts.incrementAndGet();
                        if (left.decrementAndGet() > 0) {
                            throw new OutOfMemoryError("of the test");
                        }
                        all.countDown();
                    });
        }
        awaitLast(Duration.ZERO);
        all.await();

        assertThat(attempts).hasValue(6);
    }

    @Test
    void aCancelledActionDoesNotRunAgain() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        CountDownLatch again = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Timers.Timer> own = new CompletableFuture<>();
        own.complete(
                timers.schedule(
                        Duration.ZERO,
                        () -> {
                            attempts.incrementAndGet();
                            own.join().cancel();
                            failed.countDown();
                            throw new OutOfMemoryError("of the test");
                        }));
        failed.await();
        AtomicInteger tries = new AtomicInteger();
        timers.schedule( // set after the first, and repeated with it
                Duration.ZERO,
                () -> {
                    if (tries.incrementAndGet() < 3) {
                        throw new OutOfMemoryError("of the test");
                    }
                    again.countDown();
                });
        again.await();

        assertThat(attempts).hasValue(1);
    }

    @Test
    void nothingRunsOnceTheyAreClosed() {
        timers.schedule(Duration.ofDays(1), () -> ran.add("set before"));
        timers.close();

        timers.schedule(Duration.ZERO, () -> ran.add("set after")).cancel();

        assertThat(ran).isEmpty();
    }
}
