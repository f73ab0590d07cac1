package dev.fairlead.test.support;

import com.google.errorprone.annotations.CheckReturnValue;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A session over HTTP whose messages a test writes itself.
 *
 * @param id the id of the session; empty before it is known
 * @param from the local address of requests
 */
public record RawSession(int port, String id, InetAddress from) {
    private static final int PATIENCE = 60_000;
    private static final InetAddress LOOPBACK = loopback();
    private static final Pattern SESSION_ID = Pattern.compile("(?i)mcp-session-id: (\\w+)");

    /**
     * Returns 127.0.0.1, also if addresses of IPv6 are preferred: servers of tests listen there.
     */
    private static InetAddress loopback() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creates a session of a client on the loopback address. */
    public RawSession(int port, String id) {
        this(port, id, LOOPBACK);
    }

    /** Opens a session of a client that can be asked. */
    public static RawSession open(int port) throws IOException {
        return open(port, LOOPBACK);
    }

    /**
     * Opens a session of a client that connects from this local address, such as 127.0.0.2.
     *
     * @throws IOException if the server refuses the session
     */
    public static RawSession open(int port, InetAddress from) throws IOException {
        HttpAnswer answer = initialize(port, from);
        Matcher id = SESSION_ID.matcher(answer.head());
        if (answer.status() != 200 || !id.find()) { // an error may come with 200
            throw new IOException("no session: " + answer);
        }
        RawSession session = new RawSession(port, id.group(1), from);
        session.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return session;
    }

    /** Sends {@code initialize} and returns the answer. */
    public static HttpAnswer initialize(int port) throws IOException {
        return initialize(port, LOOPBACK);
    }

    /** Sends {@code initialize} from this local address and returns the answer. */
    public static HttpAnswer initialize(int port, InetAddress from) throws IOException {
        return new RawSession(port, "", from)
                .post(
                        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                                + "\"protocolVersion\":\"2025-11-25\","
                                + "\"capabilities\":{\"elicitation\":{}},"
                                + "\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}");
    }

    public static String call(int id, String tool) {
        return "{\"jsonrpc\":\"2.0\",\"id\":"
                + id
                + ",\"method\":\"tools/call\",\"params\":{\"name\":\""
                + tool
                + "\",\"arguments\":{}}}";
    }

    /** Posts a message and reads the whole answer. */
    public HttpAnswer post(String body) throws IOException {
        try (Socket socket = send("POST", body)) {
            return HttpAnswer.read(new BufferedInputStream(socket.getInputStream()), true);
        }
    }

    /** Posts a request whose answer is to be read event by event. */
    @CheckReturnValue
    public Stream begin(String body) throws IOException {
        return new Stream(send("POST", body));
    }

    /** Opens the stream for messages that belong to no request. */
    @CheckReturnValue
    public Stream listen() throws IOException {
        return new Stream(send("GET", ""));
    }

    private Socket send(String method, String body) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(LOOPBACK, port));
        socket.setSoTimeout(PATIENCE);
        socket.setSoLinger(true, 0); // many would keep too many ports otherwise
        String accept = method.equals("GET") ? "" : "application/json, ";
        String request =
                method
                        + " /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: "
                        + accept
                        + "text/event-stream\r\nContent-Type: application/json\r\n"
                        + (id.isEmpty() ? "" : "MCP-Session-Id: " + id + "\r\n")
                        + "Content-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** An answer that comes in pieces. Its framing is ignored: no event is split here. */
    public static final class Stream implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;

        private Stream(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream(), 512);
        }

        /** Waits for a line with this in it. */
        public String lineWith(String part) throws IOException {
            while (true) {
                String line = line();
                if (line.contains(part)) {
                    return line;
                }
            }
        }

        private String line() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new EOFException("the stream ended");
                }
                line.write(b);
            }
            return line.toString(StandardCharsets.UTF_8);
        }

        /** Breaks the connection off. */
        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
