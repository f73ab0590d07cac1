package dev.fairlead.server.lifecycle;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.protocol.limits.Quota;

import java.util.function.LongPredicate;

/**
 * Limits the bytes that sessions keep of their clients' messages: those of each session, and those
 * of all sessions of a server by a {@link Quota} whose last quarter is a reserve for sessions that
 * keep little. Thread-safe.
 */
public final class KeptBytes {
    /** A session that keeps no more than this may use the reserve. */
    static final int SMALL = 16 << 10;

    /** How often room is made for one session: others may take it. */
    private static final int ATTEMPTS = 3;

    private final int perSession;
    private final long all;
    private final Quota kept;

    public KeptBytes(int perSession, long all) {
        this.perSession = perSession;
        this.all = Math.max(all, perSession);
        long reserve = this.all / Quota.RESERVE;
        this.kept = Quota.of(this.all - reserve).reserve(reserve, SMALL);
    }

    public static long defaultSum() {
        return HeapPlan.SESSIONS.bytes();
    }

    /**
     * Returns the share of a session that keeps nothing yet.
     *
     * @param room has other sessions end where all together keep too much
     */
    public Share share(LongPredicate room) {
        return new Share(room);
    }

    /** The bytes that one session keeps. Thread-safe. */
    public final class Share {
        private final LongPredicate room;
        private final Quota.Share share = kept.share(this, null);
        private boolean closed; // guarded by this

        private Share(LongPredicate room) {
            this.room = room;
        }

        /** Returns how many bytes are kept. */
        public long bytes() {
            return share.held();
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
         * Counts the bytes that a session kept in another process, which has checked them: only the
         * sum of all sessions is limited.
         *
         * @throws JsonRpcException if all sessions together would keep too much
         */
        public void restore(long before) {
            take(before, Long.MAX_VALUE);
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
            long after = share.held() + more;
            if (after > most) {
                throw new JsonRpcException(
                        McpErrorCode.LIMIT_EXCEEDED,
                        "The session would keep %s bytes but may keep %s; raise McpServer.Builder.maxSessionBytes"
                                .formatted(after, most));
            }
            long limit = after <= SMALL ? all : kept.limit();
            return share.take(more) ? 0 : Math.max(1, kept.held() + more - limit);
        }

        /** Gives back bytes that are no longer kept. */
        public void release(long less) {
            share.release(less);
        }

        /** Gives back everything; the session keeps nothing from now on. */
        public synchronized void close() {
            share.release();
            closed = true;
        }
    }
}
