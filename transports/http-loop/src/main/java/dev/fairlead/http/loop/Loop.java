package dev.fairlead.http.loop;

import dev.fairlead.protocol.relay.Relay;
import dev.fairlead.protocol.relay.Watchdog;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A selector and the thread that waits at it for many connections, reads from all of them into one
 * buffer, and runs the tasks of other threads. It also runs quick handlers ({@link #hold}); when
 * one of them blocks, a fresh thread continues with the next connection, and the former one touches
 * nothing of the loop any more. Only {@link #execute}, {@link #wakeup} and {@link #isWaiting} may
 * be called by other threads.
 */
final class Loop {
    private static final System.Logger LOGGER = System.getLogger(Loop.class.getName());
    private static final int BUFFER = 64 << 10;

    /** How often in the time of a client it is checked whether that is over. */
    private static final int CHECKS = 8;

    private static final long LONGEST_CHECK = Duration.ofSeconds(1).toNanos();

    private static final String FAILED = "A loop of HTTP connections failed; trying again in 1 s";

    /** How long the loop pauses after an error, as without memory. */
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    /** How many tasks run before the connections that are ready have their turn. */
    static final int TASKS_AT_ONCE = 64;

    /** The cause of the end of a connection, made while there is memory. */
    private static final IOException WITHOUT_MEMORY = new IOException("no memory");

    private final Selector selector;
    private final Queue<Runnable> tasks;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Relay relay;
    private final ShortWaits waits;
    private final HeldBack<LoopConnection> heldBack;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long checkNanos;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private final byte[] bytes = new byte[BUFFER];
    private final List<SelectionKey> ready = new ArrayList<>();
    private final Consumer<SelectionKey> collecting = ready::add;
    private int nextReady; // of the keys that are ready, those before it had their turn
    private @Nullable HeadParser spare;
    private long now = System.nanoTime();
    private long lastCheck = now;
    private boolean stopped;

    /** A channel that is registered with the selector. Called on the loop. */
    interface Registered {
        /** The channel is ready for an operation of its interest set. */
        void ready() throws IOException;

        /** Looks whether a time is over. */
        void check(long now);

        /** Ends it; does nothing the second time. */
        void close(IOException cause);
    }

    Loop(String name, ThreadFactory threads, Duration clientTimeout) throws IOException {
        this(
                name,
                threads,
                clientTimeout,
                Watchdog.shared(),
                Selector.open(),
                new ConcurrentLinkedQueue<>(),
                ShortWaits.onThisMachine(),
                new HeldBack<>());
    }

    /**
     * Takes the objects shared with other threads as well, so that a test can order their accesses.
     */
    Loop(
            String name,
            ThreadFactory threads,
            Duration clientTimeout,
            Watchdog watchdog,
            Selector selector,
            Queue<Runnable> tasks,
            ShortWaits waits,
            HeldBack<LoopConnection> heldBack) {
        this.checkNanos = Math.min(clientTimeout.toNanos() / CHECKS, LONGEST_CHECK) + 1;
        this.selector = selector;
        this.tasks = tasks;
        this.waits = waits;
        this.heldBack = heldBack;
        this.relay = new Relay(name, threads, watchdog, this::run);
    }

    void start() {
        relay.start();
    }

    // Called by other threads.

    /** Runs a task on the loop, after those before it; never if the loop has stopped. */
    void execute(Runnable task) {
        tasks.add(task);
        if (!isCurrent()) {
            wakeup();
        }
    }

    /** Runs a step of what is registered on the loop, and closes that if the step fails. */
    void execute(Registered registered, Step step) {
        execute(() -> run(registered, step));
    }

    void wakeup() {
        if (woken.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    /** Returns whether the current thread is the one of the loop, perhaps within a handler. */
    boolean isCurrent() {
        return relay.isReader();
    }

    /** Returns whether the current thread is the one of the loop, and others wait for it. */
    boolean isWaiting() {
        return relay.isReading();
    }

    /** Closes all that is registered, and ends the thread; returns when that is done. */
    void stop() throws InterruptedException {
        beginStop();
        ended.await();
    }

    /** Ends a loop beside which others could not be started; it has no connections. */
    void abandon() {
        beginStop();
        relay.stop();
        closeSelector();
    }

    /** Starts to stop; {@link #stop} waits for the end. */
    void beginStop() {
        execute(() -> stopped = true);
    }

    // Called by registered channels.

    /**
     * Runs a handler that may block. Nothing of the loop or its connections may be used after it.
     */
    void hold(Runnable handler) {
        Thread.interrupted(); // one that came too late was for a former handler
        relay.hold(handler);
    }

    /**
     * Returns whether the response to the request that is held next waits for those to others in
     * this turn. If so, {@link LoopConnection#writeHeldBack} is called soon, even if the handler
     * blocks.
     */
    boolean holdsBack(LoopConnection connection) {
        if (nextReady == ready.size()) {
            return false;
        }
        heldBack.add(connection);
        return true;
    }

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

    /** The time at which the selector last returned. */
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
        int failures = 0;
        while (!stopped && selector.isOpen()) {
            try {
                if (!turn()) {
                    return;
                }
                failures = LastingLoop.succeeded(failures, FAILED);
            } catch (Throwable e) {
                if (!relay.isReader()) {
                    LimitedLog.failed(LOGGER, System.Logger.Level.ERROR, "", e, "A request failed");
                    return;
                }
                failures = LastingLoop.failed(failures, FAILED);
                pause(e);
            }
        }
        if (!relay.isReader()) {
            return;
        }
        try {
            closeAll();
        } finally {
            try {
                relay.stop();
            } finally { // also without memory: close() waits for it
                ended.countDown();
            }
        }
    }

    /**
     * Continues after any failure: a loop that ends would close its connections, and the first loop
     * also the port. Without memory even the pause may fail; the next turn follows anyway.
     */
    private static void pause(Throwable cause) {
        LimitedLog.failed(LOGGER, System.Logger.Level.ERROR, "", cause, FAILED);
        try {
            LockSupport.parkNanos(PAUSE_NANOS);
        } catch (Throwable e) {
            LimitedLog.failed(LOGGER, System.Logger.Level.ERROR, "", e, "A loop cannot pause");
        }
    }

    /** Returns false if another thread continues, perhaps in the middle of this turn. */
    private boolean turn() throws IOException {
        if (ready.isEmpty()) {
            select();
            woken.set(false);
        }
        while (nextReady < ready.size()) {
            if (heldBack.isDue()) {
                writeHeldBack();
            }
            SelectionKey key = ready.get(nextReady++);
            if (key.isValid()) {
                Registered registered = (Registered) key.attachment();
                run(registered, registered::ready);
            }
            if (!relay.isReader()) {
                return false;
            }
        }
        writeHeldBack();
        ready.clear();
        nextReady = 0;
        for (int i = 0;
                i < TASKS_AT_ONCE;
                i++) { // each may have a request handled that was sent ahead
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            run(task);
            if (!relay.isReader()) {
                return false;
            }
        }
        if (now - lastCheck > checkNanos) {
            lastCheck = now;
            check();
        }
        return true;
    }

    private void writeHeldBack() {
        heldBack.removeAll(connection -> run(connection, connection::writeHeldBack));
    }

    private void select() throws IOException {
        Thread.interrupted(); // with it the selector would not wait
        if (!tasks.isEmpty()) {
            selector.selectNow(collecting);
        } else if (selector.keys().isEmpty()) {
            selector.select(collecting);
        } else if (!look()) {
            waits.beforeSleep();
            selector.select(collecting, checkNanos / 1_000_000 + 1);
            waits.afterSleep();
        }
        now = System.nanoTime();
    }

    /** Waits for a moment without sleeping, where that is likely to be enough. */
    private boolean look() throws IOException {
        int looks = waits.looks();
        for (int i = 0; i < looks; i++) {
            if (selector.selectNow(collecting) > 0 || woken.get()) {
                waits.found();
                return true;
            }
            Thread.yield(); // to handlers
        }
        if (looks > 0) {
            waits.foundNothing();
        }
        return false;
    }

    /** An operation on a channel. */
    interface Step {
        void run() throws IOException;
    }

    private void run(Registered registered, Step step) {
        try {
            step.run();
        } catch (IOException e) {
            close(registered, e);
        } catch (Throwable e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "An HTTP connection failed");
            close(registered, failure(e));
        }
    }

    private static IOException failure(Throwable cause) {
        try {
            return new IOException(cause);
        } catch (OutOfMemoryError e) {
            return WITHOUT_MEMORY;
        }
    }

    /** A handler may have failed after another thread has become the loop. */
    private void close(Registered registered, IOException cause) {
        try {
            if (isCurrent()) {
                registered.close(cause);
            } else {
                execute(() -> registered.close(cause));
            }
        } catch (Throwable e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "An HTTP connection was not closed");
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LimitedLog.failed(
                    LOGGER,
                    System.Logger.Level.ERROR,
                    "",
                    e,
                    "A task of an HTTP connection failed");
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
        closeSelector();
    }

    private void closeSelector() {
        try {
            selector.close();
        } catch (IOException e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.WARNING, "", e, "A selector was not closed");
        }
    }
}
