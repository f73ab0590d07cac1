package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * The times in which an exchange waits for authorization. In these alone its thread may be
 * interrupted, which is how the exchange is stopped then. The monitor guards the fields.
 */
final class Authorizing {
    private boolean stopped;
    private @Nullable Thread waiting;

    /** A step that waits for authorization. */
    @FunctionalInterface
    interface Step<T> {
        T take() throws IOException, InterruptedException;
    }

    /**
     * Takes a step that may block.
     *
     * @param held is called when the wait begins, and when it is over
     * @throws IOException also if it is stopped
     */
    <T> T wait(Step<T> step, Consumer<Boolean> held) throws IOException {
        begin();
        held.accept(true);
        try {
            return step.take();
        } catch (InterruptedException e) {
            throw CancellableExchange.stopped(e);
        } finally {
            end();
            held.accept(false);
        }
    }

    private synchronized void begin() throws IOException {
        if (stopped) {
            throw CancellableExchange.stopped(null);
        }
        waiting = Thread.currentThread();
    }

    private synchronized void end() {
        waiting = null;
        Thread.interrupted(); // it was for the step, and must not reach the next one
    }

    /** Returns whether a step is being taken. */
    synchronized boolean isWaiting() {
        return waiting != null;
    }

    /** Ends a step under way, and lets none begin any more. */
    synchronized void stop() {
        stopped = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }
}
