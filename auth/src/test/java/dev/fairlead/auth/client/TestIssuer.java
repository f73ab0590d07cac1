package dev.fairlead.auth.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * An MCP server (at {@code /mcp}) with its authorization server, which says and does whatever a
 * test wants, and keeps what it was asked.
 */
final class TestIssuer implements AutoCloseable {
    final List<Map<String, String>> authorizations = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> tokenRequests = new CopyOnWriteArrayList<>();
    final List<JsonObject> registrations = new CopyOnWriteArrayList<>();
    final List<String> queries = new CopyOnWriteArrayList<>();
    final Set<String> valid = ConcurrentHashMap.newKeySet();
    private final AtomicInteger issued = new AtomicInteger();
    private final HttpServer server;
    volatile UnaryOperator<JsonObject> resource = metadata -> metadata;
    volatile UnaryOperator<JsonObject> metadata = metadata -> metadata;
    volatile UnaryOperator<Map<String, String>> redirect = parameters -> parameters;
    volatile UnaryOperator<JsonObject> tokens = answer -> answer;

    /** The challenge of 403 to every request with a good token; empty to take them. */
    volatile String shortOf = "";

    /** Whether no token is good enough. */
    volatile boolean takesNone;

    TestIssuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/mcp", this::serve);
        server.createContext(
                "/.well-known/oauth-protected-resource/mcp",
                exchange -> json(exchange, 200, resource.apply(resourceMetadata())));
        server.createContext(
                "/.well-known/oauth-authorization-server",
                exchange -> json(exchange, 200, metadata.apply(serverMetadata())));
        server.createContext("/register", this::register);
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", this::token);
        server.start();
    }

    String issuer() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    URI mcp() {
        return URI.create(issuer() + "/mcp");
    }

    private JsonObject resourceMetadata() {
        return JsonObject.of(
                "resource",
                mcp().toString(),
                "authorization_servers",
                JsonArray.of(issuer()),
                "scopes_supported",
                JsonArray.of("read", "write"));
    }

    private JsonObject serverMetadata() {
        return JsonObject.of(
                "issuer",
                issuer(),
                "authorization_endpoint",
                issuer() + "/authorize",
                "token_endpoint",
                issuer() + "/token",
                "registration_endpoint",
                issuer() + "/register",
                "code_challenge_methods_supported",
                JsonArray.of("S256"),
                "token_endpoint_auth_methods_supported",
                JsonArray.of("none", "client_secret_basic"),
                "authorization_response_iss_parameter_supported",
                true);
    }

    private void serve(HttpExchange exchange) throws IOException {
        queries.add(String.valueOf(exchange.getRequestURI().getRawQuery()));
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        if (token == null || takesNone || !valid.contains(token.replace("Bearer ", ""))) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            json(exchange, 401, JsonObject.EMPTY);
        } else if (!shortOf.isEmpty()) {
            exchange.getResponseHeaders()
                    .set(
                            "WWW-Authenticate",
                            "Bearer error=\"insufficient_scope\", scope=\"" + shortOf + "\"");
            json(exchange, 403, JsonObject.EMPTY);
        } else {
            json(exchange, 200, JsonObject.EMPTY);
        }
    }

    private void register(HttpExchange exchange) throws IOException {
        registrations.add((JsonObject) JsonValue.parse(body(exchange)));
        json(exchange, 201, JsonObject.of("client_id", "client-" + registrations.size()));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(exchange.getRequestURI().getRawQuery());
        authorizations.add(asked);
        Map<String, String> answer = new LinkedHashMap<>();
        answer.put("code", "code-" + authorizations.size());
        answer.put("state", asked.get("state"));
        answer.put("iss", issuer());
        String query =
                redirect.apply(answer).entrySet().stream()
                        .map(field -> field.getKey() + "=" + encode(field.getValue()))
                        .collect(Collectors.joining("&"));
        exchange.getResponseHeaders().set("Location", asked.get("redirect_uri") + "?" + query);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void token(HttpExchange exchange) throws IOException {
        tokenRequests.add(form(body(exchange)));
        int number = issued.incrementAndGet();
        JsonObject answer =
                tokens.apply(
                        JsonObject.of(
                                "access_token",
                                "access-" + number,
                                "token_type",
                                "Bearer",
                                "expires_in",
                                3600,
                                "refresh_token",
                                "refresh-" + number));
        if (answer.has("error")) {
            json(exchange, 400, answer);
        } else {
            valid.add(answer.string("access_token"));
            json(exchange, 200, answer);
        }
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Map<String, String> form(String text) {
        Map<String, String> form = new LinkedHashMap<>();
        for (String field : text.split("&")) {
            String[] parts = field.split("=", 2);
            form.put(
                    URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                    URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return form;
    }

    private static void json(HttpExchange exchange, int status, JsonObject body)
            throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
