package dev.fairlead.tasks.engine;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Something that blocks, done on a thread of its own for somebody who goes on to wait for a person:
 * a virtual thread keeps in memory the room of the deepest stack on which it ever waited, so it is
 * to wait for the store on few frames as well. No interrupt of the sender reaches the errand.
 *
 * <p>An errand needs a carrier while its sender may pin one, so it is only for what cannot end
 * without other virtual threads anyway.
 */
final class OffloadedCall<T extends @Nullable Object> implements Runnable {
    private final Supplier<T> work;
    private final Thread sender = Thread.currentThread();
    private volatile boolean done;
    private @Nullable T value; // these two are written before done, and read after it
    private @Nullable Throwable failure;

    private OffloadedCall(Supplier<T> work) {
        this.work = work;
    }

    /** Returns once it is done, however often the sender is interrupted; an interrupt stays set. */
    static <T extends @Nullable Object> T run(Supplier<T> work) {
        OffloadedCall<T> errand = new OffloadedCall<>(work);
        Thread.ofVirtual().name("mcp-task-errand").start(errand);
        boolean interrupted = false;
        while (!errand.done) {
            LockSupport.park(errand);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return errand.outcome();
    }

    @Override
    public void run() {
        try {
            value = work.get();
        } catch (Throwable e) {
            failure = e;
        }
        done = true;
        LockSupport.unpark(sender);
    }

    @SuppressWarnings("NullAway") // without a failure there is a value, null where T may be
    private T outcome() {
        switch (failure) {
            case null -> {
                return value;
            }
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError("work throws no checked exception", failure);
        }
    }
}
