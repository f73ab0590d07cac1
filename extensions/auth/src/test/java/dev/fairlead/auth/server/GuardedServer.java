package dev.fairlead.auth.server;

import dev.fairlead.auth.WireSecrets;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A server whose endpoint is guarded, and requests to it over real sockets. */
final class GuardedServer implements AutoCloseable {
    static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}\
            """;

    /** How often the tool was called. */
    final AtomicInteger calls = new AtomicInteger();

    private final McpServer server;
    private final HttpServing serving;

    GuardedServer(HttpAuthorization authorization) throws IOException {
        this(authorization, Http.port(0));
    }

    GuardedServer(HttpAuthorization authorization, HttpListener listener) throws IOException {
        server =
                McpServer.named("reports", "1")
                        .tasks(Tasks.inMemory())
                        .tool("who", "Says who calls", NoInput.class, String.class)
                        .task(TaskSupport.OPTIONAL)
                        .handle(
                                (none, call) -> {
                                    calls.incrementAndGet();
                                    return call.caller() + " by " + call.caller().client();
                                })
                        .tool("purge", "Deletes all", NoInput.class, String.class)
                        .requireScopes("reports:purge")
                        .handle((none, call) -> "done")
                        .build();
        serving =
                server.serve(
                        listener.shutdownGrace(Duration.ofMillis(100))
                                .authorization(authorization));
    }

    URI at(String path) {
        return serving.uri().resolve(path);
    }

    HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(at(path)).build());
    }

    /** Posts a message with headers, names and values in turn. */
    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at(path))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .timeout(Duration.ofSeconds(60))
                        .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    /** A request without a body. */
    HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        return send(
                HttpRequest.newBuilder(at(path))
                        .headers(headers)
                        .method(method, BodyPublishers.noBody())
                        .build());
    }

    /** Sends a request on a connection of its own: a refused client may lose its connection. */
    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            WireSecrets.add(request, response);
            return response;
        }
    }

    HttpResponse<String> initialize(String token) throws Exception {
        return post("/mcp", INITIALIZE, "Authorization", "Bearer " + token);
    }

    /** Opens a session and gives its id. */
    String session(String token) throws Exception {
        return initialize(token).headers().firstValue("MCP-Session-Id").orElseThrow();
    }

    HttpResponse<String> rpc(String session, String token, String method, String params)
            throws Exception {
        String body =
                """
                {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
                """
                        .formatted(method, params);
        return post("/mcp", body, "MCP-Session-Id", session, "Authorization", "Bearer " + token);
    }

    HttpResponse<String> call(String session, String token, String tool) throws Exception {
        return rpc(session, token, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
    }

    static String challenge(HttpResponse<String> answer) {
        return answer.headers().firstValue("WWW-Authenticate").orElse("");
    }

    @Override
    public void close() {
        serving.close();
        server.close();
    }
}
