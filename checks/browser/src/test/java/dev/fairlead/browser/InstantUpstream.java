package dev.fairlead.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.proxy.Upstream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** A provider where everybody is logged in already: browsers come back at once. */
final class InstantUpstream implements AutoCloseable {
    /** How many browsers came. */
    final AtomicInteger logins = new AtomicInteger();

    private final HttpServer server;

    InstantUpstream() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/authorize", this::authorize);
        server.createContext(
                "/token",
                exchange ->
                        json(exchange, "{\"access_token\":\"theirs\",\"token_type\":\"Bearer\"}"));
        server.createContext("/user", exchange -> json(exchange, "{\"id\":4711}"));
        server.start();
    }

    Upstream upstream() {
        return Upstream.of(at("/authorize"), at("/token"))
                .client("reports", Secret.from(() -> "secret"))
                .user(at("/user"), "id");
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private void authorize(HttpExchange exchange) throws IOException {
        logins.incrementAndGet();
        String query = exchange.getRequestURI().getRawQuery();
        String back = URLDecoder.decode(value(query, "redirect_uri"), StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .set("Location", back + "?code=theirs&state=" + value(query, "state"));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private static String value(String query, String name) {
        return Arrays.stream(query.split("&"))
                .filter(field -> field.startsWith(name + "="))
                .map(field -> field.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    private static void json(HttpExchange exchange, String json) throws IOException {
        try (exchange) {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
