package dev.fairlead.benchmarks.hot;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;

/**
 * The server's end of a connection in memory, over which bytes go; the other end is a thread that
 * calls.
 */
final class QueueTransport implements Transport {
    private static final byte[] END = {};

    private final TransferQueue<byte[]> toServer = new LinkedTransferQueue<>();
    private final TransferQueue<byte[]> toClient = new LinkedTransferQueue<>();

    /** Hands a message to the server. */
    void enqueue(byte[] message) {
        toServer.add(message);
    }

    /** Hands a message to the server, and gives what comes back. */
    byte[] exchange(byte[] message) throws InterruptedException {
        toServer.add(message);
        return toClient.take();
    }

    @Override
    public @Nullable JsonRpcMessage receive() throws IOException {
        try {
            byte[] message = toServer.take();
            return message.length == 0 ? null : JsonRpcMessage.parse(message);
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void send(JsonRpcMessage message) {
        toClient.add(message.toBytes());
    }

    @Override
    public void close() {
        toServer.add(END);
    }
}
