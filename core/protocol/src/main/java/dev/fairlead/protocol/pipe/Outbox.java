package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.engine.Connection;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded queue between the threads that send and the one thread that writes. An interrupt
 * stays set for the code that it was meant for; it ends the wait of a request for its place, and
 * disturbs no other sender.
 */
final class Outbox {
    /** The result of adding a message. */
    enum Put {
        TAKEN,
        FULL,
        CLOSED,
        WITHDRAWN
    }

    private static final int MESSAGE_WEIGHT = 100; // of its objects, in bytes

    private final int maxMessages;
    private final long maxWeight;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    // guarded by lock
    private List<JsonRpcMessage> queue = new ArrayList<>();
    private long weight;
    private boolean closed;
    private boolean abandoned;
    private boolean takerWaits; // and has written the messages it took before
    private boolean bypassed; // another thread writes
    private final Set<RequestId> sending = new HashSet<>(); // requests that wait for place

    Outbox(int maxMessages, long maxWeight) {
        this.maxMessages = maxMessages;
        this.maxWeight = maxWeight;
    }

    /** Adds a message; waits for place for at most the given time. */
    Put put(JsonRpcMessage message, Duration patience) {
        return put(message, patience, null);
    }

    /**
     * Adds a request as {@link #put}, unless it is {@link #withdraw withdrawn} or its sender
     * interrupted meanwhile.
     */
    Put putRequest(JsonRpcRequest request, Duration patience) {
        return put(request, patience, request.id());
    }

    private Put put(JsonRpcMessage message, Duration patience, @Nullable RequestId request) {
        boolean cancels = isCancellation(message);
        long added = cancels ? 0 : MESSAGE_WEIGHT + message.expectedSize();
        lock.lock();
        try {
            if (!awaitPlace(added, cancels, patience, request)) {
                return Put.WITHDRAWN;
            }
            if (closed) {
                return Put.CLOSED;
            }
            if (isFull(added, cancels)) {
                return Put.FULL;
            }
            queue.add(message);
            weight += added;
            filled.signal();
            return Put.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isCancellation(JsonRpcMessage message) {
        return message instanceof JsonRpcNotification notification
                && notification.method().equals(Connection.CANCELLED);
    }

    /** A caller that cancels has waited long enough: there are as many places again for that. */
    private boolean isFull(long added, boolean cancels) {
        return cancels
                ? queue.size() / 2 >= maxMessages
                : !queue.isEmpty() && (queue.size() >= maxMessages || weight + added > maxWeight);
    }

    /** Returns false if the request was withdrawn. */
    private boolean awaitPlace(
            long added, boolean cancels, Duration patience, @Nullable RequestId request) {
        if (closed || !isFull(added, cancels)) {
            return true;
        }
        long end = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        boolean given = true;
        if (request != null) {
            sending.add(request);
        }
        try {
            for (long left = patience.toNanos();
                    left > 0 && !closed && isFull(added, cancels) && given;
                    left = end - System.nanoTime()) {
                try {
                    emptied.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                given = request == null || !interrupted && sending.contains(request);
            }
        } finally {
            sending.remove(request);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return given;
    }

    /** Ends the wait of a request for its place; returns false if it does not wait. */
    boolean withdraw(RequestId request) {
        lock.lock();
        try {
            boolean waits = sending.remove(request);
            if (waits) {
                emptied.signalAll();
            }
            return waits;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether the current thread may write by itself: nothing is queued, and messages taken
     * before are written, so the order is kept. If so, {@link #endBypass} must follow.
     */
    boolean bypass() {
        lock.lock();
        try {
            if (closed || bypassed || !takerWaits || !queue.isEmpty()) {
                return false;
            }
            bypassed = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the bypass begun by {@link #bypass}. */
    void endBypass() {
        lock.lock();
        try {
            bypassed = false;
            if (!queue.isEmpty() || closed) {
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for messages and takes all of them; an empty list once the queue is closed and empty,
     * or abandoned. The taker has written the messages that it took before.
     */
    List<JsonRpcMessage> take() {
        lock.lock();
        try {
            takerWaits = true;
            while (!abandoned && (bypassed || (queue.isEmpty() && !closed))) {
                filled.awaitUninterruptibly();
            }
            takerWaits = false;
            if (abandoned) {
                return List.of();
            }
            List<JsonRpcMessage> taken = queue;
            queue = new ArrayList<>();
            weight = 0;
            emptied.signalAll();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    boolean isOpen() {
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue for new messages; queued ones can still be taken out. */
    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue; messages in it can be taken out no more, even if a bypass never ends. */
    void abandon() {
        lock.lock();
        try {
            abandoned = true;
        } finally {
            lock.unlock();
        }
        close();
    }
}
