package dev.fairlead.cli;

import static dev.fairlead.test.support.ScriptedHttp.json;
import static dev.fairlead.test.support.ScriptedHttp.respond;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ScriptedHttp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real server that wants tokens, and an issuer that gives them to everybody who logs in. Its
 * tools are {@code who}, and {@code purge}, which requires a scope.
 */
final class ProtectedServer implements AutoCloseable, HttpAuthorization {
    /** The requests to the issuer, by path. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    /** The values of the header Authorization in token requests. */
    final List<String> credentials = new CopyOnWriteArrayList<>();

    final List<Map<String, String>> revocations = new CopyOnWriteArrayList<>();

    /** The tokens that are taken, and their scopes. */
    final Map<String, Set<String>> valid = new ConcurrentHashMap<>();

    /** Whether the person agrees. */
    volatile boolean agrees = true;

    volatile boolean canRevoke = true;
    private final Map<String, String> scopesOfCodes = new ConcurrentHashMap<>();
    private final AtomicInteger issued = new AtomicInteger();
    private final HttpServer issuer;
    private final McpServer server;
    private final HttpServing serving;

    ProtectedServer() {
        try {
            issuer = ScriptedHttp.create();
            issuer.createContext("/", this::answer);
            issuer.start();
            server =
                    McpServer.named("reports", "1")
                            .tool("who", "Says who calls", NoInput.class, String.class)
                            .handle((none, call) -> call.caller().toString())
                            .tool("purge", "Deletes all", NoInput.class, String.class)
                            .requireScopes("reports:purge")
                            .handle((none, call) -> "purged")
                            .build();
            serving =
                    server.serve(
                            Http.port(0).shutdownGrace(Duration.ofMillis(100)).authorization(this));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return serving.uri().toString();
    }

    String issuer() {
        return "http://localhost:" + issuer.getAddress().getPort();
    }

    // ---- the resource

    @Override
    public Decision decide(dev.fairlead.http.spi.HttpExchange request) {
        String token = request.header("Authorization").orElse("").replace("Bearer ", "");
        Set<String> scopes = valid.get(token);
        return scopes == null
                ? Decision.Refused.unauthorized(metadata(), "no token")
                : new Decision.Admitted(Caller.of(issuer(), "ada", "client", scopes));
    }

    private String metadata() {
        return "Bearer resource_metadata=\"" + issuer() + "/resource\", scope=\"reports:read\"";
    }

    @Override
    public String challenge(Caller caller, Set<String> required, String message) {
        return "Bearer error=\"insufficient_scope\", scope=\"" + String.join(" ", required) + "\"";
    }

    // ---- the issuer

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        switch (path) {
            case "/resource" -> json(exchange, 200, resource());
            case "/.well-known/oauth-authorization-server" -> json(exchange, 200, issuerMetadata());
            case "/register" -> json(exchange, 201, JsonObject.of("client_id", "client"));
            case "/authorize" -> authorize(exchange);
            case "/token" -> token(exchange);
            case "/revoke" -> revoke(exchange);
            default -> json(exchange, 404, JsonObject.EMPTY);
        }
    }

    private JsonObject resource() {
        return JsonObject.of("resource", url(), "authorization_servers", JsonArray.of(issuer()));
    }

    private JsonObject issuerMetadata() {
        JsonObject metadata =
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
                        JsonArray.of("S256"));
        return canRevoke ? metadata.with("revocation_endpoint", issuer() + "/revoke") : metadata;
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
        String code = "code-" + issued.incrementAndGet();
        scopesOfCodes.put(code, query.get("scope"));
        String outcome = agrees ? "code=" + code : "error=access_denied";
        exchange.getResponseHeaders()
                .set(
                        "Location",
                        query.get("redirect_uri")
                                + "?"
                                + outcome
                                + "&state="
                                + URLEncoder.encode(query.get("state"), StandardCharsets.UTF_8));
        respond(exchange, 302);
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form = form(body(exchange));
        credentials.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        String scopes = scopesOfCodes.getOrDefault(form.getOrDefault("code", ""), "reports:read");
        String access = "access-" + issued.incrementAndGet();
        valid.put(access, Set.of(scopes.split(" ")));
        json(
                exchange,
                200,
                JsonObject.of(
                        "access_token",
                        access,
                        "token_type",
                        "Bearer",
                        "expires_in",
                        Duration.ofDays(36_500).toSeconds(),
                        "refresh_token",
                        "refresh-" + issued.get()));
    }

    private void revoke(HttpExchange exchange) throws IOException {
        Map<String, String> form = form(body(exchange));
        revocations.add(form);
        valid.remove(form.get("token"));
        json(exchange, 200, JsonObject.EMPTY);
    }

    private static String body(HttpExchange exchange) throws IOException {
        return ScriptedHttp.body(exchange);
    }

    private static Map<String, String> form(String text) {
        Map<String, String> form = new LinkedHashMap<>();
        for (String field : text.split("&")) {
            String[] parts = field.split("=", 2);
            form.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return form;
    }

    @Override
    public void close() {
        serving.close();
        server.close();
        issuer.stop(0);
    }
}
