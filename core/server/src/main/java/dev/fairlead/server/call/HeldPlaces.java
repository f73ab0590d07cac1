package dev.fairlead.server.call;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.RetryableError;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts held calls and the bytes of their parameters and of answers that wait for others, of each
 * caller and in all. The lock is never held while anything else runs. Thread-safe.
 */
final class HeldPlaces {
    /** A caller may have this part of the bytes. */
    static final int CALLER_PART = 8;

    private final int all;
    private final int perCaller;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Taken> callers = new HashMap<>(); // guarded by lock
    private int count; // guarded by lock
    private long bytes; // guarded by lock

    /** What a caller has. */
    private record Taken(int count, long bytes) {
        static final Taken NONE = new Taken(0, 0);
    }

    /**
     * @param all the most calls
     * @param perCaller the most calls of one caller
     * @param maxBytes of the parameters of all calls together
     */
    HeldPlaces(int all, int perCaller, long maxBytes) {
        this.all = all;
        this.perCaller = perCaller;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes a place.
     *
     * @param caller under which the call is counted
     * @param size of the parameters, in bytes
     * @throws RequestRefusedException if there is none
     */
    void take(Object caller, long size) {
        lock.lock();
        try {
            Taken had = callers.getOrDefault(caller, Taken.NONE);
            if (count >= all) {
                throw limit(
                        "Held call limit reached ("
                                + all
                                + "); raise McpServer.Builder.maxHeldCalls");
            }
            if (had.count() >= perCaller) {
                throw limit(
                        "Held call limit of a caller reached ("
                                + perCaller
                                + "); raise McpServer.Builder.maxHeldCallsPerCaller");
            }
            add(caller, had, 1, size);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts more bytes for a call that has a place.
     *
     * @param caller under which the call is counted
     * @param size of answers that wait for others, in bytes
     * @throws RequestRefusedException if there is no room for them
     */
    void takeMore(Object caller, long size) {
        lock.lock();
        try {
            add(caller, callers.getOrDefault(caller, Taken.NONE), 0, size);
        } finally {
            lock.unlock();
        }
    }

    private void add(Object caller, Taken had, int calls, long size) {
        if (bytes + size > maxBytes || had.bytes() + size > maxBytes / CALLER_PART) {
            throw limit("The parameters and answers of held calls have too many bytes");
        }
        change(caller, had, calls, size);
    }

    private void change(Object caller, Taken had, int calls, long size) {
        Taken now = new Taken(had.count() + calls, had.bytes() + size);
        if (now.equals(Taken.NONE)) {
            callers.remove(caller);
        } else {
            callers.put(caller, now);
        }
        count += calls;
        bytes += size;
    }

    private static RequestRefusedException limit(String message) {
        return new RequestRefusedException(
                RequestRefusedException.Kind.LIMIT,
                RetryableError.mark(new JsonRpcError(ErrorCode.INTERNAL_ERROR, message)));
    }

    /** Gives a place back that was taken with the same values. */
    void release(Object caller, long size) {
        lock.lock();
        try {
            change(caller, callers.getOrDefault(caller, Taken.NONE), -1, -size);
        } finally {
            lock.unlock();
        }
    }

    /** Gives bytes back that {@link #takeMore} took, before or after the place. */
    void releaseMore(Object caller, long size) {
        lock.lock();
        try {
            change(caller, callers.getOrDefault(caller, Taken.NONE), 0, -size);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many places are taken. */
    int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }
}
