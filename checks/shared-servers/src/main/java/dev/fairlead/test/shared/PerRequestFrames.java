package dev.fairlead.test.shared;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Requests of revision 2026-07-28 as they are on the wire, for tests that alter them. */
public final class PerRequestFrames {
    private static final String META =
            """
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": %s%s}\
            """;

    private PerRequestFrames() {}

    /**
     * A free port where an answer becomes a stream only if it has more than the response. By
     * default it also becomes one after 2 s, which a slow machine may need for each.
     */
    public static HttpListener listener() {
        return Http.port(0).streamAfter(Duration.ofHours(1));
    }

    /**
     * A request of a client without capabilities.
     *
     * @param id as JSON
     * @param members of the parameters, without braces; may be empty
     */
    public static String request(String id, String method, String members) {
        return request(id, method, members, "{}", "");
    }

    /**
     * A request.
     *
     * @param capabilities the capabilities of the client, as JSON
     * @param more further members of {@code _meta}, each with a comma in front
     */
    public static String request(
            String id, String method, String members, String capabilities, String more) {
        return "{\"jsonrpc\": \"2.0\", \"id\": %s, \"method\": \"%s\", \"params\": {%s%s}}"
                .formatted(
                        id,
                        method,
                        members.isEmpty() ? "" : members + ", ",
                        META.formatted(capabilities, more));
    }

    /** A call of a tool without arguments. */
    public static String call(String tool) {
        return request("7", "tools/call", "\"name\": \"" + tool + "\", \"arguments\": {}");
    }

    /**
     * The headers of a request.
     *
     * @param name for {@code Mcp-Name}; null for none
     */
    public static Map<String, String> headers(String method, String name) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        headers.put("MCP-Protocol-Version", "2026-07-28");
        headers.put("Mcp-Method", method);
        if (name != null) {
            headers.put("Mcp-Name", name);
        }
        return headers;
    }

    /** A POST with a body and headers. */
    public static HttpRequest post(URI uri, String body, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request.build();
    }

    /** Writes a POST to a connection of HTTP/1.1. */
    public static void write(Socket socket, String body, Map<String, String> headers)
            throws IOException {
        StringBuilder head = new StringBuilder("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        head.append("Content-Length: " + bytes.length + "\r\n\r\n");
        socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(bytes);
    }
}
