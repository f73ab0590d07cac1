package dev.fairlead.auth.proxy;

import static dev.fairlead.test.support.ScriptedHttp.json;
import static dev.fairlead.test.support.ScriptedHttp.respond;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.test.support.ScriptedHttp;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A provider that knows one client, and whose people log in without being asked: it sends browsers
 * back at once.
 */
final class TestUpstream implements AutoCloseable {
    static final String CLIENT = "reports-at-upstream";
    static final String SECRET = "upstream-secret";

    /** A time in the past of every machine, by whose clock tokens for logins are verified. */
    static final Instant PAST = Instant.parse("2026-01-01T00:00:00Z");

    /** The requests of browsers. */
    final List<Form> authorizations = new CopyOnWriteArrayList<>();

    /** The forms that the proxy posted to the token endpoint. */
    final List<Form> redemptions = new CopyOnWriteArrayList<>();

    /** The credentials of requests for the user. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    /** Changes the parameters that browsers bring back. */
    volatile UnaryOperator<Map<String, String>> redirect = UnaryOperator.identity();

    volatile UnaryOperator<JsonObject> metadata = UnaryOperator.identity();
    volatile UnaryOperator<JWTClaimsSet.Builder> claims = UnaryOperator.identity();
    volatile UnaryOperator<JWSHeader.Builder> header = UnaryOperator.identity();
    volatile ECKey signedBy;
    volatile JsonObject user = JsonObject.of("login", "ann", "id", 4711);

    private final ECKey key = newKey();
    private final Map<String, Form> codes = new ConcurrentHashMap<>();
    private final HttpServer server;

    TestUpstream() throws IOException {
        signedBy = key;
        server = ScriptedHttp.create();
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", this::token);
        server.createContext("/user", this::user);
        server.createContext(
                "/.well-known/openid-configuration",
                exchange -> json(exchange, 200, metadata.apply(metadata())));
        server.createContext(
                "/keys", exchange -> json(exchange, 200, JsonObject.EMPTY.with("keys", keys())));
        server.start();
    }

    private JsonValue keys() {
        var set = new JWKSet(key.toPublicJWK()).toString();
        return ((JsonObject) JsonValue.parse(set)).array("keys");
    }

    static ECKey newKey() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID("upstream").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** An upstream configured like GitHub. */
    Upstream plain() {
        return Upstream.of(URI.create(url() + "/authorize"), URI.create(url() + "/token"))
                .client(CLIENT, Secret.from(() -> SECRET))
                .scopes("read:user")
                .user(URI.create(url() + "/user"), "id");
    }

    Upstream openId() {
        return Upstream.openId(url()).client(CLIENT, Secret.from(() -> SECRET));
    }

    private JsonObject metadata() {
        return JsonObject.of(
                "issuer", url(),
                "authorization_endpoint", url() + "/authorize",
                "token_endpoint", url() + "/token",
                "jwks_uri", url() + "/keys",
                "authorization_response_iss_parameter_supported", true);
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Form asked = form(exchange.getRequestURI().getRawQuery());
        authorizations.add(asked);
        String code = "upstream-code-" + authorizations.size();
        codes.put(code, asked);
        Map<String, String> answer = new LinkedHashMap<>();
        answer.put("code", code);
        answer.put("state", asked.get("state"));
        answer.put("iss", url());
        exchange.getResponseHeaders()
                .set(
                        "Location",
                        FormEncoding.appended(asked.get("redirect_uri"), redirect.apply(answer)));
        respond(exchange, 302);
    }

    private static Form form(String text) {
        try {
            return Form.parse(text);
        } catch (OAuthFailure e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes a code once, from its client, with the verifier of its challenge. */
    private void token(HttpExchange exchange) throws IOException {
        Form form = form(ScriptedHttp.body(exchange));
        redemptions.add(form);
        Form asked = codes.remove(form.get("code"));
        boolean isKnown =
                asked != null
                        && isClient(exchange, form)
                        && form.get("redirect_uri").equals(asked.get("redirect_uri"))
                        && Sha256.of(form.get("code_verifier")).equals(asked.get("code_challenge"));
        if (!isKnown) {
            json(exchange, 400, JsonObject.of("error", "invalid_grant"));
            return;
        }
        JsonObject tokens = JsonObject.of("access_token", "upstream-token", "token_type", "Bearer");
        json(exchange, 200, tokens.with("id_token", idToken(asked.get("nonce"))));
    }

    private static boolean isClient(HttpExchange exchange, Form form) {
        String basic = exchange.getRequestHeaders().getFirst("Authorization");
        String pair = CLIENT + ":" + SECRET;
        return basic == null
                ? (form.get("client_id") + ":" + form.get("client_secret")).equals(pair)
                : basic.equals(
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    private String idToken(String nonce) {
        JWTClaimsSet.Builder usual =
                new JWTClaimsSet.Builder()
                        .issuer(url())
                        .subject("ann-at-upstream")
                        .audience(CLIENT)
                        .claim("nonce", nonce)
                        .issueTime(Date.from(PAST))
                        .expirationTime(Date.from(Instant.parse("2100-01-01T00:00:00Z")));
        try {
            SignedJWT jwt =
                    new SignedJWT(
                            header.apply(
                                            new JWSHeader.Builder(JWSAlgorithm.ES256)
                                                    .keyID("upstream"))
                                    .build(),
                            claims.apply(usual).build());
            jwt.sign(new ECDSASigner(signedBy));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void user(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestHeaders().getFirst("Authorization"));
        json(exchange, 200, user);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
