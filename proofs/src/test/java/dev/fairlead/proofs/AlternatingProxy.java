package dev.fairlead.proofs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load balancer that sends every request to the node after the one of the request before. A node
 * that cannot be reached, or whose response is lost, is a status of 502.
 */
public final class AlternatingProxy implements AutoCloseable {
    private static final int BAD_GATEWAY = 502;

    private final List<URI> nodes;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    public AlternatingProxy(List<URI> nodes) throws IOException {
        this.nodes = List.copyOf(nodes);
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::forward);
        server.start();
    }

    /** Where it listens. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    /** How many requests were answered with 502. */
    public int failures() {
        return failures.get();
    }

    private void forward(HttpExchange exchange) throws IOException {
        URI node = nodes.get(Math.floorMod(requests.getAndIncrement(), nodes.size()));
        try (exchange) {
            HttpResponse<InputStream> response;
            byte[] body;
            try {
                response =
                        client.send(
                                request(exchange, node), HttpResponse.BodyHandlers.ofInputStream());
                body = response.body().readAllBytes();
            } catch (IOException e) {
                failures.incrementAndGet();
                exchange.sendResponseHeaders(BAD_GATEWAY, -1);
                return;
            }
            response.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(
                    response.statusCode(), body.length == 0 ? -1 : body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static HttpRequest request(HttpExchange exchange, URI node) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(node)
                        .POST(
                                HttpRequest.BodyPublishers.ofByteArray(
                                        exchange.getRequestBody().readAllBytes()));
        exchange.getRequestHeaders()
                .forEach(
                        (name, values) -> {
                            String lower = name.toLowerCase(Locale.ROOT);
                            if (lower.startsWith("mcp-")
                                    || lower.equals("accept")
                                    || lower.equals("content-type")) {
                                values.forEach(value -> request.header(name, value));
                            }
                        });
        return request.build();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
