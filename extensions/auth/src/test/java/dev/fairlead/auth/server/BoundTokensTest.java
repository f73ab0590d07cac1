package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.GuardedServer.INITIALIZE;
import static dev.fairlead.auth.server.GuardedServer.challenge;
import static dev.fairlead.auth.server.Holder.send;
import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.client.OAuth;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;

/** Tokens that are bound to a key (DPoP), and their challenges and metadata. */
@Timeout(90)
class BoundTokensTest {
    private static final String ALGORITHMS =
            "ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512";

    private final SetClock clock = new SetClock();
    private final Holder ann = new Holder(clock);
    private final TestIssuer issuer = new TestIssuer("login");
    private final ResourceServer trusting =
            ResourceServer.at(RESOURCE).trust(issuer.url()).clock(clock);
    private final String token = ann.token(issuer);

    BoundTokensTest() throws IOException {}

    @AfterEach
    void close() {
        issuer.close();
    }

    @Test
    void aBoundTokenIsAcceptedWithAProofOfItsKey() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            assertThat(send(server, token, ann.proof(token)).statusCode()).isEqualTo(200);
            assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void theKeyMayBeOneForEd25519() throws Exception {
        EdwardsKey key = new EdwardsKey();
        String thumbprint = key.publicKey().computeThumbprint().toString();
        String bound = issuer.token(claims -> claims.claim("cnf", Map.of("jkt", thumbprint)));
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.EdDSA)
                        .type(new JOSEObjectType("dpop+jwt"))
                        .jwk(key.publicKey())
                        .build();
        try (GuardedServer server = new GuardedServer(trusting)) {
            String proof = key.signed(header, ann.claims(bound, claims -> claims));

            assertThat(send(server, bound, proof).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTPS://Reports.EXAMPLE:443/mcp",
                "https://reports.example/mcp?page=1#top",
                "https://reports.example/%6Dcp",
                "https://reports.example/x/%2e./mcp"
            })
    void theSameUrlMayBeWrittenInOtherWays(String url) throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            String proof = ann.proof(token, claims -> claims.claim("htu", url));

            assertThat(send(server, token, proof).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aProofIsForThePathThatIsAskedFor() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting, Http.port(0).legacySse())) {
            String events = "https://reports.example/sse";
            String here =
                    ann.proof(token, claims -> claims.claim("htu", events).claim("htm", "PUT"));
            String elsewhere = ann.proof(token, claims -> claims.claim("htm", "PUT"));

            assertThat(put(server, here)).isEqualTo(405); // admitted, to a method that is not there
            assertThat(put(server, elsewhere)).isEqualTo(401);
        }
    }

    private int put(GuardedServer server, String proof) throws Exception {
        return server.send("PUT", "/sse", "Authorization", "DPoP " + token, "DPoP", proof)
                .statusCode();
    }

    @Test
    void aProofIsForThePathThatTheClientOfAProxyHasAskedFor() throws Exception {
        ResourceServer elsewhere =
                ResourceServer.at("https://reports.example/app/mcp")
                        .trust(issuer.url())
                        .audience(RESOURCE)
                        .clock(clock);
        try (GuardedServer server =
                new GuardedServer(elsewhere, Http.port(0).trustProxies("127.0.0.1"))) {
            assertThat(throughProxy(server, "https://reports.example/app/mcp")).isEqualTo(200);
            assertThat(throughProxy(server, RESOURCE)).isEqualTo(401);
        }
    }

    private int throughProxy(GuardedServer server, String url) throws Exception {
        return server.post(
                        "/mcp",
                        INITIALIZE,
                        "Authorization",
                        "DPoP " + token,
                        "DPoP",
                        ann.proof(token, claims -> claims.claim("htu", url)),
                        "X-Forwarded-For",
                        "192.0.2.1",
                        "X-Forwarded-Prefix",
                        "/app")
                .statusCode();
    }

    @Test
    void theChallengeNamesBothSchemes() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            assertThat(challenge(server.post("/mcp", INITIALIZE)))
                    .isEqualTo(
                            "Bearer resource_metadata=\"https://reports.example/.well-known/"
                                    + "oauth-protected-resource/mcp\", DPoP algs=\""
                                    + ALGORITHMS
                                    + '"');
            assertThat(metadata(server).has("dpop_bound_access_tokens_required")).isFalse();
        }
    }

    private static JsonObject metadata(GuardedServer server) throws Exception {
        return (JsonObject)
                JsonValue.parse(server.get("/.well-known/oauth-protected-resource").body());
    }

    @Test
    void aServerMayTakeNothingElse() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting.requireDpop())) {
            HttpResponse<String> unbound = server.initialize(issuer.token());

            assertThat(unbound.statusCode()).isEqualTo(401);
            assertThat(challenge(unbound))
                    .isEqualTo(
                            "DPoP error=\"invalid_token\", error_description=\"The access token is"
                                    + " not bound to a key\", resource_metadata=\"https://"
                                    + "reports.example/.well-known/oauth-protected-resource/mcp\","
                                    + " algs=\""
                                    + ALGORITHMS
                                    + '"');
            assertThat(send(server, token, ann.proof(token)).statusCode()).isEqualTo(200);
            assertThat(metadata(server).get("dpop_bound_access_tokens_required"))
                    .isEqualTo(JsonValue.of(true));
            assertThat(metadata(server).get("dpop_signing_alg_values_supported").toString())
                    .isEqualTo("[\"" + ALGORITHMS.replace(" ", "\",\"") + "\"]");
        }
    }

    @Test
    void aServerMayWantANonceOfItsOwn() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting.dpopNonce())) {
            HttpResponse<String> without = send(server, token, ann.proof(token));
            String first = nonce(without);
            HttpResponse<String> with = send(server, token, withNonce(first));

            assertThat(without.statusCode()).isEqualTo(401);
            assertThat(challenge(without)).contains(", DPoP error=\"use_dpop_nonce\", ");
            assertThat(with.statusCode()).isEqualTo(200);
            assertThat(nonce(with)).isEqualTo(first);
            assertThat(send(server, token, withNonce("made up")).statusCode()).isEqualTo(401);
            assertThat(nonce(server.post("/mcp", INITIALIZE))).isEqualTo(first);
            assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aNonceIsReplacedWhileItIsGoodAndThenIsNot() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting.dpopNonce())) {
            String first = nonce(server.post("/mcp", INITIALIZE));
            clock.advance(ProofNonces.GIVEN);
            HttpResponse<String> late = send(server, token, withNonce(first));

            assertThat(late.statusCode()).isEqualTo(200);
            assertThat(nonce(late)).isNotEqualTo(first);
            clock.advance(ProofNonces.GIVEN);
            HttpResponse<String> tooLate = send(server, token, withNonce(first));
            assertThat(challenge(tooLate)).contains("error=\"use_dpop_nonce\"");
            assertThat(send(server, token, withNonce(nonce(late))).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void nodesWithTheSameSecretTakeEachOthersNonces() throws Exception {
        Secret secret = Secret.from(() -> "a secret of 32 characters at least");
        try (GuardedServer one = new GuardedServer(trusting.dpopNonce(secret));
                GuardedServer other = new GuardedServer(trusting.dpopNonce(secret));
                GuardedServer stranger = new GuardedServer(trusting.dpopNonce())) {
            String nonce = nonce(one.post("/mcp", INITIALIZE));

            assertThat(send(other, token, withNonce(nonce)).statusCode()).isEqualTo(200);
            assertThat(send(stranger, token, withNonce(nonce)).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aSecretThatIsMissingIsMissedAtTheStart() {
        assertThatThrownBy(
                        () -> new GuardedServer(trusting.dpopNonce(Secret.env("NO_SUCH_SECRET"))))
                .hasMessage("there is no secret in the environment variable NO_SUCH_SECRET");
    }

    private static String nonce(HttpResponse<String> answer) {
        return answer.headers().firstValue("DPoP-Nonce").orElse("");
    }

    private String withNonce(String nonce) {
        return ann.proof(token, claims -> claims.claim("nonce", nonce));
    }

    @Test
    void ourClientBindsItsTokensAndProvesItsKey() throws Exception {
        Later authorization = new Later();
        try (GuardedServer server = new GuardedServer(authorization)) {
            String url = server.at("/mcp").toString();
            authorization.become(
                    ResourceServer.at(url)
                            .trust(issuer.url())
                            .scopes("reports:read")
                            .requireDpop()
                            .dpopNonce());
            OAuth oauth =
                    OAuth.clientCredentials("nightly", Secret.from(() -> "secret"))
                            .issuer(issuer.url())
                            .dpop();
            try (McpClient client = McpClient.connect(Http.to(url).authorization(oauth))) {
                assertThat(client.callTool("who", JsonObject.EMPTY).toString())
                        .contains("nightly@" + issuer.url());
            }
            assertThat(issuer.tokensIssued).hasValue(1);
        }
    }
}
