package dev.fairlead.proofs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * An authorization server that gives one token to everyone who logs in with a browser, and that
 * refuses a code whose verifier (PKCE) is wrong. It has the metadata of its resource as well.
 */
final class LoginIssuer implements AutoCloseable {
    /** The paths that were requested, in order. */
    final List<String> requested = new CopyOnWriteArrayList<>();

    private final String token;
    private final HttpServer http;
    private final HttpClient browser =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    private final Map<String, String> challenges = new ConcurrentHashMap<>(); // by code
    private volatile String resource = "";

    LoginIssuer(String token) throws IOException {
        this.token = token;
        http = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::answer);
        http.start();
    }

    /** Sets the URL of the server that takes the token. */
    void protects(String url) {
        resource = url;
    }

    /** The URL of the metadata of the resource. */
    String metadata() {
        return issuer() + "/resource";
    }

    private String issuer() {
        return "http://localhost:" + http.getAddress().getPort();
    }

    /** Opens a page as a person does who agrees to everything. */
    void visit(URI page) {
        try {
            browser.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requested.add(path);
        switch (path) {
            case "/resource" ->
                    json(
                            exchange,
                            200,
                            JsonObject.of(
                                    "resource",
                                    resource,
                                    "authorization_servers",
                                    JsonArray.of(issuer())));
            case "/.well-known/oauth-authorization-server" ->
                    json(
                            exchange,
                            200,
                            JsonObject.of(
                                    "issuer",
                                    issuer(),
                                    "authorization_endpoint",
                                    issuer() + "/authorize",
                                    "token_endpoint",
                                    issuer() + "/token",
                                    "registration_endpoint",
                                    issuer() + "/register",
                                    "code_challenge_methods_supported",
                                    JsonArray.of("S256")));
            case "/register" -> json(exchange, 201, JsonObject.of("client_id", "desk"));
            case "/authorize" -> authorize(exchange);
            case "/token" -> token(exchange);
            default -> json(exchange, 404, JsonObject.EMPTY);
        }
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
        String code = "code-" + requested.size();
        challenges.put(code, query.get("code_challenge"));
        exchange.getResponseHeaders()
                .set(
                        "Location",
                        "%s?code=%s&state=%s"
                                .formatted(query.get("redirect_uri"), code, query.get("state")));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> asked =
                form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String challenge = challenges.remove(asked.getOrDefault("code", ""));
        if (challenge == null || !challenge.equals(sha256(asked.get("code_verifier")))) {
            json(exchange, 400, JsonObject.of("error", "invalid_grant"));
        } else {
            json(exchange, 200, JsonObject.of("access_token", token, "token_type", "Bearer"));
        }
    }

    private static String sha256(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> form(String text) {
        return Arrays.stream(text.split("&"))
                .map(field -> field.split("=", 2))
                .collect(
                        Collectors.toMap(
                                field -> field[0],
                                field -> URLDecoder.decode(field[1], StandardCharsets.UTF_8)));
    }

    private static void json(HttpExchange exchange, int status, JsonObject body)
            throws IOException {
        byte[] bytes = body.toJson().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
        browser.shutdownNow();
    }
}
