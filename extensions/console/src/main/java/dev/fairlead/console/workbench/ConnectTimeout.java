package dev.fairlead.console.workbench;

import dev.fairlead.jsonrpc.ConnectionException;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Limits the time in which a client connects, on the thread that waits for it. */
final class ConnectTimeout {
    private enum State {
        OPEN,
        CONNECTED,
        TIMED_OUT
    }

    private ConnectTimeout() {}

    /**
     * Connects within a time.
     *
     * @throws ConnectionException if the time is over
     */
    static <T> T within(Duration limit, Callable<T> connecting) throws InterruptedException {
        AtomicReference<State> state = new AtomicReference<>(State.OPEN);
        CountDownLatch over = new CountDownLatch(1);
        Thread connector = Thread.currentThread();
        Thread timer =
                Thread.ofVirtual()
                        .name("mcp-console-timeout")
                        .start(() -> interrupt(limit, over, state, connector));
        try {
            T connected = connecting.call();
            state.compareAndSet(State.OPEN, State.CONNECTED);
            return connected;
        } catch (InterruptedException e) {
            if (state.get() == State.TIMED_OUT) {
                throw new ConnectionException(
                        "Timed out: no connection within " + limit.toSeconds() + " s", e);
            }
            throw e;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e); // clients throw no other
        } finally {
            over.countDown();
            await(timer);
            if (state.get() == State.TIMED_OUT) {
                Thread.interrupted(); // by the timer, which has ended
            }
        }
    }

    private static void interrupt(
            Duration limit, CountDownLatch over, AtomicReference<State> state, Thread connector) {
        try {
            if (!over.await(limit.toNanos(), TimeUnit.NANOSECONDS)
                    && state.compareAndSet(State.OPEN, State.TIMED_OUT)) {
                connector.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of the timer, which is near; an interrupt stays set. */
    private static void await(Thread timer) {
        boolean interrupted = false;
        while (true) {
            try {
                timer.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
