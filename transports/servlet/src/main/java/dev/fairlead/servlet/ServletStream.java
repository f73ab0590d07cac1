package dev.fairlead.servlet;

import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.time.LimitedLog;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A response that is written piece by piece, without blocking: a client that does not read holds no
 * thread, and an interrupt meets no connection.
 *
 * <p>A thread that writes continues until the container takes no more; then the container calls
 * {@link #onWritePossible}. The lock guards the fields and is held while the container is asked to
 * write, which takes no time. It is not held while this is made the listener, while the request is
 * handed back or while a {@link ResponseStream.Completion} runs, and {@link #onComplete} does not
 * wait for it: containers wait for locks of their own there. {@link #onWritePossible} and {@link
 * #onError} do wait for it: the container uses the response for another request once they are over,
 * so that a thread that still writes would spoil that one. Once the container has ended the request
 * the response is not touched any more.
 */
final class ServletStream implements ResponseStream, WriteListener, AsyncListener {
    private static final System.Logger LOGGER = System.getLogger(ServletStream.class.getName());

    /** The length of a body that comes piece by piece. */
    static final int UNKNOWN = -1;

    private final AsyncContext async;
    private final HttpServletResponse response;
    private final Consumer<Runnable> starter;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<@Nullable Runnable> left = new AtomicReference<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ServletOutputStream out; // once the answer has begun
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

        void complete() {
            completion.done(failure);
        }
    }

    private ServletStream(
            AsyncContext async, HttpServletResponse response, Consumer<Runnable> starter) {
        this.async = async;
        this.response = response;
        this.starter = starter;
    }

    /**
     * The answer to a request; from now on it receives the events of the request.
     *
     * @param starter runs each task on a thread of its own
     */
    static ServletStream of(
            AsyncContext async, HttpServletResponse response, Consumer<Runnable> starter) {
        ServletStream stream = new ServletStream(async, response, starter);
        async.addListener(stream);
        return stream;
    }

    /** Runs a task that may take long on a thread of its own, or here if none can be started. */
    private void start(Runnable task) {
        try {
            starter.accept(task);
        } catch (OutOfMemoryError e) { // the system has no more threads
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.WARNING, "", e, "No thread could be started");
            task.run();
        }
    }

    /**
     * Runs an action, on a thread of its own, if the container ends the response before it is
     * complete: Jetty reports a failed flush between two writes.
     */
    void onLeft(Runnable action) {
        lock.lock();
        try {
            left.set(action);
            if (isOver()) {
                reportLeft();
            }
        } finally {
            lock.unlock();
        }
    }

    private void reportLeft() {
        Runnable action = left.getAndSet(null);
        if (action != null) {
            start(action);
        }
    }

    /**
     * Begins the answer. If the container has ended the request before, all writes fail.
     *
     * @param length of the body, or {@link #UNKNOWN}
     * @throws RuntimeException if the container does not take it; the request is ended then, as it
     *     is by an error
     */
    void begin(ResponseHead head, int length) {
        try {
            ServletOutputStream opened = open(head, length);
            if (opened != null) {
                opened.setWriteListener(this);
                begun(opened);
            }
        } catch (IOException e) {
            failUnlessBegun(e);
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            failUnlessBegun(e);
            throw e;
        }
    }

    /** Writes the head; absent if the container has ended the request. */
    private @Nullable ServletOutputStream open(ResponseHead head, int length) throws IOException {
        lock.lock();
        try {
            if (isOver()) {
                return null;
            }
            if (length != UNKNOWN) {
                response.setContentLength(length);
            }
            response.setStatus(head.status());
            head.forEach(response::setHeader);
            return response.getOutputStream();
        } finally {
            lock.unlock();
        }
    }

    private void begun(ServletOutputStream opened) {
        lock.lock();
        try {
            out = opened;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a request that has no answer; does nothing if one has begun. */
    void failUnlessBegun(Throwable cause) {
        lock.lock();
        try {
            if (out != null || isOver()) {
                return;
            }
            failure = cause;
            response.reset();
            response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        } catch (RuntimeException | Error e) { // it is committed, or a wrapper refuses this too
            cause.addSuppressed(e);
        } finally {
            lock.unlock();
        }
        finish(async::complete);
    }

    /** Returns whether nothing may be written any more; the cause is there then. */
    private boolean isOver() {
        if (failure == null && over.get()) {
            failure = new IOException("the container has ended the response");
        }
        return failure != null;
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
            current.complete();
        }
    }

    /** Writes as much as the container takes; whether the write has ended, in whichever way. */
    private boolean advance(Write current) {
        try {
            ServletOutputStream to = out;
            while (to != null && !isOver()) {
                if (!to.isReady()) {
                    return false;
                }
                if (current.bytes.hasRemaining()) {
                    put(to, current.bytes);
                } else if (!current.flushed) {
                    current.flushed = true;
                    to.flush();
                } else {
                    break;
                }
            }
        } catch (IOException
                | RuntimeException
                | Error e) { // containers throw the first two where a client is gone
            failure = e;
        }
        ended(current);
        return true;
    }

    private void ended(Write current) {
        current.failure = failure;
        write = null;
    }

    private static void put(ServletOutputStream to, ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (bytes.hasArray()) {
            int offset = bytes.arrayOffset() + bytes.position();
            bytes.position(bytes.limit());
            to.write(bytes.array(), offset, length);
        } else {
            byte[] copy = new byte[length];
            bytes.get(copy);
            to.write(copy);
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
        start(current::complete); // the next step may wait for a store
    }

    @Override
    public void end() {
        finish(async::complete);
    }

    /**
     * Aborts the response; while a write is under way, the next call of the container ends it, and
     * the container limits how long that takes.
     */
    @Override
    public void abort() {
        boolean failed;
        lock.lock();
        try {
            failed = failure != null && !(failure instanceof Error); // the container knows
            aborted = true;
            if (!failed && write != null) {
                return;
            }
            if (failure == null) {
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
            left.set(null);
            try {
                way.run();
            } catch (IllegalStateException e) { // the container was first
                LOGGER.log(System.Logger.Level.DEBUG, "A response has ended already", e);
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
            start(current::complete); // the next step may wait for a store
        }
        reportLeft();
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
            start(() -> fail(cause));
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
