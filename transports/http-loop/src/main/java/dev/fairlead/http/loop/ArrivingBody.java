package dev.fairlead.http.loop;

import dev.fairlead.http.spi.BodyTooLongException;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A body that is read while it arrives. The loop puts bytes in, one other thread takes them out;
 * the lock guards the chunks. Until that thread has begun to read, few bytes are taken, and they
 * count as sent ahead: some requests are never read, or only after a long wait.
 */
final class ArrivingBody extends InputStream {
    /** How many bytes may wait to be read before no more are taken from the connection. */
    static final int ENOUGH = 64 << 10;

    /** The most pieces, each of which takes memory besides its bytes. */
    static final int ENOUGH_PIECES = 1 << 10;

    /** How long the rest of a body that is too long may be silent before it is given up. */
    private static final Duration SILENCE = Duration.ofMillis(500);

    private final Duration timeout;
    private final Runnable onWanted;
    private final Runnable onRoom;
    private final BytesAhead ahead;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<byte[]> chunks = new ArrayDeque<>();
    private int offset;
    private int waiting;
    private int counted; // those of them that were sent ahead
    private boolean wanted;
    private boolean discarded;
    private boolean paused;
    private long limit = Long.MAX_VALUE;
    private long announced;
    private boolean tooLong; // and its reader knows
    private volatile boolean complete;
    private @Nullable IOException failure;

    /**
     * @param timeout how long a read may wait for a byte
     * @param onWanted called before the first read that has to wait
     * @param onRoom called when there is room again after {@link #receive} had found none
     * @param ahead counts the bytes of all connections that were sent ahead
     */
    ArrivingBody(Duration timeout, Runnable onWanted, Runnable onRoom, BytesAhead ahead) {
        this.timeout = timeout;
        this.onWanted = onWanted;
        this.onRoom = onRoom;
        this.ahead = ahead;
    }

    /**
     * Takes the bytes that have arrived from the connection. The bytes that belong to the body are
     * overwritten.
     *
     * @return the position up to which the bytes belong to the body
     */
    int receive(BodyDecoder decoder, byte[] bytes, int from, int to) {
        Gathered gathered = new Gathered(from);
        lock.lock();
        try {
            int end = decoder.decode(bytes, from, to, gathered);
            announced = decoder.announced();
            complete = decoder.isComplete();
            return end;
        } catch (BadRequestException e) {
            failure = new IOException(e.getMessage());
            return to;
        } finally {
            add(bytes, from, gathered.end);
            arrived.signal();
            lock.unlock();
        }
    }

    /**
     * Moves the decoded pieces together, in place: they are never longer than their encoded form.
     */
    private static final class Gathered implements BodyDecoder.Sink {
        private int end;

        Gathered(int from) {
            end = from;
        }

        @Override
        public void take(byte[] bytes, int from, int to) {
            System.arraycopy(bytes, from, bytes, end, to - from);
            end += to - from;
        }
    }

    private void add(byte[] bytes, int from, int to) {
        if (from < to && !discarded) {
            chunks.add(Arrays.copyOfRange(bytes, from, to));
            waiting += to - from;
            if (!wanted) {
                count(waiting);
            }
        }
    }

    private void count(int bytes) {
        ahead.changed(counted, bytes);
        counted = bytes;
    }

    /**
     * Lets one read fail as soon as the client has announced more bytes. The reads after it, which
     * throw the rest away, wait for a moment only.
     */
    ArrivingBody limitedTo(long bytes) {
        lock.lock();
        try {
            limit = bytes;
            return this;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether all has arrived, read or not. */
    boolean isComplete() {
        return complete;
    }

    boolean isBroken() {
        lock.lock();
        try {
            return failure != null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether no more is to be taken from the connection until there is room. */
    boolean pause() {
        lock.lock();
        try {
            int enough = wanted ? ENOUGH : BytesAhead.FEW;
            paused = waiting >= enough || chunks.size() >= ENOUGH_PIECES;
            return paused;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether its reading has begun. */
    boolean isWanted() {
        lock.lock();
        try {
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the rest of the body, now and later, since the request was answered. */
    void discard() {
        lock.lock();
        try {
            if (failure == null && (!complete || !chunks.isEmpty())) {
                failure = new IOException("the request was answered before its body was read");
            }
            discarded = true;
            chunks.clear();
            waiting = 0;
            count(0);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Fails the reader once it has read the bytes that have arrived. */
    void disconnected() {
        lock.lock();
        try {
            if (!complete && failure == null) {
                failure = new EOFException("The connection was closed within the body");
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int read = read(one, 0, 1);
        return read < 0 ? read : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (isFirstWait()) {
            onWanted.run();
        }
        boolean room = false;
        lock.lock();
        try {
            if (!await()) {
                return -1;
            }
            int read = take(target, from, length);
            room = paused && waiting <= ENOUGH / 2 && chunks.size() <= ENOUGH_PIECES / 2;
            paused &= !room;
            return read;
        } finally {
            lock.unlock();
            if (room) {
                onRoom.run();
            }
        }
    }

    private boolean isFirstWait() {
        lock.lock();
        try {
            boolean first = !wanted && chunks.isEmpty() && !complete;
            wanted = true;
            count(0);
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for bytes; false at the end of the body. */
    private boolean await() throws IOException {
        requireWithinLimit();
        long left = (tooLong ? SILENCE : timeout).toNanos();
        while (chunks.isEmpty()) {
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            if (complete) {
                return false;
            }
            if (left <= 0) {
                throw new IOException("No byte of the body came for " + timeout.toMillis() + " ms");
            }
            try {
                left = arrived.awaitNanos(left);
                requireWithinLimit();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the body was read");
            }
        }
        return true;
    }

    private void requireWithinLimit() throws BodyTooLongException {
        if (announced > limit && !tooLong) {
            tooLong = true;
            throw new BodyTooLongException(announced);
        }
    }

    private int take(byte[] target, int from, int length) {
        int read = 0;
        while (read < length && !chunks.isEmpty()) {
            byte[] chunk = chunks.getFirst();
            int part = Math.min(length - read, chunk.length - offset);
            System.arraycopy(chunk, offset, target, from + read, part);
            read += part;
            offset += part;
            if (offset == chunk.length) {
                chunks.removeFirst();
                offset = 0;
            }
        }
        waiting -= read;
        return read;
    }
}
