package dev.fairlead.test.support;

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
import java.util.function.Supplier;

/**
 * A load balancer that sends every request to the node after the one of the request before, or to
 * the node that its test chooses. A node that cannot be reached, or whose response is lost, is a
 * status of 502. It has no streams of sessions.
 */
public final class AlternatingProxy implements AutoCloseable {
    private static final int BAD_GATEWAY = 502;

    private static final int METHOD_NOT_ALLOWED = 405;

    private static final String LISTEN = "subscriptions/listen";

    private final Supplier<URI> node;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger deletions = new AtomicInteger();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    public AlternatingProxy(List<URI> nodes) throws IOException {
        this(alternating(List.copyOf(nodes)));
    }

    /**
     * @param node returns the URL for the next request
     */
    public AlternatingProxy(Supplier<URI> node) throws IOException {
        this.node = node;
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::forward);
        server.start();
    }

    private static Supplier<URI> alternating(List<URI> nodes) {
        AtomicInteger requests = new AtomicInteger();
        return () -> nodes.get(Math.floorMod(requests.getAndIncrement(), nodes.size()));
    }

    /** Returns the URL at which it listens. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    /** Returns the number of requests that were answered with 502. */
    public int failures() {
        return failures.get();
    }

    /** Returns the number of requests to end a session. */
    public int deletions() {
        return deletions.get();
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                if (exchange.getRequestMethod().equals("DELETE")) {
                    deletions.incrementAndGet();
                }
                exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, -1);
                return;
            }
            HttpResponse<InputStream> response;
            byte[] body;
            try {
                response =
                        client.send(
                                request(exchange, node.get()),
                                HttpResponse.BodyHandlers.ofInputStream());
                if (LISTEN.equals(exchange.getRequestHeaders().getFirst("Mcp-Method"))) {
                    passOn(response, exchange);
                    return;
                }
                body = response.body().readAllBytes();
            } catch (IOException e) {
                failures.incrementAndGet();
                exchange.sendResponseHeaders(BAD_GATEWAY, -1);
                return;
            }
            copyHeaders(response, exchange);
            exchange.sendResponseHeaders(
                    response.statusCode(), body.length == 0 ? -1 : body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copyHeaders(HttpResponse<?> response, HttpExchange exchange) {
        for (String name : List.of("Content-Type", "Mcp-Session-Id")) {
            response.headers()
                    .firstValue(name)
                    .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
        }
    }

    /** Forwards a stream that may never end, each part at once. */
    private static void passOn(HttpResponse<InputStream> response, HttpExchange exchange)
            throws IOException {
        copyHeaders(response, exchange);
        exchange.sendResponseHeaders(response.statusCode(), 0);
        try (InputStream in = response.body();
                OutputStream out = exchange.getResponseBody()) {
            byte[] part = new byte[8192];
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                out.write(part, 0, read);
                out.flush();
            }
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
