package dev.fairlead.test.support;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import java.time.Duration;
import java.util.Objects;
import java.util.Queue;

/** Awaitility with a generous timeout, since machines for tests may be slow. */
public final class Awaiting {
    private Awaiting() {}

    /** Polls every 5 ms, on the thread of the test, for at most 60 s. */
    public static ConditionFactory await() {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .pollInSameThread();
    }

    /**
     * Waits as {@link #await()}.
     *
     * @param what the awaited state; part of the message of a failure
     */
    public static ConditionFactory await(String what) {
        return await().alias(what);
    }

    /** Takes the next element of a queue, for which it waits at most 60 s. */
    public static <T> T next(Queue<T> queue) {
        return await().until(queue::poll, Objects::nonNull);
    }
}
