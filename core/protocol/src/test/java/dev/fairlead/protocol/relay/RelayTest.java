package dev.fairlead.protocol.relay;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.time.Uninterruptibly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The watchdog has no thread here: these tests look when they say so. */
@Timeout(300)
class RelayTest {
    private static final Runnable END = () -> {};

    private final Watchdog watchdog = new Watchdog();
    private final BlockingQueue<Runnable> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<Thread> ended = new LinkedBlockingQueue<>(); // readings
    private final Semaphore returned = new Semaphore(0); // from handlers, as the reader
    private final AtomicInteger reading = new AtomicInteger();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final AtomicInteger threadsLeft = new AtomicInteger();
    private Relay relay = relay();

    private Relay relay() {
        return new Relay("reader", Thread.ofVirtual().factory(), watchdog, this::read);
    }

    @BeforeEach
    void start() {
        relay.start();
    }

    @AfterEach
    void stop() {
        requests.add(END);
        relay.stop();
    }

    private void read() {
        while (relay.isReader()) {
            if (reading.incrementAndGet() != 1) {
                errors.add("two threads read");
            }
            Runnable request = take(requests);
            reading.decrementAndGet();
            if (request == END) {
                break;
            }
            relay.run("handler", request);
            if (relay.isReader()) {
                if (Thread.currentThread().getContextClassLoader() != loader) {
                    errors.add(
                            "threads of slow handlers would inherit the class loader of a handler");
                }
                returned.release();
            }
        }
        ended.add(Thread.currentThread());
    }

    private static <T> T take(BlockingQueue<T> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs an action as a handler and returns the thread on which it ran. */
    private Thread handle(Runnable action) {
        BlockingQueue<Thread> thread = new LinkedBlockingQueue<>();
        requests.add(
                () -> {
                    action.run();
                    thread.add(Thread.currentThread());
                });
        return take(thread);
    }

    /** A handler that blocks until it is released. */
    private static final class Blocked implements Runnable {
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile Thread thread = Thread.currentThread();

        @Override
        public void run() {
            thread = Thread.currentThread();
            started.countDown();
            await(released);
            done.countDown();
        }

        Blocked awaitStart() {
            await(started);
            return this;
        }

        void release() {
            released.countDown();
            await(done);
        }

        private static void await(CountDownLatch latch) {
            Uninterruptibly.await(
                    () -> {
                        if (!latch.await(60, TimeUnit.SECONDS)) {
                            throw new AssertionError("timed out");
                        }
                    });
        }
    }

    private Blocked block() {
        Blocked handler = new Blocked();
        requests.add(handler);
        return handler.awaitStart();
    }

    @Test
    void aHandlerThatWaitsIsKnownFromOneThatComputes() throws Exception {
        BlockingQueue<Boolean> waited = new LinkedBlockingQueue<>();
        Blocked blocked = new Blocked();
        requests.add(
                () -> {
                    blocked.run();
                    waited.add(watchdog.hasWaited());
                });
        blocked.awaitStart();
        await("a handler that waits")
                .until(() -> blocked.thread.getState() == Thread.State.TIMED_WAITING);
        while (watchdog.replacements() == 0) {
            watchdog.look();
        }
        blocked.release();
        assertThat(waited.take()).isTrue();

        AtomicBoolean active = new AtomicBoolean(true);
        AtomicInteger computed = new AtomicInteger();
        requests.add(
                () -> {
                    while (active.get()) {
                        computed.incrementAndGet();
                    }
                    waited.add(watchdog.hasWaited());
                });
        while (watchdog.replacements() == 1) {
            watchdog.look();
        }
        active.set(false);
        assertThat(waited.take()).isFalse();
        handle(() -> waited.add(watchdog.hasWaited()));
        assertThat(waited.take()).isFalse();
    }

    @Test
    void quickHandlersRunOnOneThread() {
        Thread first = handle(() -> {});

        assertThat(handle(() -> {})).isSameAs(first);
        assertThat(watchdog.replacements()).isZero();
    }

    @Test
    void aHandlerThatIsSeenTwiceLosesTheReading() {
        Blocked handler = block();

        watchdog.look();
        assertThat(watchdog.replacements()).isZero();
        watchdog.look();
        assertThat(watchdog.replacements()).isOne();
        assertThat(handle(() -> {})).isNotSameAs(handler.thread);

        handler.release();
        assertThat(take(ended)).isSameAs(handler.thread);
        assertThat(handle(() -> {})).isNotSameAs(handler.thread);
    }

    @Test
    void twoLooksAtTwoHandlersReplaceNoReader() {
        Blocked first = block();
        watchdog.look();
        first.release();
        Blocked second = block();
        watchdog.look();

        assertThat(watchdog.replacements()).isZero();
        second.release();
        assertThat(handle(() -> {})).isSameAs(second.thread);
    }

    @Test
    void everyBlockedHandlerLosesTheReadingInTurn() {
        List<Blocked> handlers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            handlers.add(block());
            watchdog.look();
            watchdog.look();
        }

        assertThat(watchdog.replacements()).isEqualTo(5);
        assertThat(handlers.stream().map(handler -> handler.thread)).doesNotHaveDuplicates();
        handlers.forEach(Blocked::release);
        handle(() -> {});
        assertThat(errors).isEmpty();
    }

    @Test
    void aHandlerThatRunsAnotherGivesItAThreadOfItsOwn() {
        BlockingQueue<Thread> inner = new LinkedBlockingQueue<>();

        Thread outer = handle(() -> relay.run("inner", () -> inner.add(Thread.currentThread())));

        assertThat(take(inner)).isNotSameAs(outer);
    }

    @Test
    void otherThreadsRunHandlersOnThreadsOfTheirOwn() {
        BlockingQueue<Thread> thread = new LinkedBlockingQueue<>();

        relay.run("other", () -> thread.add(Thread.currentThread()));

        assertThat(take(thread)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void aFormerReaderRunsHandlersOnThreadsOfTheirOwn() {
        BlockingQueue<Thread> later = new LinkedBlockingQueue<>();
        Blocked blocked = new Blocked();
        requests.add(
                () -> {
                    blocked.run();
                    relay.run("later", () -> later.add(Thread.currentThread()));
                });
        blocked.awaitStart();
        watchdog.look();
        watchdog.look();
        blocked.release();

        assertThat(take(later)).isNotSameAs(blocked.thread);
    }

    @Test
    void handlersFindTheirThreadClean() {
        Thread first =
                handle(
                        () -> {
                            Thread current = Thread.currentThread();
                            current.setName("changed");
                            current.setContextClassLoader(new ClassLoader() {});
                            current.interrupt();
                        });
        List<Object> found = new ArrayList<>();
        Thread second =
                handle(
                        () -> {
                            Thread current = Thread.currentThread();
                            found.add(current.getName());
                            found.add(current.getContextClassLoader());
                            found.add(current.isInterrupted());
                        });

        assertThat(second).isSameAs(first);
        assertThat(found).containsExactly("handler", loader, false);
        assertThat(errors).isEmpty();
    }

    /** A thread that, like a virtual one, cannot be started again after its start has failed. */
    private final class Unstartable extends Thread {
        private boolean failed;

        Unstartable(Runnable task) {
            super(task);
        }

        @Override
        public void start() {
            if (failed) {
                throw new IllegalThreadStateException("Already started");
            }
            failed = threadsLeft.getAndDecrement() <= 0;
            if (failed) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            super.start();
        }
    }

    @Test
    void theReadingContinuesOnceThereAreThreadsAgain() {
        requests.add(END);
        take(ended);
        relay.stop();
        threadsLeft.set(1);
        relay = new Relay("reader", Unstartable::new, watchdog, this::read);
        relay.start();
        Blocked blocked = block();
        watchdog.look();
        watchdog.look(); // no thread can be started
        watchdog.look();
        threadsLeft.set(1);
        watchdog.look();

        assertThat(handle(() -> {})).isNotSameAs(blocked.thread);
        blocked.release();
    }

    @Test
    void aHandlerThatThrowsDoesNotEndTheReading() {
        Thread first = handle(() -> {});
        requests.add(
                () -> {
                    throw new IllegalStateException("expected by this test");
                });

        assertThat(handle(() -> {})).isSameAs(first);
    }

    @Test
    void lookingReportsWhetherAnythingHappened() throws InterruptedException {
        handle(() -> {});
        assertThat(watchdog.look()).isTrue();
        returned.acquire();
        watchdog.look(); // the end of the handler may have come after the look before
        assertThat(watchdog.look()).isFalse();

        Blocked handler = block();
        assertThat(watchdog.look()).isTrue();
        handler.release();
    }

    /**
     * Requests, looks and ends of handlers in random order, each step compared with a model: a
     * handler runs as soon as a reader is free, and a reader is replaced at the second look at the
     * same handler.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233})
    void theModelHolds(long seed) throws InterruptedException {
        Random random = new Random(seed);
        Deque<Blocked> waiting = new ArrayDeque<>(); // in the queue: no reader is free
        List<Blocked> running = new ArrayList<>();
        Blocked onReader = null;
        int looks = 0;
        int replaced = 0;
        for (int step = 0; step < 300; step++) {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    Blocked handler = new Blocked();
                    requests.add(handler);
                    waiting.add(handler);
                }
                case 2, 3 -> {
                    watchdog.look();
                    if (onReader != null && ++looks == 2) {
                        onReader = null;
                        replaced++;
                    }
                }
                default -> {
                    if (!running.isEmpty()) {
                        Blocked handler = running.remove(random.nextInt(running.size()));
                        handler.release();
                        if (handler == onReader) {
                            onReader = null;
                            returned.acquire(); // its end is counted
                        } else {
                            assertThat(take(ended)).isSameAs(handler.thread);
                        }
                    }
                }
            }
            if (onReader == null && !waiting.isEmpty()) {
                onReader = waiting.remove().awaitStart();
                running.add(onReader);
                looks = 0;
            }
            for (Blocked handler : waiting) {
                assertThat(handler.started.getCount()).isOne();
            }
            assertThat(watchdog.replacements()).isEqualTo(replaced);
            assertThat(errors).isEmpty();
        }
        running.forEach(handler -> handler.released.countDown());
        waiting.forEach(handler -> handler.released.countDown());
        waiting.forEach(Blocked::awaitStart);
    }

    /** Real looks against real handlers: each request is handled once, and one thread reads. */
    @Test
    void looksRaceWithTheEndsOfHandlers() throws InterruptedException {
        int count = 20_000;
        AtomicInteger computed = new AtomicInteger();
        AtomicInteger handled = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(count);
        Thread looking =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (all.getCount() > 0) {
                                        watchdog.look();
                                        watchdog.look();
                                    }
                                });
        for (int i = 0; i < count; i++) {
            int steps = i % 50;
            requests.add(
                    () -> {
                        for (int step = 0; step < steps; step++) {
                            computed.incrementAndGet();
                        }
                        handled.incrementAndGet();
                        all.countDown();
                    });
        }

        all.await();
        looking.join();
        assertThat(handled).hasValue(count);
        assertThat(errors).isEmpty();
    }
}
