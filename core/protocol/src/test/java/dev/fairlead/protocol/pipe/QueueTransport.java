package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A transport whose other end the test holds: texts in, texts out. */
final class QueueTransport implements Transport {
    private static final String END = "end";
    private static final String LOSS = "loss";

    private final BlockingQueue<String> in = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private volatile CountDownLatch flowing = new CountDownLatch(0);
    volatile boolean closed;

    /** How many of the next messages find no memory, on their way in or out. */
    final AtomicInteger unread = new AtomicInteger();

    final AtomicInteger unwritten = new AtomicInteger();

    private static boolean takes(AtomicInteger failures) {
        return failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    void give(String... texts) {
        in.addAll(java.util.List.of(texts));
    }

    void giveEnd() {
        in.add(END);
    }

    void lose() {
        in.add(LOSS);
    }

    /** From now on nothing that is sent arrives. */
    void stall() {
        flowing = new CountDownLatch(1);
    }

    /** Delivers the messages sent since {@link #stall}. */
    void resume() {
        flowing.countDown();
    }

    /** The next text that was sent; null if none comes within a minute. */
    String sent() throws InterruptedException {
        return out.poll(60, TimeUnit.SECONDS);
    }

    boolean hasSent() {
        return !out.isEmpty();
    }

    @Override
    public JsonRpcMessage receive() throws IOException {
        try {
            String text = in.take();
            if (takes(unread)) {
                throw new OutOfMemoryError("of the test");
            }
            return switch (text) {
                case END -> null;
                case LOSS -> throw new IOException("cable cut");
                default -> JsonRpcMessage.parse(text);
            };
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void send(JsonRpcMessage message) throws IOException {
        if (takes(unwritten)) {
            throw new OutOfMemoryError("of the test");
        }
        boolean stalled = flowing.getCount() > 0;
        try {
            flowing.await();
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
        if (stalled && closed) {
            throw new IOException("closed");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("an interrupt met the transport");
        }
        out.add(message.toJson());
    }

    @Override
    public void close() {
        closed = true;
        flowing.countDown();
        in.add(END);
    }
}
