package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.ConnectionException;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is to be sent, in its order. Senders only queue here, so that no interrupt of theirs meets
 * the network; one thread of the connection sends. The lock makes closing and queueing exclude each
 * other.
 */
final class Outbox {
    private static final int CAPACITY = 1_000;

    private final BlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>(CAPACITY);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed;

    /**
     * Queues a job.
     *
     * @throws ConnectionException if the outbox is closed or full
     */
    void put(Runnable job) {
        lock.lock();
        try {
            if (closed) {
                throw new ConnectionException("the connection is closed");
            }
            if (!jobs.offer(job)) {
                throw new ConnectionException(
                        CAPACITY + " messages wait to be sent; the server does not keep up");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Does the jobs one after the other, until the outbox is closed and empty. */
    void run() {
        try {
            while (!closed || !jobs.isEmpty()) {
                jobs.take().run();
            }
        } catch (InterruptedException e) { // nobody interrupts the threads of a connection
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    /**
     * Takes nothing more, and waits until what is here is done; drops what is left when the time is
     * over.
     */
    void close(Duration patience) {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        jobs.offer(() -> {}); // wakes the thread
        try {
            if (!ended.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                jobs.clear();
            }
        } catch (InterruptedException e) {
            jobs.clear();
            Thread.currentThread().interrupt();
        }
    }
}
