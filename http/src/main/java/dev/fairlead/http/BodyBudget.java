package dev.fairlead.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of request bodies may be held at the same time. They count from when they come,
 * not from when a client says that they will. Safe for use by several threads.
 */
final class BodyBudget {
    private final long max;
    private final AtomicLong held = new AtomicLong();

    BodyBudget(long max) {
        this.max = max;
    }

    /** There is no place for more. */
    static final class ExhaustedException extends IOException {
        private static final long serialVersionUID = 1;

        private ExhaustedException(long max) {
            super("the bodies of all requests together may have " + max + " bytes");
        }
    }

    /** Nothing yet. */
    Share share() {
        return new Share();
    }

    /** What one request holds. One thread takes it, any thread gives it back. */
    final class Share {
        private final AtomicLong bytes = new AtomicLong();
        private volatile boolean kept;

        private Share() {}

        /**
         * Takes more.
         *
         * @throws ExhaustedException if there is not so much, and nothing was taken
         */
        void take(int more) throws ExhaustedException {
            if (held.addAndGet(more) > max) {
                held.addAndGet(-more);
                throw new ExhaustedException(max);
            }
            bytes.addAndGet(more);
        }

        /** A body whose bytes are taken as they come; those beyond a limit are not. */
        InputStream counting(InputStream body, int limit) {
            return new Counting(body, this, limit);
        }

        /** Somebody will {@link #release} it when the request is answered. */
        void keep() {
            kept = true;
        }

        /** Gives back what nobody keeps. */
        void releaseUnlessKept() {
            if (!kept) {
                release();
            }
        }

        /** Gives all back; does nothing the second time. */
        void release() {
            held.addAndGet(-bytes.getAndSet(0));
        }
    }

    /** Used by one thread. */
    private static final class Counting extends FilterInputStream {
        private final Share share;
        private int left;

        Counting(InputStream body, Share share, int limit) {
            super(body);
            this.share = share;
            this.left = limit;
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            if (next >= 0) {
                count(1);
            }
            return next;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = in.read(bytes, offset, length);
            if (read > 0) {
                count(read);
            }
            return read;
        }

        private void count(int read) throws ExhaustedException {
            int more = Math.min(read, left);
            share.take(more);
            left -= more;
        }
    }
}
