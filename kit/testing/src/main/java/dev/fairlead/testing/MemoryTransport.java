package dev.fairlead.testing;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One end of a pair of queues, each of which carries the bytes of one message after the other. */
final class MemoryTransport implements Transport {
    private static final byte[] END = {};
    private static final int CAPACITY = 10_000;

    private final BlockingQueue<byte[]> in;
    private final BlockingQueue<byte[]> out;
    private volatile boolean closed;

    /** Both ends of one connection. */
    record Pair(MemoryTransport near, MemoryTransport far) {}

    private MemoryTransport(BlockingQueue<byte[]> in, BlockingQueue<byte[]> out) {
        this.in = in;
        this.out = out;
    }

    static Pair pair() {
        BlockingQueue<byte[]> one = new LinkedBlockingQueue<>(CAPACITY);
        BlockingQueue<byte[]> other = new LinkedBlockingQueue<>(CAPACITY);
        return new Pair(new MemoryTransport(one, other), new MemoryTransport(other, one));
    }

    /** Returns the next frame; null at the end. */
    byte @Nullable [] receiveBytes() throws IOException {
        try {
            return orEnd(in.take());
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private byte @Nullable [] orEnd(byte[] frame) {
        if (frame.length > 0) {
            return frame;
        }
        in.offer(END); // for the next call
        return null;
    }

    void sendBytes(byte[] frame) throws IOException {
        if (closed) {
            throw new IOException("the connection is closed");
        }
        try {
            out.put(frame);
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public @Nullable JsonRpcMessage receive() throws IOException {
        byte[] frame = receiveBytes();
        return frame == null ? null : JsonRpcMessage.parse(frame);
    }

    @Override
    public void send(JsonRpcMessage message) throws IOException {
        sendBytes(message.toBytes());
    }

    @Override
    public void close() {
        closed = true;
        finish(in);
        finish(out);
    }

    /**
     * Ends a queue: queued messages still arrive; a writer that waits for place finds it and fails
     * next time.
     */
    private static void finish(BlockingQueue<byte[]> queue) {
        while (!queue.offer(END)) {
            queue.poll();
        }
    }
}
