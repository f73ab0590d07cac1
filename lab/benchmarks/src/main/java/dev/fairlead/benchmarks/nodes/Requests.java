package dev.fairlead.benchmarks.nodes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Locale;

/** One connection to a node, on which requests of one session follow each other. */
final class Requests implements AutoCloseable {
    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{"elicitation":{}},"clientInfo":{"name":"nodes","version":"1"}}}\
            """;

    private final Socket socket;
    private final InputStream in;
    private final int port;
    private String session = "";

    Requests(int port, String session) throws IOException {
        this.port = port;
        this.session = session;
        this.socket = new Socket("127.0.0.1", port);
        this.in = new BufferedInputStream(socket.getInputStream());
        socket.setTcpNoDelay(true);
    }

    /** Opens a session at a node. */
    static String open(int port) throws IOException {
        try (Requests opening = new Requests(port, "")) {
            opening.post(INITIALIZE);
            opening.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            return opening.session;
        }
    }

    /** Calls a tool that answers at once. */
    void call(int id) throws IOException {
        call(id, "echo", "", "done " + id);
    }

    /** Creates a task that waits for an answer. */
    void createWaiting(int id) throws IOException {
        call(id, "wait", ",\"task\":{\"ttl\":3600000}", "\"taskId\"");
    }

    private void call(int id, String tool, String more, String expected) throws IOException {
        String answer =
                post(
                        ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":"
                                        + "{\"name\":\"%s\",\"arguments\":{\"number\":%s}%s}}")
                                .formatted(id, tool, id, more));
        if (!answer.contains(expected)) {
            throw new IOException("another answer came: " + answer);
        }
    }

    private String post(String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        String head =
                "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:"
                        + port
                        + "\r\nContent-Type: application/json\r\nAccept: application/json,"
                        + " text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"
                        + (session.isEmpty() ? "" : "MCP-Session-Id: " + session + "\r\n")
                        + "Content-Length: "
                        + bytes.length
                        + "\r\n\r\n";
        byte[] all = new byte[head.length() + bytes.length];
        System.arraycopy(head.getBytes(ISO_8859_1), 0, all, 0, head.length());
        System.arraycopy(bytes, 0, all, head.length(), bytes.length);
        socket.getOutputStream().write(all);
        return answer();
    }

    private String answer() throws IOException {
        String status = line();
        int length = 0;
        for (String field = line(); !field.isEmpty(); field = line()) {
            String name = field.toLowerCase(Locale.ROOT);
            if (name.startsWith("content-length:")) {
                length = Integer.parseInt(name.substring(15).strip());
            } else if (name.startsWith("mcp-session-id:")) {
                session = field.substring(15).strip();
            }
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length || !status.startsWith("HTTP/1.1 2")) {
            throw new IOException(status + ": " + new String(body, UTF_8));
        }
        return new String(body, UTF_8);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the node has hung up");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
