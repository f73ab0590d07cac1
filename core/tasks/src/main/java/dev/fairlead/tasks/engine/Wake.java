package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes one thread that waits. The thread checks its condition first and parks then: a wake-up
 * between the two is not lost. Tiny, since there is one for every task that waits for a person.
 */
final class Wake {
    private volatile boolean woken;
    private volatile @Nullable Thread sleeper;

    void wake() {
        woken = true;
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits for the next {@link #wake}, or returns at once if there was one since the last. */
    void await() throws InterruptedException {
        sleeper = Thread.currentThread();
        while (!woken) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.park(this);
        }
        woken = false;
    }

    /** Waits for some time. */
    static void pause(Timers timers, Duration time) throws InterruptedException {
        Wake wake = new Wake();
        Timers.Timer timer = timers.schedule(time, wake::wake);
        try {
            wake.await();
        } finally {
            timer.cancel();
        }
    }
}
