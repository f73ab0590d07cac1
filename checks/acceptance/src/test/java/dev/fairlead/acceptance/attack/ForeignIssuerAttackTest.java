package dev.fairlead.acceptance.attack;

import static dev.fairlead.test.support.ScriptedHttp.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.client.IdentityProvider;
import dev.fairlead.auth.client.OAuth;
import dev.fairlead.auth.client.TokenStore;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.URI;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A hostile MCP server names an authorization server of its own, to get the credentials that the
 * application has for another one (N26-AUTH-013).
 */
@Timeout(60)
@Requirement("SEC-013")
class ForeignIssuerAttackTest {
    private static final String SECRET = "MY-CLIENT-SECRET";

    /** All that the hostile side was sent: headers and bodies. */
    private final List<String> taken = new CopyOnWriteArrayList<>();

    private final TokenStore store = TokenStore.memory();
    private HttpServer hostile;

    /** The credentials that an application shows to authorization servers. */
    enum Credentials {
        SECRET_OF_A_PROGRAM,
        SECRET_OF_A_LOGIN,
        KEY,
        ENTERPRISE,
        WORKLOAD
    }

    @BeforeEach
    void start() throws IOException {
        hostile = ScriptedHttp.create();
        hostile.createContext("/", this::answer);
        hostile.start();
    }

    @AfterEach
    void stop() {
        hostile.stop(0);
    }

    private String origin() {
        return "http://localhost:" + hostile.getAddress().getPort();
    }

    private URI mcp() {
        return URI.create(origin() + "/mcp");
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        taken.add(exchange.getRequestHeaders().getOrDefault("Authorization", List.of()).toString());
        taken.add(ScriptedHttp.body(exchange));
        switch (path) {
            case "/mcp" -> {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                json(exchange, 401, JsonObject.EMPTY);
            }
            case "/.well-known/oauth-protected-resource/mcp" ->
                    json(
                            exchange,
                            200,
                            JsonObject.of(
                                    "resource",
                                    mcp().toString(),
                                    "authorization_servers",
                                    JsonArray.of(origin())));
            case "/.well-known/oauth-authorization-server" ->
                    json(
                            exchange,
                            200,
                            JsonObject.of(
                                    "issuer",
                                    origin(),
                                    "authorization_endpoint",
                                    origin() + "/authorize",
                                    "token_endpoint",
                                    origin() + "/token",
                                    "revocation_endpoint",
                                    origin() + "/revoke",
                                    "code_challenge_methods_supported",
                                    JsonArray.of("S256"),
                                    "token_endpoint_auth_methods_supported",
                                    JsonArray.of("client_secret_post")));
            case "/token" ->
                    json(
                            exchange,
                            200,
                            JsonObject.of("access_token", "theirs", "token_type", "Bearer"));
            default -> json(exchange, 404, JsonObject.EMPTY);
        }
    }

    private OAuth authorization(Credentials credentials) throws Exception {
        Secret secret = Secret.from(() -> SECRET);
        return switch (credentials) {
            case SECRET_OF_A_PROGRAM -> OAuth.clientCredentials("nightly", secret);
            case SECRET_OF_A_LOGIN ->
                    OAuth.browser("Desk").client("nightly", secret).browser(url -> comeBack(url));
            case KEY -> OAuth.clientCredentials("nightly", key(), "ES256");
            case ENTERPRISE ->
                    OAuth.enterpriseManaged(
                            "nightly",
                            secret,
                            IdentityProvider.at(URI.create(origin() + "/token"), "desk"),
                            () -> SECRET);
            case WORKLOAD -> OAuth.workload("nightly", () -> SECRET);
        };
    }

    private static PrivateKey key() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair().getPrivate();
    }

    /** The authorization server sends the browser back at once, with a code. */
    private static void comeBack(URI url) {
        String query = url.getQuery();
        String redirect = query.replaceAll(".*redirect_uri=([^&]*).*", "$1");
        String state = query.replaceAll(".*state=([^&]*).*", "$1");
        try (var http = java.net.http.HttpClient.newHttpClient()) {
            http.send(
                    java.net.http.HttpRequest.newBuilder(
                                    URI.create(redirect + "?code=x&state=" + state))
                            .build(),
                    java.net.http.HttpResponse.BodyHandlers.discarding());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertRefused(OAuth authorization, String message) {
        assertThatThrownBy(
                        () ->
                                McpClient.named("desk", "1")
                                        .requestTimeout(Duration.ofSeconds(30))
                                        .connect(
                                                Http.to(mcp().toString())
                                                        .authorization(authorization))
                                        .close())
                .isInstanceOf(AuthorizationException.class)
                .hasMessageContaining(message);
        assertThat(String.join("\n", taken))
                .doesNotContain(SECRET, "client_assertion=", "assertion=", "Basic ");
    }

    @ParameterizedTest
    @EnumSource
    void credentialsGoToNoIssuerThatTheServerAloneNames(Credentials credentials) throws Exception {
        assertRefused(
                authorization(credentials),
                "No issuer is named for the credentials of client nightly; name the one that may"
                        + " get them with OAuth.issuer");
    }

    @ParameterizedTest
    @EnumSource
    void credentialsOfAnotherIssuerAreNotSent(Credentials credentials) throws Exception {
        assertRefused(
                authorization(credentials).issuer("https://login.example"),
                "the server does not name the issuer that was configured for it");
    }

    @ParameterizedTest
    @EnumSource
    void anApplicationThatChoosesCanRefuse(Credentials credentials) throws Exception {
        assertRefused(
                authorization(credentials)
                        .chooseIssuer(
                                issuers -> {
                                    throw new AuthorizationException("none of ours: " + issuers);
                                }),
                "none of ours");
    }

    @ParameterizedTest
    @EnumSource
    void aServerWithoutMetadataIsNotItsOwnIssuer(Credentials credentials) throws Exception {
        hostile.removeContext("/");
        hostile.createContext(
                "/",
                exchange -> {
                    if (exchange.getRequestURI().getPath().contains("protected-resource")) {
                        json(exchange, 404, JsonObject.EMPTY);
                    } else {
                        answer(exchange);
                    }
                });

        assertRefused(
                authorization(credentials)
                        .chooseIssuer(
                                issuers -> {
                                    throw new AuthorizationException("none of ours: " + issuers);
                                }),
                "none of ours: [" + origin());
    }

    /** Stores the tokens of a login at the hostile issuer, made with an id that needs no secret. */
    private void storeForeignLogin() {
        store.write(
                mcp(),
                JsonObject.of(
                                "issuer",
                                origin(),
                                "token_endpoint",
                                origin() + "/token",
                                "resource",
                                mcp().toString(),
                                "client_id",
                                "nightly",
                                "scope",
                                "",
                                "access_token",
                                "theirs",
                                "refresh_token",
                                "theirs",
                                "token_endpoint_auth_method",
                                "client_secret_post")
                        .toString());
    }

    @Test
    void aStoredLoginOfAnotherIssuerIsNotRenewedWithTheSecret() throws Exception {
        storeForeignLogin();

        assertRefused(
                OAuth.browser("Desk")
                        .client("nightly", Secret.from(() -> SECRET))
                        .issuer("https://login.example")
                        .tokens(store),
                "the server does not name the issuer that was configured for it");
    }

    @Test
    void aStoredLoginOfAnotherIssuerIsNotRevokedWithTheSecret() throws Exception {
        storeForeignLogin();
        OAuth oauth =
                OAuth.browser("Desk").client("nightly", Secret.from(() -> SECRET)).tokens(store);

        assertThatThrownBy(() -> oauth.logout(mcp())).isInstanceOf(AuthorizationException.class);
        oauth.issuer("https://login.example").logout(mcp());

        assertThat(String.join("\n", taken)).doesNotContain(SECRET);
    }

    @ParameterizedTest
    @EnumSource
    void metadataThatNamesNoIssuerMakesTheServerNone(Credentials credentials) throws Exception {
        hostile.removeContext("/");
        hostile.createContext(
                "/",
                exchange -> {
                    if (exchange.getRequestURI().getPath().contains("protected-resource")) {
                        json(exchange, 200, JsonObject.of("resource", mcp().toString()));
                    } else {
                        answer(exchange);
                    }
                });

        assertRefused(
                authorization(credentials),
                "No issuer is named for the credentials of client nightly");
    }
}
