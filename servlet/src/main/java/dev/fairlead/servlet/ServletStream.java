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
import java.util.concurrent.locks.ReentrantLock;

/**
 * A response that is written piece by piece, without blocking: a client that does not read holds no
 * thread, and an interrupt meets no connection.
 *
 * <p>Whoever writes goes on until the container takes no more; then the container calls {@link
 * #onWritePossible}. The lock guards the fields and is held while the container is asked to write,
 * which takes no time; never while a {@link ResponseStream.Completion} runs.
 */
final class ServletStream implements ResponseStream, WriteListener, AsyncListener {
    private final AsyncContext async;
    private final ServletOutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Write write;
    private @Nullable Throwable failure;
    private boolean aborted;
    private boolean over;

    /** A write under way. */
    private static final class Write {
        final ByteBuffer bytes;
        final Completion completion;
        boolean flushed;

        Write(ByteBuffer bytes, Completion completion) {
            this.bytes = bytes;
            this.completion = completion;
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
        boolean ended;
        lock.lock();
        try {
            write = new Write(bytes, completion);
            ended = advance(write);
        } finally {
            lock.unlock();
        }
        if (ended) {
            completion.done(failure);
        }
    }

    /** Writes as much as the container takes; whether the write has ended, in whichever way. */
    private boolean advance(Write current) {
        try {
            while (failure == null && out.isReady()) {
                if (current.bytes.hasRemaining()) {
                    put(current.bytes);
                } else if (!current.flushed) {
                    current.flushed = true;
                    out.flush();
                } else {
                    write = null;
                    return true;
                }
            }
        } catch (IOException | RuntimeException e) { // containers throw both where a client is gone
            failure = e;
        }
        if (failure != null) {
            write = null;
        }
        return failure != null;
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
        lock.lock();
        try {
            current = write;
            if (aborted) {
                finish(async::dispatch);
                return;
            }
            if (current == null || !advance(current)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        tell(current);
    }

    /** On a thread of its own, since what comes next may wait for a store. */
    private void tell(Write ended) {
        Thread.ofVirtual().name("mcp-servlet").start(() -> ended.completion.done(failure));
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
        lock.lock();
        try {
            aborted = true;
            if (failure != null) {
                finish(async::complete);
            } else if (write == null) {
                finish(async::dispatch);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands the request back to the container, once. */
    private void finish(Runnable way) {
        lock.lock();
        try {
            if (!over) {
                over = true;
                way.run();
            }
        } catch (IllegalStateException e) { // the container was first
            System.getLogger(ServletStream.class.getName())
                    .log(System.Logger.Level.DEBUG, "A response has ended already", e);
        } finally {
            lock.unlock();
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
            write = null;
        } finally {
            lock.unlock();
        }
        if (current != null) {
            tell(current);
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
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
        fail(new IOException("the response has ended"));
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
