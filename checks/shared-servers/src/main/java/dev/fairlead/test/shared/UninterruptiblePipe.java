package dev.fairlead.test.shared;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.pipe.BufferedTransport;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One end of a connection in memory, which an interrupt leaves intact, as it does a stream. */
final class UninterruptiblePipe implements BufferedTransport {
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> in;
    private final BlockingQueue<byte[]> out;

    UninterruptiblePipe() {
        this(new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
    }

    private UninterruptiblePipe(BlockingQueue<byte[]> in, BlockingQueue<byte[]> out) {
        this.in = in;
        this.out = out;
    }

    UninterruptiblePipe otherEnd() {
        return new UninterruptiblePipe(out, in);
    }

    @Override
    public boolean isUninterruptible() {
        return true;
    }

    @Override
    public @Nullable JsonRpcMessage receive() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    byte[] frame = in.take();
                    return frame == END ? null : JsonRpcMessage.parse(frame);
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

    @Override
    public void send(JsonRpcMessage message) {
        out.add(message.toBytes());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        in.add(END);
        out.add(END);
    }
}
