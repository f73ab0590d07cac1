package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ScriptedHttp;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.text.ParseException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An authorization server that issues any token that a test wants. */
final class TestIssuer implements AutoCloseable {
    static final String RESOURCE = "https://reports.example/mcp";

    /** How often its keys were asked for. */
    final AtomicInteger keysAsked = new AtomicInteger();

    /** How many tokens were issued by the grant of client credentials. */
    final AtomicInteger tokensIssued = new AtomicInteger();

    /** Keys are given only when this is open. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    /** Keys, each with a comma behind it, that are published before its own ones. */
    volatile String unusable = "";

    volatile int status = 200;
    private static final Map<String, RSAKey> KEYS = new ConcurrentHashMap<>();

    private final String name;
    private final List<JWK> published = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private volatile RSAKey key;
    private volatile String announced;

    /**
     * @param name whose keys it has
     */
    TestIssuer(String name) throws IOException {
        this.name = name;
        server = ScriptedHttp.create();
        server.createContext("/.well-known/openid-configuration", this::metadata);
        server.createContext("/jwks", this::keys);
        server.createContext("/token", this::issue);
        server.start();
        announced = url();
        rotate();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Claims in its metadata to be somebody else. */
    void announce(String issuer) {
        announced = issuer;
    }

    private void metadata(HttpExchange exchange) throws IOException {
        ScriptedHttp.json(
                exchange,
                status,
                """
                {"issuer":"%s","jwks_uri":"%s/jwks","token_endpoint":"%s/token"}\
                """
                        .formatted(announced, url(), url()));
    }

    /** Issues a lasting token that is bound to the key of the proof, to the client that asks. */
    private void issue(HttpExchange exchange) throws IOException {
        tokensIssued.incrementAndGet();
        String form = ScriptedHttp.body(exchange);
        String resource =
                URLDecoder.decode(
                        form.replaceAll("(^|.*&)resource=([^&]*).*", "$2"), StandardCharsets.UTF_8);
        String client =
                new String(
                        Base64.getDecoder()
                                .decode(
                                        exchange.getRequestHeaders()
                                                .getFirst("Authorization")
                                                .substring("Basic ".length())),
                        StandardCharsets.UTF_8);
        String bound =
                token(
                        claims ->
                                claims.subject(client.split(":")[0])
                                        .audience(resource)
                                        .expirationTime(
                                                Date.from(Instant.parse("2100-01-01T00:00:00Z")))
                                        .claim("cnf", Map.of("jkt", thumbprint(exchange))));
        ScriptedHttp.json(
                exchange, status, "{\"token_type\":\"DPoP\",\"access_token\":\"" + bound + "\"}");
    }

    private static String thumbprint(HttpExchange exchange) {
        try {
            return SignedJWT.parse(exchange.getRequestHeaders().getFirst("DPoP"))
                    .getHeader()
                    .getJWK()
                    .computeThumbprint()
                    .toString();
        } catch (ParseException | JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void keys(HttpExchange exchange) throws IOException {
        keysAsked.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        String keys = new JWKSet(published).toPublicJWKSet().toString();
        ScriptedHttp.json(exchange, status, keys.replace("[", "[" + unusable));
    }

    /** Signs with a new key from now on, which it publishes beside the old ones. */
    void rotate() {
        key = key(name + "-" + published.size());
        published.add(key);
    }

    /** Publishes a key beside its own ones. */
    void publish(JWK other) {
        published.add(other);
    }

    RSAKey key() {
        return key;
    }

    /** The key of this id; made once, which takes long. */
    static RSAKey key(String id) {
        return KEYS.computeIfAbsent(id, TestIssuer::newKey);
    }

    private static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The claims of a good token, changed as the test wants. */
    JWTClaimsSet claims(UnaryOperator<JWTClaimsSet.Builder> change) {
        Instant now = SetClock.START;
        return change.apply(
                        new JWTClaimsSet.Builder()
                                .issuer(url())
                                .subject("ann")
                                .audience(RESOURCE)
                                .claim("client_id", "desk")
                                .claim("scope", "reports:read")
                                .issueTime(Date.from(now))
                                .expirationTime(Date.from(now.plusSeconds(600))))
                .build();
    }

    String token() {
        return token(claims -> claims);
    }

    String token(UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(header(), claims(change), key);
    }

    JWSHeader.Builder header() {
        return new JWSHeader.Builder(JWSAlgorithm.RS256)
                .type(new JOSEObjectType("at+jwt"))
                .keyID(key.getKeyID());
    }

    /** A token of any JSON, as no library would write it. */
    String signed(UnaryOperator<JsonObject> header, UnaryOperator<JsonObject> claims) {
        try {
            String input =
                    base64(header.apply(json(header().build().toString())))
                            + "."
                            + base64(claims.apply(json(claims(same -> same).toString())));
            Signature signing = Signature.getInstance("SHA256withRSA");
            signing.initSign(key.toPrivateKey());
            signing.update(input.getBytes(StandardCharsets.US_ASCII));
            return input + "." + Base64URL.encode(signing.sign());
        } catch (GeneralSecurityException | JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonObject json(String text) {
        return (JsonObject) JsonValue.parse(text);
    }

    private static Base64URL base64(JsonObject json) {
        return Base64URL.encode(json.toString());
    }

    static String signed(JWSHeader.Builder header, JWTClaimsSet claims, RSAKey by) {
        try {
            SignedJWT jwt = new SignedJWT(header.build(), claims);
            jwt.sign(new RSASSASigner(by));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        gate.countDown();
        server.stop(0);
    }
}
