package dev.fairlead.protocol.time;

/** Waits in spite of interrupts. */
public final class Uninterruptibly {
    private Uninterruptibly() {}

    /** A wait that an interrupt ends, such as {@code thread::join} or {@code latch::await}. */
    @FunctionalInterface
    public interface Wait {
        void await() throws InterruptedException;
    }

    /**
     * Waits to the end. An interrupt starts the wait again, and is set when this method returns.
     */
    public static void await(Wait wait) {
        boolean interrupted = false;
        while (true) {
            try {
                wait.await();
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
