package dev.fairlead.http.jetty;

import dev.fairlead.http.HttpServing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP/1.1 connection whose every byte a test may choose. */
final class Wire implements AutoCloseable {
    static final String JSON = "application/json";
    static final String BOTH = "application/json, text/event-stream";

    private final Socket socket = new Socket();
    private final InputStream in;
    private boolean chunked;
    private int chunk = -1;
    private int bytesLeft = Integer.MAX_VALUE;

    /** One event of a stream; parts that are missing are null. */
    record Event(String id, String event, String data, String retry) {}

    record Head(int status, Map<String, String> headers) {
        String header(String name) {
            return headers.get(name);
        }
    }

    record Answer(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.get(name);
        }
    }

    Wire(int port, int receiveBuffer) throws IOException {
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        in = new BufferedInputStream(socket.getInputStream(), receiveBuffer > 0 ? 512 : 8192);
    }

    static Wire to(HttpServing serving) throws IOException {
        return new Wire(serving.port(), 0);
    }

    /** A JSON POST with usual headers; those given come on top, or take away by an empty value. */
    Wire post(String body, String... headers) throws IOException {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.put("Accept", BOTH);
        all.put("Content-Type", JSON);
        put(all, headers);
        return send("POST", all, body.getBytes(StandardCharsets.UTF_8));
    }

    Wire get(String... headers) throws IOException {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.put("Accept", "text/event-stream");
        put(all, headers);
        return send("GET", all, new byte[0]);
    }

    Wire method(String method, String... headers) throws IOException {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        put(all, headers);
        return send(method, all, new byte[0]);
    }

    private static void put(Map<String, String> all, String... headers) {
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i + 1].isEmpty()) {
                all.remove(headers[i]);
            } else {
                all.put(headers[i], headers[i + 1]);
            }
        }
    }

    Wire send(String method, Map<String, String> headers, byte[] body) throws IOException {
        return send(method, "/mcp", headers, body);
    }

    Wire send(String method, String path, Map<String, String> headers, byte[] body)
            throws IOException {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putIfAbsent("Host", "127.0.0.1:" + socket.getPort());
        if (body.length > 0) {
            all.putIfAbsent("Content-Length", "" + body.length);
        }
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        whole.writeBytes(body);
        raw(whole.toByteArray());
        return this;
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    Wire raw(String text) throws IOException {
        raw(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Reads on until the server ends the connection, in whichever way. */
    void awaitEnd() throws IOException {
        try {
            while (in.read() >= 0) {
                // the rest does not matter
            }
        } catch (SocketException e) {
            // reset
        }
    }

    /** Whether something can be read. */
    boolean hasAnswer() {
        try {
            return in.available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Head head() throws IOException {
        String status = line();
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon),
                    line.substring(colon + 1).strip(),
                    (a, b) -> a + ", " + b);
        }
        chunked = "chunked".equals(headers.get("Transfer-Encoding"));
        chunk = -1;
        return new Head(Integer.parseInt(status.split(" ")[1]), headers);
    }

    Answer answer() throws IOException {
        Head head = head();
        if (chunked) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int b = read(); b >= 0; b = read()) {
                body.write(b);
            }
            return new Answer(head.status(), head.headers(), body.toString(StandardCharsets.UTF_8));
        }
        int length = Integer.parseInt(head.headers().getOrDefault("Content-Length", "0"));
        byte[] body = in.readNBytes(length);
        return new Answer(head.status(), head.headers(), new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the connection ended within a line: " + line);
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** The next byte of a chunked body; -1 at its end. */
    int read() throws IOException {
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
        if (bytesLeft-- == 0) {
            throw new IOException("cut here");
        }
        chunk--;
        int b = in.read();
        if (b < 0) {
            throw new IOException("the connection ended within a chunk");
        }
        return b;
    }

    /** Lets reading fail after so many bytes of the body. */
    void cutAfter(int bytes) {
        bytesLeft = bytes;
    }

    /** The next event, without comments; null at the proper end of the stream. */
    Event event() throws IOException {
        String id = null;
        String type = null;
        String data = null;
        String retry = null;
        while (true) {
            String line = bodyLine();
            if (line == null) {
                return null;
            }
            if (line.isEmpty() && (id != null || type != null || data != null || retry != null)) {
                return new Event(id, type, data, retry);
            }
            int colon = line.indexOf(": ");
            String value = colon < 0 ? "" : line.substring(colon + 2);
            switch (colon < 0 ? line : line.substring(0, colon)) {
                case "id" -> id = value;
                case "event" -> type = value;
                case "data" -> data = value;
                case "retry" -> retry = value;
                default -> {}
            }
        }
    }

    /** The next line of the body, comments included; null at its proper end. */
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

    /** Breaks the connection off, as a crash does. */
    @Override
    public void close() throws IOException {
        if (!socket.isClosed()) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
