package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.servers.Contender.Mode;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection to a server. Blocking until it is made otherwise; used by one thread. */
final class Line implements AutoCloseable {
    private static final Pattern REVISION = Pattern.compile("\"protocolVersion\":\"([-0-9]+)\"");
    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"benchmark","version":"1"}}}\
            """;
    private static final String INITIALIZED =
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}\
            """;

    private final SocketChannel channel;
    private final String common;
    private final AnswerReader reader = new AnswerReader();

    private Line(SocketChannel channel, InetSocketAddress address) {
        this.channel = channel;
        this.common = "Host: " + address.getHostString() + ":" + address.getPort() + "\r\n";
    }

    static Line open(InetSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new Line(channel, address);
    }

    SocketChannel channel() {
        return channel;
    }

    AnswerReader reader() {
        return reader;
    }

    /**
     * Makes the exchange before the first call; returns the headers of every POST after it.
     *
     * @param tool the tool to call
     */
    String agree(Mode mode, String tool) throws IOException {
        if (mode == Mode.BARE) {
            return post("");
        }
        if (mode == Mode.PER_REQUEST || mode == Mode.ASKABLE) {
            return perRequest("tools/call", tool);
        }
        exchange(post(""), INITIALIZE);
        Matcher revision = REVISION.matcher(reader.body());
        if (!revision.find()) {
            throw new IOException("initialize was answered with " + reader.body());
        }
        String headers = "MCP-Protocol-Version: " + revision.group(1) + "\r\n";
        if (mode == Mode.STATEFUL) {
            headers += "Mcp-Session-Id: " + reader.header("mcp-session-id").orElseThrow() + "\r\n";
        }
        exchange(post(headers), INITIALIZED);
        return post(headers);
    }

    /**
     * The headers of every POST of revision 2026-07-28.
     *
     * @param name of the tool or task; empty for none
     */
    String perRequest(String method, String name) {
        return post(
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
                        + method
                        + (name.isEmpty() ? "" : "\r\nMcp-Name: " + name)
                        + "\r\n");
    }

    private String post(String headers) {
        return "POST /mcp HTTP/1.1\r\n"
                + common
                + headers
                + "Content-Type: application/json\r\n"
                + "Accept: application/json, text/event-stream\r\n";
    }

    /** Opens the session's stream; {@code headers} as they came from {@link #agree}. */
    void listen(String headers) throws IOException {
        String get =
                headers.replaceFirst("POST", "GET")
                        .replaceFirst("Content-Type: [^\r]*\r\n", "")
                        .replaceFirst("application/json, ", "");
        send(get + "\r\n");
    }

    /** Opens a stream of changes of the list of tools, of revision 2026-07-28. */
    void listenPerRequest() throws IOException {
        post(
                perRequest("subscriptions/listen", ""),
                """
                {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{\
                "notifications":{"toolsListChanged":true}%s}}\
                """
                        .formatted(CallTemplate.meta(Mode.PER_REQUEST)));
    }

    /** Sends a message without waiting for an answer. */
    void post(String headers, String body) throws IOException {
        send(headers + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Sends a message, and returns the body of the answer. */
    String exchange(String headers, String body) throws IOException {
        post(headers, body);
        reader.reset();
        ByteBuffer buffer = ByteBuffer.allocate(8 << 10);
        do {
            buffer.clear();
            if (channel.read(buffer) < 0) {
                throw new EOFException("the server hung up");
            }
        } while (!reader.take(buffer.flip()));
        return reader.body();
    }

    private void send(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
