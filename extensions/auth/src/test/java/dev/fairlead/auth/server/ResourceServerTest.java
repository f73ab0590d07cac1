package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.GuardedServer.challenge;
import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tokens that are accepted, and the answers to refused clients. */
@Timeout(90)
class ResourceServerTest {
    private static final String METADATA =
            "https://reports.example/.well-known/oauth-protected-resource/mcp";

    private final TestIssuer issuer = new TestIssuer("login");
    private final ResourceServer trusting =
            ResourceServer.at(RESOURCE)
                    .trust(issuer.url())
                    .scopes("reports:read")
                    .clock(new SetClock());

    ResourceServerTest() throws IOException {}

    @AfterEach
    void close() {
        issuer.close();
    }

    @Test
    @Requirement({"AUTH-068", "AUTH-042", "ELIC-034"})
    void aHandlerSeesTheCallerOfTheToken() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            String token = issuer.token();

            HttpResponse<String> answer = server.call(server.session(token), token, "who");

            assertThat(answer.body()).contains("ann@" + issuer.url() + " by Optional[desk]");
        }
    }

    @Test
    @Requirement({"AUTH-013", "AUTH-015", "ERR-036", "ROOM-082", "BASE-043", "N26-AUTH-002"})
    void aRequestWithoutATokenIsRefusedWithTheMetadataUrl() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            HttpResponse<String> answer = server.post("/mcp", GuardedServer.INITIALIZE);

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(challenge(answer))
                    .startsWith(
                            "Bearer scope=\"reports:read\", resource_metadata=\""
                                    + METADATA
                                    + "\", DPoP algs=");
            assertThat(issuer.keysAsked).hasValue(0);
        }
    }

    @Test
    @Requirement({"AUTH-046", "AUTH-047", "AUTH-048", "N26-AUTH-016"})
    void aMissingScopeIsRefusedWithTheScopesThatAreRequired() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            String session = server.session(issuer.token());
            String more =
                    issuer.token(claims -> claims.claim("scope", "reports:read reports:purge"));

            HttpResponse<String> lacking = server.call(session, issuer.token(), "purge");
            HttpResponse<String> admitted = server.call(session, more, "purge");

            assertThat(lacking.statusCode()).isEqualTo(403);
            assertThat(challenge(lacking))
                    .startsWith(
                            "Bearer error=\"insufficient_scope\", error_description=\"This requires"
                                    + " the scopes: reports:purge\", scope=\"reports:read"
                                    + " reports:purge\", resource_metadata=\""
                                    + METADATA
                                    + "\", DPoP algs=");
            assertThat(admitted.statusCode()).isEqualTo(200);
            assertThat(admitted.body()).contains("done");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.well-known/oauth-protected-resource",
                "/.well-known/oauth-protected-resource/mcp"
            })
    @Requirement({"AUTH-007", "AUTH-011", "AUTH-013", "AUTH-069", "ROOM-082", "N26-AUTH-002"})
    void theMetadataIsPublicAtBothPaths(String path) throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            HttpResponse<String> answer = server.get(path);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).hasValue("*");
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(answer.body())
                    .startsWith(
                            """
                            {"resource":"%s","authorization_servers":["%s"],\
                            "bearer_methods_supported":["header"],"scopes_supported":["reports:read"],\
                            "dpop_signing_alg_values_supported":["ES256",\
                            """
                                    .formatted(RESOURCE, issuer.url()));
        }
    }

    @Test
    @Requirement("N26-AUTH-017")
    void aVerifierGrantsWhatAScopeIncludes() throws Exception {
        TokenVerifier verifier =
                token ->
                        Optional.of(
                                new VerifiedToken(
                                        "https://opaque.example",
                                        "ann",
                                        "desk",
                                        token.equals("admin")
                                                ? Set.of("reports", "reports:read", "reports:purge")
                                                : Set.of("reports:read"),
                                        Set.of(RESOURCE),
                                        SetClock.START.plusSeconds(60)));
        try (GuardedServer server =
                new GuardedServer(trusting.tokenVerifier("https://opaque.example", verifier))) {
            assertThat(server.call(server.session("admin"), "admin", "purge").statusCode())
                    .isEqualTo(200);
            assertThat(server.call(server.session("reader"), "reader", "purge").statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    @Requirement("N26-AUTH-021")
    void offlineAccessIsNoScopeOfAResource() throws Exception {
        assertThatThrownBy(() -> trusting.scopes("reports:read", "offline_access"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offline_access");
        String token = issuer.token(claims -> claims.claim("scope", "reports:read offline_access"));
        try (GuardedServer server = new GuardedServer(trusting)) {
            HttpResponse<String> lacking = server.call(server.session(token), token, "purge");
            assertThat(lacking.statusCode()).isEqualTo(403);
            assertThat(challenge(lacking)).doesNotContain("offline_access");
        }
    }

    @Test
    void pagesOfAnyOriginMayAskForTheMetadataAndNothingElse() throws Exception {
        String path = "/.well-known/oauth-protected-resource";
        try (GuardedServer server = new GuardedServer(trusting)) {
            HttpResponse<String> preflight = server.send("OPTIONS", path, "Origin", "https://x.y");
            HttpResponse<String> posted = server.post(path, "{}");

            assertThat(preflight.statusCode()).isEqualTo(204);
            assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
                    .hasValue("GET, HEAD, OPTIONS");
            assertThat(posted.statusCode()).isEqualTo(405);
            assertThat(posted.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
        }
    }

    @Test
    @Requirement("AUTH-018")
    void scopesMayBeAList() throws Exception {
        try (GuardedServer server = new GuardedServer(trusting)) {
            String token =
                    issuer.token(
                            claims ->
                                    claims.claim("scope", null)
                                            .claim("scp", List.of("reports:purge", "x")));

            assertThat(server.call(server.session(token), token, "purge").statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EdDSA", "Ed25519"})
    void anIssuerMaySignByEd25519(String algorithm) throws Exception {
        EdwardsKey key = new EdwardsKey();
        issuer.publish(key.publicKey());
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.parse(algorithm))
                        .type(new JOSEObjectType("at+jwt"))
                        .keyID("edwards")
                        .build();
        try (GuardedServer server = new GuardedServer(trusting)) {
            JWTClaimsSet claims = issuer.claims(same -> same);

            assertThat(server.initialize(key.signed(header, claims)).statusCode()).isEqualTo(200);
            assertThat(server.initialize(new EdwardsKey().signed(header, claims)).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void aKeyOfAnIssuerThatCannotBeUsedCostsNoOther() throws Exception {
        issuer.unusable =
                """
                {"kty": "EC", "crv": "brainpoolP256r1", "x": "AQ", "y": "AQ"}, {"kty": "RSA"}, null,\
                """;
        try (GuardedServer server = new GuardedServer(trusting)) {
            assertThat(server.initialize(issuer.token(same -> same)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void theKeysMayBeNamedAndTheAudienceToo() throws Exception {
        ResourceServer named =
                ResourceServer.at(RESOURCE)
                        .trust(issuer.url(), URI.create(issuer.url() + "/jwks"))
                        .audience("api://reports")
                        .clock(new SetClock());
        issuer.announce("https://somebody.example");
        try (GuardedServer server = new GuardedServer(named)) {
            String token = issuer.token(claims -> claims.audience("api://reports"));

            assertThat(server.initialize(token).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void metadataOfAnotherIssuerIsNotBelieved() throws Exception {
        issuer.announce("https://somebody.example");
        try (GuardedServer server = new GuardedServer(trusting)) {
            assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(503);
            assertThat(issuer.keysAsked).hasValue(0);
        }
    }

    @Test
    @Requirement("ROOM-087")
    void tokensOfAnotherKindAreVerifiedByTheApplication() throws Exception {
        TokenVerifier verifier =
                token ->
                        switch (token) {
                            case "good" -> verified(Set.of(RESOURCE), 60);
                            case "foreign" -> verified(Set.of("https://other.example"), 60);
                            case "forAll" -> verified(Set.of(), 60);
                            case "old" -> verified(Set.of(RESOURCE), -61);
                            case "later" -> throw new IOException("the database is away");
                            default -> Optional.empty();
                        };
        try (GuardedServer server =
                new GuardedServer(trusting.tokenVerifier("https://opaque.example", verifier))) {
            assertThat(server.initialize("good").statusCode()).isEqualTo(200);
            assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(200);
            for (String bad : List.of("foreign", "forAll", "old", "unknown")) {
                assertThat(server.initialize(bad).statusCode()).as(bad).isEqualTo(401);
            }
            HttpResponse<String> later = server.initialize("later");
            assertThat(later.statusCode()).isEqualTo(503);
            assertThat(later.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(later.body()).doesNotContain("database");
        }
    }

    private static Optional<VerifiedToken> verified(Set<String> audience, int secondsLeft) {
        return Optional.of(
                new VerifiedToken(
                        "https://opaque.example",
                        "bob",
                        null,
                        Set.of(),
                        audience,
                        SetClock.START.plusSeconds(secondsLeft)));
    }

    @Test
    void aResourceServerWithoutATrustedIssuerIsRefused() {
        assertThatThrownBy(() -> new GuardedServer(ResourceServer.at(RESOURCE)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no issuer is trusted: name one with trust(…)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mcp", "ftp://x/mcp", "https://x/mcp#a", "https://x/mcp?a"})
    void aResourceIsAUrl(String text) {
        assertThatThrownBy(() -> ResourceServer.at(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a resource is a URL such as https://reports.example/mcp but was " + text);
    }
}
