package dev.fairlead.http.loop;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A selector and the thread that waits at it for many connections, reads from all of them into one
 * buffer, and runs what others leave for it. Only {@link #execute} and {@link #wakeup} are for
 * other threads.
 */
final class Loop {
    private static final System.Logger LOGGER = System.getLogger(Loop.class.getName());
    private static final int BUFFER = 64 << 10;

    /** How often in the time of a client it is checked whether that is over. */
    private static final int CHECKS = 8;

    private static final long LONGEST_CHECK = Duration.ofSeconds(1).toNanos();

    private final Selector selector = Selector.open();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Thread thread;
    private final long checkNanos;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private final byte[] bytes = new byte[BUFFER];
    private final List<SelectionKey> ready = new ArrayList<>();
    private @Nullable HeadParser spare;
    private long now = System.nanoTime();
    private long lastCheck = now;
    private boolean stopped;

    /** What is registered with the selector. Runs on the loop. */
    interface Registered {
        /** The channel is ready for what was asked. */
        void ready() throws IOException;

        /** Looks whether a time is over. */
        void check(long now);

        /** Ends it; does nothing the second time. */
        void close(IOException cause);
    }

    Loop(Thread.Builder threads, Duration clientTimeout) throws IOException {
        checkNanos = Math.min(clientTimeout.toNanos() / CHECKS, LONGEST_CHECK) + 1;
        thread = threads.unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    // For other threads.

    /** Runs a task on the loop, after those before it; never if the loop has stopped. */
    void execute(Runnable task) {
        tasks.add(task);
        if (!isCurrent()) {
            wakeup();
        }
    }

    void wakeup() {
        if (woken.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Closes all that is registered, and ends the thread; returns when that is done. */
    void stop() throws InterruptedException {
        execute(() -> stopped = true);
        thread.join();
    }

    // For what is registered.

    SelectionKey register(SelectableChannel channel, int operations, Registered registered)
            throws ClosedChannelException {
        return channel.register(selector, operations, registered);
    }

    /** The buffer for one read. */
    ByteBuffer in() {
        return in;
    }

    /** Room for the bytes of one read. */
    byte[] bytes() {
        return bytes;
    }

    /** When the selector last returned. */
    long now() {
        return now;
    }

    HeadParser takeParser() {
        HeadParser parser = spare == null ? new HeadParser() : spare;
        spare = null;
        parser.reset();
        return parser;
    }

    void giveBack(HeadParser parser) {
        spare = parser;
    }

    // The thread.

    private void run() {
        try {
            while (!stopped) {
                turn();
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, "A loop of HTTP connections failed", e);
        } finally {
            closeAll();
        }
    }

    private void turn() throws IOException {
        select();
        woken.set(false);
        for (SelectionKey key : ready) {
            run(key);
        }
        ready.clear();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
        }
        if (now - lastCheck > checkNanos) {
            lastCheck = now;
            check();
        }
    }

    private void select() throws IOException {
        if (!tasks.isEmpty()) {
            selector.selectNow(ready::add);
        } else if (selector.keys().isEmpty()) {
            selector.select(ready::add);
        } else {
            selector.select(ready::add, checkNanos / 1_000_000 + 1);
        }
        now = System.nanoTime();
    }

    private static void run(SelectionKey key) {
        Registered registered = (Registered) key.attachment();
        try {
            if (key.isValid()) {
                registered.ready();
            }
        } catch (IOException e) {
            registered.close(e);
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "An HTTP connection failed", e);
            registered.close(new IOException(e));
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "A task of an HTTP connection failed", e);
        }
    }

    private void check() {
        for (SelectionKey key : selector.keys()) { // stays as it is until the next selection
            run(() -> ((Registered) key.attachment()).check(now));
        }
    }

    private void closeAll() {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            run(() -> ((Registered) key.attachment()).close(new ClosedChannelException()));
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A selector was not closed", e);
        }
    }
}
