package dev.fairlead.protocol.engine;

/** Derives limits that are not configured from the largest heap that this JVM may use. */
public final class HeapShare {
    /** The smallest limit. */
    static final long LEAST = 1 << 20;

    private HeapShare() {}

    /**
     * Returns a limit in bytes, or a part of the heap where that is less, but at least 1 MiB.
     *
     * @param most the limit with a large heap
     * @param part the divisor of the heap: 16 for a sixteenth
     */
    public static long atMost(long most, int part) {
        return Math.max(LEAST, Math.min(most, heap() / part));
    }

    /** Returns the bytes of the largest heap. */
    public static long heap() {
        return Runtime.getRuntime().maxMemory();
    }
}
