package dev.fairlead.http.loop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** A connection in memory, whose network takes a few bytes until the client reads them. */
final class ModelChannel extends SocketChannel {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 1);

    private final int room; // in bytes, on the way to the client
    private final ByteArrayOutputStream toClient = new ByteArrayOutputStream();
    private final ByteArrayOutputStream toServer = new ByteArrayOutputStream();
    private boolean clientEnded;
    private boolean serverEnded;

    ModelChannel(int room) throws IOException {
        super(SelectorProvider.provider());
        this.room = room;
        configureBlocking(false);
    }

    // The client.

    void send(String text) {
        toServer.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    void endInput() {
        clientEnded = true;
    }

    boolean isReadableByClient() {
        return toClient.size() > 0 || serverEnded;
    }

    String receive() {
        String text = toClient.toString(StandardCharsets.US_ASCII);
        toClient.reset();
        return text;
    }

    /** Returns whether the server has ended its side. */
    boolean hasServerEnded() {
        return serverEnded;
    }

    // The server.

    int readyOps() {
        int read = toServer.size() > 0 || clientEnded ? SelectionKey.OP_READ : 0;
        int write = toClient.size() < room ? SelectionKey.OP_WRITE : 0;
        return read | write;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        byte[] bytes = toServer.toByteArray();
        if (bytes.length == 0) {
            return clientEnded ? -1 : 0;
        }
        target.put(bytes); // there is less than that has room for
        toServer.reset();
        return bytes.length;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        int size = Math.min(source.remaining(), room - toClient.size());
        for (int i = 0; i < size; i++) {
            toClient.write(source.get());
        }
        return size;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            written += write(sources[i]);
        }
        return written;
    }

    @Override
    public SocketChannel shutdownOutput() {
        serverEnded = true;
        return this;
    }

    @Override
    protected void implCloseSelectableChannel() {
        serverEnded = true;
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    @Override
    public SocketAddress getLocalAddress() {
        return ADDRESS;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return ADDRESS;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    // Not used.

    @Override
    public SocketChannel bind(SocketAddress local) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public SocketChannel shutdownInput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean connect(SocketAddress remote) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean finishConnect() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }
}
