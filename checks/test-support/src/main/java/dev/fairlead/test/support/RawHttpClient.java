package dev.fairlead.test.support;

import com.google.errorprone.annotations.CheckReturnValue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A client over HTTP whose messages a test writes itself, from an address of its choice.
 *
 * @param from the address that the server sees, such as 127.0.0.2
 * @param session the session; empty for none
 * @param token the token of the authorization; empty for none
 */
public record RawHttpClient(int port, String from, String session, String token) {
    private static final int TIMEOUT = 60_000;

    public static RawHttpClient at(int port, String from) {
        return new RawHttpClient(port, from, "", "");
    }

    /** Returns the client with a token and without a session. */
    public RawHttpClient as(String other) {
        return new RawHttpClient(port, from, "", other);
    }

    /** Opens a session, which must succeed. */
    public static RawHttpClient open(int port, String from, String revision) throws IOException {
        return at(port, from).open(revision);
    }

    /** Opens a session with the token of this one, which must succeed. */
    public RawHttpClient open(String revision) throws IOException {
        HttpAnswer answer = initialize(revision);
        if (answer.status() != 200) {
            throw new IOException("no session: " + answer);
        }
        String id = answer.head().replaceFirst("(?is).*mcp-session-id: (\\w+).*", "$1");
        RawHttpClient client = new RawHttpClient(port, from, id, token);
        client.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return client;
    }

    public HttpAnswer initialize(String revision) throws IOException {
        return post(
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                        + "\"protocolVersion\":\""
                        + revision
                        + "\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}");
    }

    public static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}"
                .formatted(id, method, params);
    }

    public static String call(int id, String tool) {
        return request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
    }

    /** Posts a message and reads the whole answer. */
    public HttpAnswer post(String body) throws IOException {
        try (Socket socket = begin(body)) {
            return read(socket);
        }
    }

    public HttpAnswer delete() throws IOException {
        try (Socket socket = send("DELETE", "", 0)) {
            return read(socket);
        }
    }

    /** Posts a message whose answer is not read. */
    @CheckReturnValue
    public Socket begin(String body) throws IOException {
        return send("POST", body, body.length());
    }

    /** Opens the stream of the session. */
    @CheckReturnValue
    public Socket listen() throws IOException {
        return send("GET", "", 0);
    }

    /**
     * Sends a request.
     *
     * @param length of the body as the client declares it
     */
    @CheckReturnValue
    public Socket send(String method, String body, int length) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(TIMEOUT);
        socket.setReceiveBufferSize(16 << 10); // an unread answer stays with the server
        socket.setSoLinger(true, 0); // many would keep too many ports otherwise
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        String accept = method.equals("GET") ? "" : "application/json, ";
        String request =
                method
                        + " /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: "
                        + accept
                        + "text/event-stream\r\nContent-Type: application/json\r\n"
                        + (session.isEmpty() ? "" : "MCP-Session-Id: " + session + "\r\n")
                        + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n")
                        + "Content-Length: "
                        + length
                        + "\r\n\r\n"
                        + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Reads an answer. Events of a stream are read to its end. */
    public static HttpAnswer read(Socket socket) throws IOException {
        return HttpAnswer.read(new BufferedInputStream(socket.getInputStream()), true);
    }
}
