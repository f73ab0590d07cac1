package dev.fairlead.http.loop;

import dev.fairlead.http.spi.ResponseStream.Completion;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * Writes to one connection, in the order of the calls and one at a time. The thread of the call
 * writes as much as the network takes at once; the loop writes the rest. Thread-safe; its monitor
 * guards the queue.
 */
final class Output {
    private static final System.Logger LOGGER = System.getLogger(Output.class.getName());

    /** The most bytes of one call to the network, which copies them first. */
    private static final int SLICE = 128 << 10;

    /** How many slices are written in a row before other connections get their turn. */
    private static final int SLICES = 8;

    private final GatheringByteChannel channel;
    private final Owner owner;
    private final LongSupplier nanoTime;
    private @Nullable Queue<Write> queue;
    private @Nullable IOException failure;
    private boolean holdsBack;

    /** The time at which the network last took some of the waiting bytes. */
    private long lastProgress;

    /**
     * The connection; called with the monitor held, so that the calls of two threads keep the order
     * of their causes. Only leaves a task for the loop.
     */
    interface Owner {
        /** Something has to wait until the network takes more: {@link #flush} is due then. */
        void outputWaits();

        /** Nothing waits any more. */
        void outputFlushed();

        /** The connection is broken. */
        void outputFailed(IOException cause);
    }

    private static final class Write {
        private final ByteBuffer[] buffers;
        private final Completion completion;
        private int next;
        private @Nullable IOException failure;

        Write(ByteBuffer[] buffers, Completion completion) {
            this.buffers = buffers;
            this.completion = completion;
        }

        /**
         * Completes a write that had to wait; a failure of its completion must not affect other
         * writes.
         */
        void done(@Nullable IOException cause) {
            try {
                completion.done(cause);
            } catch (RuntimeException | Error e) {
                LimitedLog.failed(
                        LOGGER,
                        System.Logger.Level.ERROR,
                        "",
                        e,
                        "The completion of a write failed");
            }
        }
    }

    Output(GatheringByteChannel channel, Owner owner) {
        this(channel, owner, System::nanoTime);
    }

    /**
     * @param nanoTime measures how long nothing is written
     */
    Output(GatheringByteChannel channel, Owner owner, LongSupplier nanoTime) {
        this.channel = channel;
        this.owner = owner;
        this.nanoTime = nanoTime;
    }

    /**
     * Writes buffers, which are not changed before the completion. Never blocks.
     *
     * @param completion runs on this thread, or on the loop
     */
    void write(ByteBuffer[] buffers, Completion completion) {
        Write write = new Write(buffers, completion);
        if (begin(write, false)) {
            completion.done(write.failure);
        }
    }

    /** Holds the writes of {@link #respond} back until {@link #flush} is called. */
    synchronized void holdBack() {
        holdsBack = true;
    }

    /** Writes like {@link #write}, unless responses are held back. */
    void respond(ByteBuffer[] buffers, Completion completion) {
        Write write = new Write(buffers, completion);
        if (begin(write, true)) {
            completion.done(write.failure);
        }
    }

    /** Returns whether the write has ended, in whichever way. */
    private synchronized boolean begin(Write write, boolean mayWait) {
        if (failure == null && queue != null) {
            queue.add(write);
            return false;
        }
        try {
            if (failure == null && mayWait && holdsBack) {
                await(write);
                return false;
            }
            if (failure == null && !advance(write)) {
                await(write);
                owner.outputWaits();
                return false;
            }
        } catch (IOException e) {
            failure = e;
            owner.outputFailed(e);
        } catch (CancelledKeyException e) { // closed meanwhile
            queue = null;
            failure = new ClosedChannelException();
        }
        write.failure = failure;
        return true;
    }

    private void await(Write write) {
        queue = new ArrayDeque<>(2);
        queue.add(write);
        lastProgress = nanoTime.getAsLong();
    }

    /** Writes as much as the network takes; returns true if that was all. */
    private boolean advance(Write write) throws IOException {
        for (int slices = 0; slices < SLICES; slices++) {
            while (write.next < write.buffers.length && !write.buffers[write.next].hasRemaining()) {
                write.next++;
            }
            if (write.next == write.buffers.length) {
                return true;
            }
            if (!writeSlice(write)) {
                return false;
            }
        }
        return false;
    }

    /** Returns whether the network took all of a slice. */
    private boolean writeSlice(Write write) throws IOException {
        ByteBuffer first = write.buffers[write.next];
        int end = write.next;
        long size = 0;
        while (end < write.buffers.length && size + write.buffers[end].remaining() <= SLICE) {
            size += write.buffers[end++].remaining();
        }
        long written;
        if (end == write.next) {
            size = SLICE;
            int limit = first.limit();
            first.limit(first.position() + SLICE);
            try {
                written = channel.write(first);
            } finally {
                first.limit(limit);
            }
        } else if (end == write.next + 1) {
            written = channel.write(first);
        } else {
            written = channel.write(write.buffers, write.next, end - write.next);
        }
        if (written > 0) {
            lastProgress = nanoTime.getAsLong();
        }
        return written == size;
    }

    /**
     * Writes the waiting bytes, as far as the network takes them. Nothing is held back any more.
     *
     * @return whether nothing waits any more
     * @throws IOException if the connection is broken; the waiting writes remain for {@link #fail}
     */
    boolean flush() throws IOException {
        List<Write> done = new ArrayList<>(2);
        boolean empty;
        try {
            empty = flush(done);
        } finally {
            done.forEach(write -> write.done(null));
        }
        return empty;
    }

    private synchronized boolean flush(List<Write> done) throws IOException {
        holdsBack = false;
        while (queue != null) {
            Write write = queue.element();
            if (!advance(write)) {
                return false;
            }
            done.add(queue.remove());
            if (queue.isEmpty()) {
                queue = null;
                owner.outputFlushed();
            }
        }
        return true;
    }

    /** Returns whether something waits. */
    synchronized boolean isWaiting() {
        return queue != null;
    }

    /** Returns whether something waits of which the network took nothing for too long. */
    synchronized boolean isStalled(long now, Duration timeout) {
        return queue != null && now - lastProgress > timeout.toNanos();
    }

    /** Fails the waiting writes and all later ones. */
    void fail(IOException cause) {
        Queue<Write> waiting;
        synchronized (this) {
            failure = failure == null ? cause : failure;
            waiting = queue == null ? new ArrayDeque<>() : queue;
            queue = null;
        }
        waiting.forEach(write -> write.done(cause));
    }
}
