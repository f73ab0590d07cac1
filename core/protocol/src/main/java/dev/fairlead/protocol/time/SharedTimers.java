package dev.fairlead.protocol.time;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Timers of the system's clock for owners of whom there can be many: they share one daemon thread,
 * which ends when the last of them has closed its timers. Safe for use by several threads.
 */
public final class SharedTimers {
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private @Nullable Timers current;
    private int owners;

    /**
     * @param name the name of the thread
     */
    public SharedTimers(String name) {
        this.name = name;
    }

    /**
     * Returns the timers for one more owner, which closes them. Its own actions are cancelled by
     * then, or do nothing.
     */
    public Timers open() {
        lock.lock();
        try {
            Timers shared = current;
            if (shared == null) {
                shared = Timers.system(name);
                current = shared;
            }
            Share share = new Share(shared);
            owners++;
            return share;
        } finally {
            lock.unlock();
        }
    }

    private void left() {
        lock.lock();
        try {
            if (--owners == 0 && current != null) {
                current.close();
                current = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private final class Share extends Timers.BorrowedTimers {
        private final AtomicBoolean closed = new AtomicBoolean();

        Share(Timers shared) {
            super(shared);
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            return closed.get() ? () -> {} : super.schedule(delay, action);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                left();
            }
        }
    }
}
