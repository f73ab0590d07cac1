package dev.fairlead.benchmarks.peers.clients;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Collectors;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * The least that a client of HTTP/1.1 on blocking sockets does: a pool whose connections are
 * examined before their next use, one write for a request, and bodies with a length or in chunks.
 */
final class BlockingSockets implements BareClient {
    private final SSLContext tls;
    private final String headers;
    private final Map<String, Queue<Connection>> idle = new ConcurrentHashMap<>();

    BlockingSockets(SSLContext tls, Map<String, String> headers) {
        this.tls = tls;
        this.headers =
                headers.entrySet().stream()
                        .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
                        .collect(Collectors.joining());
    }

    private record Connection(SocketChannel channel, InputStream in, OutputStream out) {
        boolean isOpen() throws IOException {
            channel.configureBlocking(false);
            boolean open = channel.read(ByteBuffer.allocate(1)) == 0;
            channel.configureBlocking(true);
            return open;
        }
    }

    @Override
    public void post(String url, byte[] body, Reader reader) throws Exception {
        URI uri = URI.create(url);
        Queue<Connection> kept =
                idle.computeIfAbsent(
                        uri.getScheme() + uri.getPort(), key -> new ConcurrentLinkedDeque<>());
        Connection connection = kept.poll();
        while (connection != null && !connection.isOpen()) {
            connection.channel.close();
            connection = kept.poll();
        }
        if (connection == null) {
            connection = connect(uri);
        }
        exchange(connection, uri, body, reader);
        kept.add(connection);
    }

    private Connection connect(URI uri) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.socket().setTcpNoDelay(true);
        channel.socket().connect(new InetSocketAddress(uri.getHost(), uri.getPort()), 10_000);
        Socket socket = channel.socket();
        if (uri.getScheme().equals("https")) {
            SSLSocket secure =
                    (SSLSocket)
                            tls.getSocketFactory()
                                    .createSocket(socket, uri.getHost(), uri.getPort(), true);
            var parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            socket = secure;
        }
        return new Connection(
                channel,
                new BufferedInputStream(socket.getInputStream(), 8 * 1024),
                socket.getOutputStream());
    }

    private void exchange(Connection connection, URI uri, byte[] body, Reader reader)
            throws IOException {
        byte[] head =
                ("POST "
                                + uri.getRawPath()
                                + " HTTP/1.1\r\nHost: "
                                + uri.getRawAuthority()
                                + "\r\nContent-Type: application/json\r\nContent-Length: "
                                + body.length
                                + "\r\n"
                                + headers
                                + "\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = java.util.Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        connection.out.write(whole);
        long length = -1;
        if (!line(connection.in).startsWith("HTTP/1.1 200")) {
            throw new IOException("not answered");
        }
        for (String line = line(connection.in); !line.isEmpty(); line = line(connection.in)) {
            if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                length = Long.parseLong(line.substring(15).strip());
            }
        }
        InputStream content = new Body(connection.in, length);
        reader.read(content);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        for (Queue<Connection> queue : idle.values()) {
            for (Connection connection : queue) {
                connection.channel.close();
            }
        }
    }

    /** A body with a length, or in chunks if that is negative. */
    private static final class Body extends InputStream {
        private final InputStream in;
        private final boolean chunked;
        private long left;
        private boolean ended;

        Body(InputStream in, long length) {
            this.in = in;
            chunked = length < 0;
            left = Math.max(0, length);
            ended = length == 0;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            if (!ended && left == 0) {
                left = Long.parseLong(line(in), 16);
                if (left == 0) {
                    line(in);
                    ended = true;
                }
            }
            if (ended) {
                return -1;
            }
            int read = in.read(bytes, from, (int) Math.min(count, left));
            if (read < 0) {
                throw new EOFException();
            }
            left -= read;
            if (left == 0) {
                if (chunked) {
                    line(in);
                } else {
                    ended = true;
                }
            }
            return read;
        }
    }
}
