package dev.fairlead.http.loop;

import dev.fairlead.protocol.limits.HeapPlan;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that the clients of a port have sent ahead: parts of heads, and requests behind one that is
 * being answered. They wait in memory, so all connections together have a share of the heap for
 * them. Once half of that is taken, each connection reads a little at a time. Thread-safe.
 */
final class BytesAhead {
    /** The most bytes of one read while they may be those of a later request. */
    static final int FEW = 2 << 10;

    private final long most;
    private final AtomicLong waiting = new AtomicLong();

    BytesAhead() {
        this(HeapPlan.SENT_AHEAD.bytes());
    }

    BytesAhead(long most) {
        this.most = most;
    }

    /** A connection keeps other bytes than before. */
    void changed(int before, int after) {
        if (before != after) {
            waiting.addAndGet(after - before);
        }
    }

    /** Whether connections must read a little at a time. */
    boolean isScarce() {
        return waiting.get() > most / 2;
    }

    /** Whether connections that keep more than {@link #FEW} bytes must go. */
    boolean isExhausted() {
        return waiting.get() > most;
    }

    long waiting() {
        return waiting.get();
    }
}
