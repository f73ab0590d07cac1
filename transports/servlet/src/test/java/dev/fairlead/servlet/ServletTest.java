package dev.fairlead.servlet;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.params.Parameter;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** A server in each container, and clients on bare sockets. */
abstract class ServletTest extends ClosingTest {
    static final String SESSION = "MCP-Session-Id";

    /** An answer that is late becomes a stream only where a test wants it. */
    static final HttpEndpoint ENDPOINT =
            Http.endpoint().shutdownGrace(Duration.ofMillis(100)).streamAfter(Duration.ofHours(1));

    @Parameter Container container;

    McpServer.Builder server() {
        return McpServer.named("servlet", "1")
                .tool("echo", "Says the same", JsonObject.class, JsonObject.class)
                .handle((arguments, call) -> arguments);
    }

    Running serve(HttpEndpoint endpoint) throws Exception {
        return serve(server().build(), endpoint);
    }

    Running serve(McpServer server, HttpEndpoint endpoint) throws Exception {
        closedLater(server);
        return start(Application.of("", Map.of("/mcp", new McpServlet(server, endpoint))));
    }

    Running start(Application application) throws Exception {
        return closedLater(container.start(application));
    }

    Wire wire(Running running) throws IOException {
        return closedLater(new Wire(running.port()));
    }

    static String initialize() {
        return """
        {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
        "capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}\
        """;
    }

    static String call(int id, String tool, String arguments) {
        return """
        {"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\
        """
                .formatted(id, tool, arguments);
    }

    /** The id of a new session. */
    String session(Running running, String path) throws IOException {
        return post(running, path, initialize()).header(SESSION);
    }

    Answer post(Running running, String path, String body, String... headers) throws IOException {
        return send(running, "POST", path, body, headers);
    }

    Answer send(Running running, String method, String path, String body, String... headers)
            throws IOException {
        try (Wire wire = new Wire(running.port())) {
            return wire.send(method, path, body, headers).answer();
        }
    }
}
