package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.relay.Watchdog;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The thread on which a failure of a registered channel is handled. */
@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {true, false})
class LoopTest {
    private final CountDownLatch released = new CountDownLatch(1);
    private final BlockingQueue<Thread> handling = new LinkedBlockingQueue<>();
    private final BlockingQueue<Closed> closed = new LinkedBlockingQueue<>();
    private final AtomicBoolean failsToSelect = new AtomicBoolean();
    private final Loop loop;
    private Pipe pipe;

    private record Closed(Thread thread, IOException cause) {}

    enum Failure {
        IO_EXCEPTION {
            @Override
            void happen() throws IOException {
                throw new IOException("expected by this test");
            }
        },
        RUNTIME_EXCEPTION {
            @Override
            void happen() {
                throw new IllegalStateException("expected by this test");
            }
        },
        ERROR {
            @Override
            void happen() {
                throw new StackOverflowError("expected by this test");
            }
        };

        abstract void happen() throws IOException;
    }

    LoopTest(boolean virtual) throws IOException {
        ThreadFactory threads =
                virtual ? Thread.ofVirtual().factory() : Thread.ofPlatform().daemon().factory();
        loop =
                new Loop(
                        "test",
                        threads,
                        Duration.ofMinutes(1),
                        Watchdog.shared(),
                        Selector.open(),
                        new Tasks(),
                        ShortWaits.onThisMachine(),
                        new HeldBack<>());
    }

    /** The tasks that other threads leave for the loop, which looks here before it selects. */
    private final class Tasks extends ConcurrentLinkedQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean isEmpty() {
            if (failsToSelect.compareAndSet(true, false)) {
                throw new OutOfMemoryError("expected by this test");
            }
            return super.isEmpty();
        }
    }

    @BeforeEach
    void start() throws IOException {
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        loop.start();
    }

    @AfterEach
    void stop() throws Exception {
        released.countDown();
        loop.stop();
        pipe.source().close();
        pipe.sink().close();
    }

    /** Runs a handler, which may block, and fails then. */
    private final class Failing implements Loop.Registered {
        private final Failure failure;
        private final boolean blocks;

        Failing(Failure failure, boolean blocks) {
            this.failure = failure;
            this.blocks = blocks;
        }

        @Override
        public void ready() throws IOException {
            pipe.source().read(ByteBuffer.allocate(1));
            loop.hold(
                    () -> {
                        handling.add(Thread.currentThread());
                        if (blocks) {
                            awaitRelease();
                        }
                    });
            failure.happen();
        }

        private void awaitRelease() {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void check(long now) {}

        @Override
        public void close(IOException cause) {
            closed.add(new Closed(Thread.currentThread(), cause));
        }
    }

    private void register(Loop.Registered registered) throws IOException {
        loop.execute(
                () -> {
                    try {
                        loop.register(pipe.source(), SelectionKey.OP_READ, registered);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        pipe.sink().write(ByteBuffer.allocate(1));
    }

    /** The thread that is the loop now. */
    private Thread current() throws InterruptedException {
        BlockingQueue<Thread> current = new LinkedBlockingQueue<>();
        loop.execute(() -> current.add(Thread.currentThread()));
        return current.take();
    }

    @ParameterizedTest
    @EnumSource
    void whatFailsOnTheLoopIsClosedAtOnce(Failure failure) throws Exception {
        register(new Failing(failure, false));

        assertThat(closed.take().cause()).hasStackTraceContaining("expected by this test");
        current();
    }

    @ParameterizedTest
    @EnumSource
    void whatFailsAfterItHasBlockedIsClosedByTheNewLoop(Failure failure) throws Exception {
        register(new Failing(failure, true));
        Thread former = handling.take();
        Thread loopNow = current();
        assertThat(loopNow).isNotSameAs(former);
        assertThat(closed).isEmpty();

        released.countDown();
        Closed end = closed.take();
        assertThat(end.thread()).isSameAs(loopNow);
        assertThat(end.cause()).hasStackTraceContaining("expected by this test");
        assertThat(current()).isSameAs(loopNow);
    }

    @Test
    void anErrorWhileItSelectsDoesNotEndTheLoop() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        register(
                new Loop.Registered() {
                    @Override
                    public void ready() throws IOException {
                        pipe.source().read(ByteBuffer.allocate(1));
                        read.countDown();
                    }

                    @Override
                    public void check(long now) {}

                    @Override
                    public void close(IOException cause) {
                        closed.add(new Closed(Thread.currentThread(), cause));
                    }
                });
        read.await();
        failsToSelect.set(true);

        while (failsToSelect.get()) {
            current();
        }
        current();
        assertThat(closed).isEmpty();
    }

    /** Each task makes the next one, like clients that send many requests at once. */
    @Test
    void tasksThatMakeTasksLeaveTurnsToWhatIsReady() throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        Runnable endless =
                new Runnable() {
                    @Override
                    public void run() {
                        if (runs.incrementAndGet() == 1) {
                            makeReady(ready);
                        }
                        if (ready.getCount() > 0 && runs.get() < 100_000) {
                            loop.execute(this);
                        } else {
                            done.countDown();
                        }
                    }
                };

        loop.execute(endless);

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValueLessThan(100_000);
    }

    private void makeReady(CountDownLatch ready) {
        try {
            Loop.Registered counting =
                    new Loop.Registered() {
                        @Override
                        public void ready() {
                            ready.countDown();
                        }

                        @Override
                        public void check(long now) {}

                        @Override
                        public void close(IOException cause) {}
                    };
            loop.register(pipe.source(), SelectionKey.OP_READ, counting);
            pipe.sink().write(ByteBuffer.wrap(new byte[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
