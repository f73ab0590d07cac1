package dev.fairlead.servlet;

import dev.fairlead.http.spi.ResponseStream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A response that is written piece by piece, without blocking: a client that does not read holds no
 * thread, and an interrupt meets no connection.
 *
 * <p>Whoever writes goes on until the container takes no more; then the container calls {@link
 * #onWritePossible}. The lock guards the fields and is held while the container is asked to write,
 * which takes no time. It is not held while the request is handed back or a {@link
 * ResponseStream.Completion} runs, and {@link #onComplete} does not wait for it: containers have
 * locks of their own there.
 */
final class ServletStream implements ResponseStream, WriteListener, AsyncListener {
    private final AsyncContext async;
    private final ServletOutputStream out;
    private final AtomicBoolean over = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Write write;
    private @Nullable Throwable failure;
    private boolean aborted;

    /** A write under way. */
    private static final class Write {
        final ByteBuffer bytes;
        final Completion completion;
        boolean flushed;
        @Nullable Throwable failure;

        Write(ByteBuffer bytes, Completion completion) {
            this.bytes = bytes;
            this.completion = completion;
        }

        void tell() {
            completion.done(failure);
        }

        /** On a thread of its own, since what comes next may wait for a store. */
        void tellApart() {
            Thread.ofVirtual().name("mcp-servlet").start(this::tell);
        }
    }

    private ServletStream(AsyncContext async, ServletOutputStream out) {
        this.async = async;
        this.out = out;
    }

    static ServletStream of(AsyncContext async, ServletOutputStream out) {
        ServletStream stream = new ServletStream(async, out);
        async.addListener(stream);
        out.setWriteListener(stream);
        return stream;
    }

    @Override
    public void write(ByteBuffer bytes, Completion completion) {
        Write current = new Write(bytes, completion);
        boolean ended;
        lock.lock();
        try {
            write = current;
            ended = advance(current);
        } finally {
            lock.unlock();
        }
        if (ended) {
            current.tell();
        }
    }

    /** Writes as much as the container takes; whether the write has ended, in whichever way. */
    private boolean advance(Write current) {
        try {
            while (failure == null) {
                if (!out.isReady()) {
                    return false;
                }
                if (current.bytes.hasRemaining()) {
                    put(current.bytes);
                } else if (!current.flushed) {
                    current.flushed = true;
                    out.flush();
                } else {
                    break;
                }
            }
        } catch (IOException | RuntimeException e) { // containers throw both where a client is gone
            failure = e;
        }
        ended(current);
        return true;
    }

    private void ended(Write current) {
        current.failure = failure;
        write = null;
    }

    private void put(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (bytes.hasArray()) {
            int offset = bytes.arrayOffset() + bytes.position();
            bytes.position(bytes.limit());
            out.write(bytes.array(), offset, length);
        } else {
            byte[] copy = new byte[length];
            bytes.get(copy);
            out.write(copy);
        }
    }

    @Override
    public void onWritePossible() {
        Write current;
        boolean dropped;
        lock.lock();
        try {
            current = write;
            dropped = aborted;
            if (current == null || (!dropped && !advance(current))) {
                return;
            }
            if (dropped) {
                failure = brokenOff();
                ended(current);
            }
        } finally {
            lock.unlock();
        }
        if (dropped) {
            finish(async::dispatch);
        }
        current.tellApart();
    }

    @Override
    public void end() {
        finish(async::complete);
    }

    /**
     * While something is being written, the next call of the container ends the response; the
     * container itself limits how long that takes.
     */
    @Override
    public void abort() {
        boolean failed;
        lock.lock();
        try {
            failed = failure != null;
            aborted = true;
            if (!failed && write != null) {
                return;
            }
            if (!failed) {
                failure = brokenOff();
            }
        } finally {
            lock.unlock();
        }
        finish(failed ? async::complete : async::dispatch);
    }

    private static IOException brokenOff() {
        return new IOException("the response was broken off");
    }

    /** Hands the request back to the container, once. */
    private void finish(Runnable way) {
        if (over.compareAndSet(false, true)) {
            try {
                way.run();
            } catch (IllegalStateException e) { // the container was first
                System.getLogger(ServletStream.class.getName())
                        .log(System.Logger.Level.DEBUG, "A response has ended already", e);
            }
        }
    }

    @Override
    public void onError(Throwable cause) {
        fail(cause);
        finish(async::complete);
    }

    private void fail(Throwable cause) {
        Write current;
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
            current = write;
            if (current != null) {
                ended(current);
            }
        } finally {
            lock.unlock();
        }
        if (current != null) {
            current.tellApart();
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable cause = event.getThrowable();
        onError(cause == null ? new IOException("the container ended the response") : cause);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        onError(new IOException("the container ended the response, since it took too long"));
    }

    @Override
    public void onComplete(AsyncEvent event) {
        if (over.compareAndSet(false, true)) {
            IOException cause = new IOException("the container has ended the response");
            Thread.ofVirtual().name("mcp-servlet").start(() -> fail(cause));
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
