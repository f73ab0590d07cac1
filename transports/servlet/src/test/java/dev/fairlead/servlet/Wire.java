package dev.fairlead.servlet;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP/1.1 connection on a bare socket. */
final class Wire implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;
    private boolean chunked;
    private int chunk;

    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.get(name);
        }
    }

    /** The parts of an event that are there. */
    record Event(String id, String data) {}

    Wire(int port) throws IOException {
        this(port, 64 << 10);
    }

    Wire(int port, int receiveBuffer) throws IOException {
        socket.setReceiveBufferSize(receiveBuffer);
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        in = new BufferedInputStream(socket.getInputStream(), 512);
    }

    /** Sends a request with usual headers; those given replace them, or remove them when empty. */
    Wire send(String method, String path, String body, String... headers) throws IOException {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.put("Host", "127.0.0.1:" + socket.getPort());
        all.put("Accept", "application/json, text/event-stream");
        if (!body.isEmpty()) {
            all.put("Content-Type", "application/json");
            all.put(
                    "Content-Length",
                    Integer.toString(body.getBytes(StandardCharsets.UTF_8).length));
        }
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        all.forEach(
                (name, value) -> {
                    if (!value.isEmpty()) {
                        head.append(name).append(": ").append(value).append("\r\n");
                    }
                });
        socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Status and headers of the answer; its body is read by {@link #event} or {@link #rest}. */
    Answer head() throws IOException {
        String status = line();
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon),
                    line.substring(colon + 1).strip(),
                    (one, other) -> one + ", " + other);
        }
        chunked = "chunked".equals(headers.get("Transfer-Encoding"));
        chunk = -1;
        return new Answer(Integer.parseInt(status.split(" ")[1]), headers, "");
    }

    Answer answer() throws IOException {
        Answer head = head();
        String length = head.headers().getOrDefault("Content-Length", "0");
        String body =
                chunked
                        ? rest()
                        : new String(
                                in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
        return new Answer(head.status(), head.headers(), body);
    }

    /** Returns the rest of a chunked body, up to its proper end. */
    String rest() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int b = read(); b >= 0; b = read()) {
            body.write(b);
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    /** The next event; null at the proper end of the stream. */
    Event event() throws IOException {
        String id = null;
        String data = null;
        for (String line = bodyLine(); line != null; line = bodyLine()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.isEmpty() && (id != null || data != null)) {
                return new Event(id, data);
            }
        }
        return null;
    }

    /** The next line of a chunked body; null at its proper end. */
    String bodyLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = read(); b != '\n'; b = read()) {
            if (b < 0) {
                return null;
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private int read() throws IOException {
        if (chunk == 0) {
            line();
        }
        if (chunk <= 0) {
            chunk = Integer.parseInt(line(), 16);
            if (chunk == 0) {
                line();
                return -1;
            }
        }
        chunk--;
        return byteOf(in);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = byteOf(in); b != '\n'; b = byteOf(in)) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static int byteOf(InputStream in) throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new IOException("the connection has ended");
        }
        return b;
    }

    /** Closes the connection, as a program does that has read enough. */
    void leave() throws IOException {
        socket.close();
    }

    /** Breaks the connection off, as a crash does. */
    @Override
    public void close() throws IOException {
        if (!socket.isClosed()) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
