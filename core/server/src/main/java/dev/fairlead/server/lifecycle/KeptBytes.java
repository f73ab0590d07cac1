package dev.fairlead.server.lifecycle;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.HeapShare;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * Bounds the bytes that sessions keep of what their clients sent: those of each session and those
 * of all sessions of a server. Thread-safe.
 */
public final class KeptBytes {
    /** The limit of all sessions, unless configured: this part of the heap. */
    static final int HEAP_PART = 16;

    /**
     * A session that keeps no more than this may use the last quarter of the limit of all sessions,
     * so that sessions that keep much do not keep others from opening.
     */
    static final int SMALL = 16 << 10;

    /** How often room is made for one session: others may take it. */
    private static final int ATTEMPTS = 3;

    private final int perSession;
    private final long all;
    private final AtomicLong kept = new AtomicLong();

    public KeptBytes(int perSession, long all) {
        this.perSession = perSession;
        this.all = Math.max(all, perSession);
    }

    public static long defaultSum() {
        return HeapShare.atMost(Long.MAX_VALUE, HEAP_PART);
    }

    /**
     * Returns the share of a session that keeps nothing yet.
     *
     * @param room has other sessions end where all together keep too much
     */
    public Share share(LongPredicate room) {
        return new Share(room);
    }

    /** What one session keeps. Thread-safe. */
    public final class Share {
        private final LongPredicate room;
        private long bytes;
        private boolean closed;

        private Share(LongPredicate room) {
            this.room = room;
        }

        /** Returns how many bytes are kept. */
        public synchronized long bytes() {
            return bytes;
        }

        /**
         * Counts bytes that are going to be kept. Blocks while other sessions end to make room.
         *
         * @throws JsonRpcException if the session or all sessions together would keep too many;
         *     nothing is counted then
         */
        public void take(long more) {
            take(more, perSession);
        }

        /**
         * Counts what a session kept in another process, which has checked it: only the sum of all
         * sessions is limited.
         *
         * @throws JsonRpcException if all sessions together would keep too much
         */
        public void restore(long kept) {
            take(kept, Long.MAX_VALUE);
        }

        private void take(long more, long most) {
            long lacking = tryTake(more, most);
            for (int i = 0; i < ATTEMPTS && lacking > 0 && room.test(lacking); i++) {
                lacking = tryTake(more, most);
            }
            if (lacking > 0) {
                throw RetryableError.exception(
                        McpErrorCode.LIMIT_EXCEEDED,
                        "All sessions together may keep %s bytes; raise McpServer.Builder.maxSessionBytesSum"
                                .formatted(all));
            }
        }

        /** Returns how many bytes are lacking; 0 once they are counted. */
        private synchronized long tryTake(long more, long most) {
            if (closed) {
                return 0;
            }
            long after = bytes + more;
            if (after > most) {
                throw new JsonRpcException(
                        McpErrorCode.LIMIT_EXCEEDED,
                        "The session would keep %s bytes but may keep %s; raise McpServer.Builder.maxSessionBytes"
                                .formatted(after, most));
            }
            long limit = after <= SMALL ? all : all - all / 4;
            long sum = kept.get();
            while (sum + more <= limit && !kept.compareAndSet(sum, sum + more)) {
                sum = kept.get();
            }
            if (sum + more > limit) {
                return sum + more - limit;
            }
            bytes = after;
            return 0;
        }

        /** Gives back bytes that are no longer kept. */
        public synchronized void release(long less) {
            long released = Math.min(less, bytes);
            bytes -= released;
            kept.addAndGet(-released);
        }

        /** Gives back everything; the session keeps nothing from now on. */
        public synchronized void close() {
            release(bytes);
            closed = true;
        }
    }
}
