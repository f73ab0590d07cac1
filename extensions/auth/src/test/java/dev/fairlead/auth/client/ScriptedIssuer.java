package dev.fairlead.auth.client;

import static dev.fairlead.test.support.ScriptedHttp.json;
import static dev.fairlead.test.support.ScriptedHttp.respond;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.WireSecrets;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ScriptedHttp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * An MCP server (at {@code /mcp}) with its authorization server, which behaves as a test sets it,
 * and keeps the requests.
 */
final class ScriptedIssuer implements AutoCloseable {
    final List<Map<String, String>> authorizations = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> tokenRequests = new CopyOnWriteArrayList<>();

    /** The values of the header Authorization in token requests. */
    final List<String> credentials = new CopyOnWriteArrayList<>();

    final List<JsonObject> registrations = new CopyOnWriteArrayList<>();
    final List<String> metadataAsked = new CopyOnWriteArrayList<>();
    final List<String> queries = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> providerRequests = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> revocations = new CopyOnWriteArrayList<>();
    final Set<String> valid = ConcurrentHashMap.newKeySet();
    private final Set<String> usedUp = ConcurrentHashMap.newKeySet();
    private final AtomicInteger issued = new AtomicInteger();
    private final HttpServer server;
    volatile UnaryOperator<JsonObject> resource = metadata -> metadata;
    volatile UnaryOperator<JsonObject> metadata = metadata -> metadata;
    volatile UnaryOperator<Map<String, String>> redirect = parameters -> parameters;
    volatile UnaryOperator<JsonObject> tokens = answer -> answer;
    volatile int errorStatus = 400; // of the token endpoint
    volatile UnaryOperator<JsonObject> registered = answer -> answer;

    /** The error that a revocation is answered with; empty to do it. */
    volatile Function<Map<String, String>, JsonObject> revoked = asked -> JsonObject.EMPTY;

    /** The challenge of 401 to every request without a good token. */
    volatile String challenge = "Bearer";

    /** The challenge of 403 to every request with a good token; empty to take them. */
    volatile String shortOf = "";

    /** Whether no token is good enough. */
    volatile boolean takesNone;

    /** The redirect of the token endpoint; null to give tokens. */
    volatile String tokenRedirect;

    /** A page in the place of tokens and registrations; null for none. */
    volatile String page;

    /** Whether tokens are bound to a key, and used with a proof of it. */
    volatile boolean isDpop;

    /** The nonce that proofs must have; empty for one that no proof has, null for none. */
    volatile String tokenNonce;

    volatile String callNonce;
    final List<String> tokenProofs = new CopyOnWriteArrayList<>();
    final List<String> callProofs = new CopyOnWriteArrayList<>();

    /** The step before a request without a good token is refused. */
    volatile Step beforeRefusal = () -> {};

    /** The step before tokens are given or refused. */
    volatile Step beforeTokens = () -> {};

    /** A step that may block. */
    interface Step {
        void take() throws Exception;

        default void now() {
            try {
                take();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    ScriptedIssuer() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getByName("localhost"), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/mcp", this::serve);
        server.createContext(
                "/.well-known/oauth-protected-resource/mcp",
                exchange -> {
                    metadataAsked.add("resource");
                    json(exchange, 200, resource.apply(resourceMetadata()));
                });
        server.createContext(
                "/.well-known/oauth-authorization-server",
                exchange -> {
                    metadataAsked.add("issuer");
                    json(exchange, 200, metadata.apply(serverMetadata()));
                });
        server.createContext("/register", this::register);
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", this::token);
        server.createContext("/revoke", this::revoke);
        server.createContext("/provider", this::vouch);
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
                "revocation_endpoint",
                issuer() + "/revoke",
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
        String scheme = isDpop ? "DPoP " : "Bearer ";
        if (token != null && isDpop && !hasNonce(exchange, callProofs, callNonce)) {
            exchange.getResponseHeaders()
                    .set("WWW-Authenticate", "DPoP error=\"use_dpop_nonce\", algs=\"ES256\"");
            json(exchange, 401, JsonObject.EMPTY);
        } else if (token == null || takesNone || !valid.contains(token.replace(scheme, ""))) {
            beforeRefusal.now();
            exchange.getResponseHeaders().set("WWW-Authenticate", challenge);
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
        if (page != null) {
            respond(exchange, 200, "text/html", page);
            return;
        }
        json(
                exchange,
                201,
                registered.apply(JsonObject.of("client_id", "client-" + registrations.size())));
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
        respond(exchange, 302);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(body(exchange));
        tokenRequests.add(asked);
        credentials.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        beforeTokens.now();
        if (tokenRedirect != null) {
            exchange.getResponseHeaders().set("Location", tokenRedirect);
            json(exchange, 307, JsonObject.EMPTY);
            return;
        }
        if (page != null) {
            respond(exchange, 200, "text/html", page);
            return;
        }
        if (isDpop && !hasNonce(exchange, tokenProofs, tokenNonce)) {
            json(exchange, 400, JsonObject.of("error", "use_dpop_nonce"));
            return;
        }
        if (asked.containsKey("refresh_token") && !usedUp.add(asked.get("refresh_token"))) {
            json(exchange, 400, JsonObject.of("error", "invalid_grant"));
            return;
        }
        int number = issued.incrementAndGet();
        JsonObject answer =
                tokens.apply(
                        JsonObject.of(
                                "access_token",
                                "access-" + number,
                                "token_type",
                                isDpop ? "DPoP" : "Bearer",
                                "expires_in",
                                3600,
                                "refresh_token",
                                "refresh-" + number));
        if (answer.has("error")) {
            json(exchange, errorStatus, answer);
        } else {
            valid.add(WireSecrets.add(answer.string("access_token")));
            json(exchange, 200, answer);
        }
    }

    /** The identity provider of an enterprise. */
    private void vouch(HttpExchange exchange) throws IOException {
        providerRequests.add(form(body(exchange)));
        json(
                exchange,
                200,
                JsonObject.of(
                        "access_token",
                        "statement",
                        "issued_token_type",
                        "urn:ietf:params:oauth:token-type:id-jag",
                        "token_type",
                        "N_A"));
    }

    private static boolean hasNonce(HttpExchange exchange, List<String> proofs, String nonce) {
        String proof = exchange.getRequestHeaders().getFirst("DPoP");
        proofs.add(proof);
        if (nonce == null) {
            return true;
        }
        exchange.getResponseHeaders().set("DPoP-Nonce", nonce.isEmpty() ? "another" : nonce);
        String claims =
                new String(
                        Base64.getUrlDecoder().decode(proof.split("\\.")[1]),
                        StandardCharsets.UTF_8);
        return !nonce.isEmpty() && claims.contains("\"nonce\":\"" + nonce + "\"");
    }

    private void revoke(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(body(exchange));
        revocations.add(asked);
        JsonObject refusal = revoked.apply(asked);
        valid.remove(asked.get("token"));
        json(exchange, refusal.isEmpty() ? 200 : 400, refusal);
    }

    private static String body(HttpExchange exchange) throws IOException {
        return ScriptedHttp.body(exchange);
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

    @Override
    public void close() {
        server.stop(0);
    }
}
