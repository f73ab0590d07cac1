package dev.fairlead.http.blocking;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One TCP connection, with TLS if it is needed. For the thread of one exchange at a time; any
 * thread may close it, which ends a wait of that thread.
 */
final class SocketConnection implements Closeable {
    private static final int FIRST_BUFFER = 1024;
    private static final int BUFFER = 8 * 1024;
    private static final byte[] NONE = {};

    /** A body that is not larger is sent together with the head. */
    private static final int SENT_TOGETHER = 64 * 1024;

    private final Origin origin;
    private final @Nullable Via proxy;

    /** Larger once much has come, until the end of the exchange. */
    private byte[] buffer = NONE;

    private final SocketChannel channel = SocketChannel.open();
    private Socket socket = channel.socket();
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();
    private int position;
    private int limit;

    /** The moment up to which it waits for its next exchange, by the clock of the client. */
    private long keptUntil;

    SocketConnection(Origin origin, @Nullable Via proxy) throws IOException {
        this.origin = origin;
        this.proxy = proxy;
    }

    Origin origin() {
        return origin;
    }

    /** The proxy that takes the requests themselves, not only the connection; null for none. */
    @Nullable Via forwarding() {
        return origin.isSecure() ? null : proxy;
    }

    /**
     * @param local the address to connect from; null for any
     */
    void connect(@Nullable InetAddress local, InetSocketAddress address, Duration timeout)
            throws IOException {
        if (local != null) {
            channel.bind(new InetSocketAddress(local, 0));
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.connect(address, millis(timeout));
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    /** Sets how long a read may take; zero for any time. */
    void readTimeout(Duration timeout) throws IOException {
        channel.socket().setSoTimeout(millis(timeout));
    }

    /** Returns whole milliseconds, none only for zero, which has no limit. */
    private static int millis(Duration time) {
        return Math.clamp(time.toMillis(), time.isZero() ? 0 : 1, Integer.MAX_VALUE);
    }

    void secure(SSLContext tls) throws IOException {
        SSLSocket secure =
                (SSLSocket)
                        tls.getSocketFactory()
                                .createSocket(socket, origin.host(), origin.port(), true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        socket = secure;
        in = secure.getInputStream();
        out = secure.getOutputStream();
    }

    void write(byte[] head, byte @Nullable [] body) throws IOException {
        if (body == null || body.length == 0) {
            out.write(head);
        } else if (body.length <= SENT_TOGETHER) {
            byte[] all = new byte[head.length + body.length];
            System.arraycopy(head, 0, all, 0, head.length);
            System.arraycopy(body, 0, all, head.length, body.length);
            out.write(all);
        } else {
            out.write(head);
            out.write(body);
        }
        out.flush();
    }

    /**
     * Reads bytes as {@link InputStream#read(byte[], int, int)}; negative at the end of the
     * connection.
     */
    int read(byte[] bytes, int from, int length) throws IOException {
        if (position == limit) {
            if (length >= BUFFER) {
                return in.read(bytes, from, length);
            }
            if (!fill()) {
                return -1;
            }
        }
        int read = Math.min(length, limit - position);
        System.arraycopy(buffer, position, bytes, from, read);
        position += read;
        return read;
    }

    private boolean fill() throws IOException {
        if (buffer == NONE) {
            buffer = new byte[FIRST_BUFFER];
        } else if (limit == buffer.length && limit < BUFFER) { // more came than had a place
            buffer = new byte[BUFFER];
        }
        position = 0;
        limit = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }

    /**
     * Reads a line that ends with LF, also after CR, which are left out.
     *
     * @param max the most bytes of it
     * @throws ProtocolException if it is longer
     * @throws EOFException if the connection ends
     */
    String line(int max) throws IOException {
        StringBuilder before = null;
        while (true) {
            if (position == limit && !fill()) {
                throw new EOFException("the connection has ended");
            }
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            int length = end - position + (before == null ? 0 : before.length());
            if (length > max) {
                throw new ProtocolException("a line of an answer is longer than it may be");
            }
            String part = new String(buffer, position, end - position, StandardCharsets.ISO_8859_1);
            boolean whole = end < limit;
            position = whole ? end + 1 : limit;
            if (whole) {
                String line = before == null ? part : before.append(part).toString();
                return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
            }
            before = (before == null ? new StringBuilder() : before).append(part);
        }
    }

    /** Returns whether bytes have come that no answer was to bring. */
    boolean hasMore() {
        return position < limit;
    }

    /** Prepares for a wait for the next exchange. */
    void keepUntil(long moment) {
        if (buffer.length > FIRST_BUFFER) {
            buffer = NONE;
        }
        position = 0;
        limit = 0;
        keptUntil = moment;
    }

    long keptUntil() {
        return keptUntil;
    }

    /** Returns whether the server has neither ended the connection nor sent anything unasked. */
    boolean isQuiet() {
        try {
            channel.configureBlocking(false);
            boolean quiet = channel.read(ByteBuffer.allocate(1)) == 0;
            channel.configureBlocking(true);
            return quiet;
        } catch (IOException e) {
            return false;
        }
    }

    /** Closes the connection without a farewell of TLS, which could wait for the peer. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // there is nothing left to be lost
        }
    }
}
