package dev.fairlead.protocol.pipe;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded queue between those who send and the one thread that writes. Waiting senders are not
 * disturbed by an interrupt: it stays set for the code that it was meant for.
 */
final class Outbox {
    /** What became of a message. */
    enum Put {
        TAKEN,
        FULL,
        CLOSED
    }

    private static final int MESSAGE_WEIGHT = 100; // of the envelope, in bytes

    private final int maxMessages;
    private final long maxWeight;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    // guarded by lock
    private List<JsonRpcMessage> queue = new ArrayList<>();
    private long weight;
    private boolean closed;

    Outbox(int maxMessages, long maxWeight) {
        this.maxMessages = maxMessages;
        this.maxWeight = maxWeight;
    }

    /** Takes a message over; waits for place as long as given. */
    Put put(JsonRpcMessage message, Duration patience) {
        long added = weight(message);
        lock.lock();
        try {
            if (!closed && isFull(added)) {
                awaitPlace(added, patience);
            }
            if (closed) {
                return Put.CLOSED;
            }
            if (isFull(added)) {
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

    private boolean isFull(long added) {
        return !queue.isEmpty() && (queue.size() >= maxMessages || weight + added > maxWeight);
    }

    private void awaitPlace(long added, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            for (long left = patience.toNanos();
                    left > 0 && !closed && isFull(added);
                    left = end - System.nanoTime()) {
                try {
                    emptied.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for messages and takes all there are; an empty list once the queue is closed. */
    List<JsonRpcMessage> take() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                filled.awaitUninterruptibly();
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

    /** Takes no more messages; those in the queue can still be taken out. */
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

    private static long weight(JsonRpcMessage message) {
        return switch (message) {
            case JsonRpcRequest request -> weight(request.params());
            case JsonRpcNotification notification -> weight(notification.params());
            case JsonRpcResponse response -> weight(response.result());
            case JsonRpcErrorResponse error -> MESSAGE_WEIGHT + error.error().message().length();
            case Batch batch -> batch.messages().stream().mapToLong(Outbox::weight).sum();
        };
    }

    private static long weight(@Nullable RawJson content) {
        return MESSAGE_WEIGHT + (content == null ? 0 : content.size());
    }
}
