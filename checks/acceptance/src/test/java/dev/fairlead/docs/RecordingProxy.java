package dev.fairlead.docs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Stands between a client and an HTTP server and keeps the requests and answers that pass, with the
 * headers that matter to the protocol. An answer is passed on when it is complete.
 */
final class RecordingProxy implements AutoCloseable {
    private static final List<String> HEADERS =
            List.of(
                    "Accept",
                    "Content-Type",
                    "MCP-Protocol-Version",
                    "Mcp-Method",
                    "Mcp-Name",
                    "MCP-Session-Id");

    private final HttpServer here;
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI there;
    private final Recorder recorder;

    private RecordingProxy(HttpServer here, URI there, Recorder recorder) {
        this.here = here;
        this.there = there;
        this.recorder = recorder;
    }

    static RecordingProxy to(URI server, Recorder recorder) throws IOException {
        HttpServer here = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        RecordingProxy proxy = new RecordingProxy(here, server, recorder);
        here.createContext("/", proxy::pass);
        here.start();
        return proxy;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + here.getAddress().getPort() + there.getPath());
    }

    private void pass(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String line = exchange.getRequestMethod() + " " + there.getPath() + " HTTP/1.1";
        recorder.keep(message(line, exchange.getRequestHeaders(), body));
        HttpResponse<byte[]> answer = ask(exchange, body);
        recorder.keep(
                message("HTTP/1.1 " + answer.statusCode(), answer.headers().map(), answer.body()));
        for (String name : HEADERS) {
            answer.headers()
                    .firstValue(name)
                    .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
        }
        int length = answer.body().length;
        exchange.sendResponseHeaders(answer.statusCode(), length == 0 ? -1 : length);
        exchange.getResponseBody().write(answer.body());
        exchange.close();
    }

    private HttpResponse<byte[]> ask(HttpExchange exchange, byte[] body) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(there)
                        .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (String name : HEADERS) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        try {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private static String message(String line, Map<String, List<String>> headers, byte[] body) {
        StringBuilder text = new StringBuilder(line).append('\n');
        for (String name : HEADERS) {
            List<String> values = headers.get(name);
            if (values != null) {
                text.append(name).append(": ").append(String.join(", ", values)).append('\n');
            }
        }
        String content = new String(body, StandardCharsets.UTF_8).strip();
        return (content.isEmpty() ? text : text.append('\n').append(content)).toString().strip();
    }

    @Override
    public void close() {
        here.stop(0);
        client.close();
    }
}
