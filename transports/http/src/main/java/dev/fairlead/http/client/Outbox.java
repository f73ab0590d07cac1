package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.time.LimitedLog;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages to send, in their order. Senders only queue here, so that no interrupt of theirs
 * meets the network; one thread of the connection sends. The lock makes closing and queueing
 * exclude each other.
 */
final class Outbox {
    private static final System.Logger LOGGER = System.getLogger(Outbox.class.getName());
    private static final int CAPACITY = 1_000;

    /** The last job of the queue; nothing is queued behind it. */
    private static final Runnable LAST = () -> {};

    private final BlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger unsent = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Queues a job.
     *
     * @throws ConnectionException if the outbox is closed or full
     */
    void put(Runnable job) {
        lock.lock();
        try {
            requireOpen();
            if (jobs.size() >= CAPACITY) {
                throw new ConnectionException(
                        CAPACITY + " messages wait to be sent; the server does not keep up");
            }
            jobs.add(job);
            unsent.incrementAndGet();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes sure that the connection still sends.
     *
     * @throws ConnectionException if the outbox is closed
     */
    void requireOpen() {
        if (closed) {
            throw new ConnectionException("the connection is closed");
        }
    }

    /** Returns whether all jobs are done that were queued before. */
    boolean isEmpty() {
        return unsent.get() == 0;
    }

    /** Does the jobs one after the other, until the outbox is closed and empty. */
    void run() {
        try {
            for (Runnable job = jobs.take(); job != LAST; job = jobs.take()) {
                run(job);
                unsent.decrementAndGet();
            }
        } catch (InterruptedException e) { // the threads of a connection are not interrupted
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    private static void run(Runnable job) {
        try {
            job.run();
        } catch (RuntimeException | Error e) { // after any failure, the next one is to be sent
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "A message could not be sent");
        }
    }

    /**
     * Refuses new jobs, and waits until the queued ones are done; drops the rest when the time is
     * over.
     */
    void close(Duration patience) {
        lock.lock();
        try {
            closed = true;
            jobs.add(LAST);
        } finally {
            lock.unlock();
        }
        try {
            if (!ended.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                drop();
            }
        } catch (InterruptedException e) {
            drop();
            Thread.currentThread().interrupt();
        }
    }

    private void drop() {
        jobs.clear();
        jobs.add(LAST); // the thread may wait for it already
    }
}
