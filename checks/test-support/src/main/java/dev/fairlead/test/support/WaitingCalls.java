package dev.fairlead.test.support;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Calls of a tool that wait until they are interrupted, by a name of each. Thread-safe. */
public final class WaitingCalls {
    private final Map<String, WaitingCall> calls = new ConcurrentHashMap<>();

    /** One call. */
    public static final class WaitingCall {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);

        /** Waits until the handler runs. */
        public void awaitBegun() throws InterruptedException {
            begun.await();
        }

        /**
         * Waits until the handler is interrupted, but not longer than 30 s.
         *
         * @return how long that took from now, as {@link RunningTime}
         */
        public Duration awaitInterrupted() throws InterruptedException {
            return RunningTime.until(interrupted, "the interruption of the handler");
        }
    }

    /** Returns the call of this name, which may be still to come. */
    public WaitingCall call(String name) {
        return calls.computeIfAbsent(name, key -> new WaitingCall());
    }

    /** Handles a call of the tool: waits for 60 s, or until its thread is interrupted. */
    public String handle(String name) {
        WaitingCall call = call(name);
        call.begun.countDown();
        try {
            new CountDownLatch(1).await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            call.interrupted.countDown();
        }
        return "waited";
    }
}
