package dev.fairlead.examples.unixsocket;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** One connection over a Unix domain socket: four bytes of length before each message. */
// @start region="transport"
public final class UnixSocketTransport implements Transport {
    private static final int MAX_LENGTH = 64 << 20;
    private static final int FIRST_PIECE = 64 << 10;

    private final SocketChannel channel;

    public UnixSocketTransport(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects to a server that listens at a path. */
    public static UnixSocketTransport connect(Path path) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
            return new UnixSocketTransport(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public @Nullable JsonRpcMessage receive() throws IOException {
        ByteBuffer length = ByteBuffer.allocate(4);
        if (!fill(length)) {
            return null;
        }
        int size = length.flip().getInt();
        if (size < 0 || size > MAX_LENGTH) {
            throw new IOException("a message may have " + MAX_LENGTH + " bytes but has " + size);
        }
        // The peer announces the size: the buffer grows with the bytes that have come.
        ByteBuffer message = ByteBuffer.allocate(Math.min(size, FIRST_PIECE));
        while (fill(message)) {
            if (message.capacity() == size) {
                return JsonRpcMessage.parse(message.array());
            }
            int larger = (int) Math.min(size, 2L * message.capacity());
            message = ByteBuffer.allocate(larger).put(message.flip());
        }
        return null;
    }

    /** Reads until the buffer is full; false if the peer, or this side, closed before. */
    private boolean fill(ByteBuffer buffer) throws IOException {
        try {
            while (buffer.hasRemaining()) {
                if (channel.read(buffer) < 0) {
                    return false;
                }
            }
            return true;
        } catch (ClosedChannelException e) {
            return false;
        }
    }

    @Override
    public void send(JsonRpcMessage message) throws IOException {
        byte[] bytes = message.toBytes();
        ByteBuffer frame = ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes);
        frame.flip();
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
// @end
