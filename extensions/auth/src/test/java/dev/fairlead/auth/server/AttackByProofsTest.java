package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.GuardedServer.INITIALIZE;
import static dev.fairlead.auth.server.GuardedServer.challenge;
import static dev.fairlead.auth.server.Holder.send;
import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.protocol.OneTimeValues;
import dev.fairlead.protocol.platform.Sha256;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** Proofs of keys (DPoP) that are not to be accepted, over real sockets. */
@Timeout(90)
class AttackByProofsTest {
    private final SetClock clock = new SetClock();
    private final Holder ann = new Holder(clock);
    private final Holder evil = new Holder(clock);
    private TestIssuer issuer;
    private ResourceServer trusting;
    private GuardedServer server;
    private String token;

    @BeforeEach
    void open() throws Exception {
        issuer = new TestIssuer("login");
        trusting = ResourceServer.at(RESOURCE).trust(issuer.url()).clock(clock);
        server = new GuardedServer(trusting);
        token = ann.token(issuer);
    }

    @AfterEach
    void close() {
        server.close();
        issuer.close();
    }

    private void assertRefused(String proof, String description) throws Exception {
        assertRefused(send(server, token, proof), description);
    }

    private void assertRefused(HttpResponse<String> answer, String description) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(challenge(answer))
                .contains(
                        ", DPoP error=\"invalid_dpop_proof\", error_description=\""
                                + description
                                + "\", algs=\"ES256 ");
        assertThat(answer.body()).contains(description).doesNotContain(token);
        assertThat(send(server, token, ann.proof(token)).statusCode()).isEqualTo(200);
    }

    private void assertRefused(UnaryOperator<JWTClaimsSet.Builder> claims, String description)
            throws Exception {
        assertRefused(ann.proof(token, claims), description);
    }

    @Test
    void aProofThatIsUsedAgain() throws Exception {
        String proof = ann.proof(token);
        assertThat(send(server, token, proof).statusCode()).isEqualTo(200);

        assertRefused(proof, "The proof of the key was used before");
        clock.advance(Duration.ofSeconds(120));
        assertRefused(proof, "The proof of the key was used before");
        clock.advance(Duration.ofSeconds(1));
        assertRefused(proof, "The proof of the key is not of this time");
    }

    @Test
    void aProofThatIsUsedAgainAtAnotherNode() throws Exception {
        Set<String> used = ConcurrentHashMap.newKeySet();
        OneTimeValues shared = (value, kept) -> used.add(value);
        try (GuardedServer here = new GuardedServer(trusting.usedProofs(shared));
                GuardedServer there = new GuardedServer(trusting.usedProofs(shared))) {
            String proof = ann.proof(token);
            assertThat(send(here, token, proof).statusCode()).isEqualTo(200);
            assertRefused(send(there, token, proof), "The proof of the key was used before");
            assertThat(send(there, token, ann.proof(token)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aProofThatCannotBeStoredIsNotTaken() throws Exception {
        OneTimeValues failing =
                (value, kept) -> {
                    throw new IllegalStateException("the database is away");
                };
        try (GuardedServer here = new GuardedServer(trusting.usedProofs(failing))) {
            assertThat(send(here, token, ann.proof(token)).statusCode()).isEqualTo(503);
        }
    }

    @Test
    void aProofFromTheFutureThatIsUsedAgain() throws Exception {
        Date ahead = Date.from(clock.instant().plusSeconds(60));
        String proof = ann.proof(token, claims -> claims.issueTime(ahead));
        assertThat(send(server, token, proof).statusCode()).isEqualTo(200);

        clock.advance(Duration.ofSeconds(180));
        assertRefused(proof, "The proof of the key was used before");
    }

    @Test
    void aProofThatIsUsedManyTimesAtOnce() throws Exception {
        String proof = ann.proof(token);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> call = () -> send(server, token, proof).statusCode();
            List<Integer> answers = new ArrayList<>();
            for (Future<Integer> answer : callers.invokeAll(Collections.nCopies(20, call))) {
                answers.add(answer.get());
            }

            assertThat(answers).containsOnlyOnce(200).contains(401);
        }
    }

    @Test
    void aProofForAnotherMethod() throws Exception {
        assertRefused(
                claims -> claims.claim("htm", "GET"), "The proof of the key is for another method");
        assertRefused(
                claims -> claims.claim("htm", "post"),
                "The proof of the key is for another method");
        assertRefused(
                claims -> claims.claim("htm", null), "The proof of the key is for another method");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[\"x\"]"})
    void aProofWithExtensionsThatMustBeUnderstood(String critical) throws Exception {
        assertRefused(
                ann.signedWith("crit", critical, ann.claims(token, same -> same)),
                "The proof of the key is not well-formed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zip", "b64", "cty", "enc", "jku", "x5u", "x5c"})
    void aProofWhoseHeaderChangesItsReading(String member) throws Exception {
        assertRefused(
                ann.signedWith(member, "\"DEF\"", ann.claims(token, same -> same)),
                "The proof of the key is not well-formed");
    }

    @Test
    void aProofInAnotherEncoding() throws Exception {
        for (String other : AttackByTokensTest.otherEncodings(ann.proof(token))) {
            assertRefused(other, "The proof of the key is not well-formed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/mcp",
                "http://reports.example/mcp",
                "https://reports.example:8443/mcp",
                "https://ann@reports.example/mcp",
                "https://reports.example/mcp/",
                "https://reports.example/MCP",
                "https://reports.example/sse",
                "https://reports.example/",
                "/mcp",
                "https://reports.example/mc p",
                ""
            })
    void aProofForAnotherUrl(String url) throws Exception {
        assertRefused(
                claims -> claims.claim("htu", url), "The proof of the key is for another URL");
    }

    @Test
    void aProofForNoUrl() throws Exception {
        assertRefused(
                claims -> claims.claim("htu", null), "The proof of the key is for another URL");
    }

    @Test
    void aProofForAnotherToken() throws Exception {
        String hash = Sha256.of(token + "x");
        assertRefused(
                claims -> claims.claim("ath", hash), "The proof of the key is for another token");
        assertRefused(
                claims -> claims.claim("ath", null), "The proof of the key is for another token");
    }

    @Test
    void aProofByAnotherKey() throws Exception {
        assertRefused(evil.proof(token), "The proof of the key is for another key");
        JWTClaimsSet claims = ann.claims(token, same -> same);
        assertRefused(
                evil.signed(ann.header(), claims), "The proof of the key has no valid signature");
        assertRefused(
                ann.signed(ann.header().jwk(null), claims),
                "The proof of the key is of another kind");
    }

    @Test
    void aProofThatIsTooOldOrOfTheFuture() throws Exception {
        for (long seconds : List.of(-121L, 61L)) {
            Date issued = Date.from(clock.instant().plusSeconds(seconds));
            assertRefused(
                    claims -> claims.issueTime(issued), "The proof of the key is not of this time");
        }
        assertRefused(claims -> claims.issueTime(null), "The proof of the key is not of this time");
        for (long seconds : List.of(-120L, 60L)) {
            Date issued = Date.from(clock.instant().plusSeconds(seconds));
            String edge = ann.proof(token, claims -> claims.issueTime(issued));
            assertThat(send(server, token, edge).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anUnsignedProof() throws Exception {
        String payload = ann.proof(token).split("\\.")[1];
        String none =
                Base64URL.encode(
                                "{\"typ\":\"dpop+jwt\",\"alg\":\"none\",\"jwk\":"
                                        + ann.key().toPublicJWK()
                                        + "}")
                        .toString();

        assertRefused(none + "." + payload + ".", "The proof of the key is not well-formed");
        assertRefused("x", "The proof of the key is not well-formed");
    }

    @Test
    void aProofWhoseSecretIsThePublicKey() throws Exception {
        SignedJWT jwt =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.HS256)
                                .type(new JOSEObjectType("dpop+jwt"))
                                .jwk(ann.key().toPublicJWK())
                                .build(),
                        ann.claims(token, claims -> claims));
        jwt.sign(new MACSigner(ann.key().toPublicJWK().toJSONString().getBytes()));

        assertRefused(jwt.serialize(), "The proof of the key is of another kind");
    }

    @Test
    void aProofOfAnotherAlgorithmThanItsKey() throws Exception {
        String[] parts = ann.proof(token).split("\\.");
        for (String algorithm : List.of("EdDSA", "RS256", "ES384")) {
            String header =
                    Base64URL.encode(
                                    "{\"typ\":\"dpop+jwt\",\"alg\":\""
                                            + algorithm
                                            + "\",\"jwk\":"
                                            + ann.key().toPublicJWK()
                                            + "}")
                            .toString();
            HttpResponse<String> answer =
                    send(server, token, header + "." + parts[1] + "." + parts[2]);

            assertThat(answer.statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aProofThatShowsItsPrivateKey() throws Exception {
        String[] parts = ann.proof(token).split("\\.");
        String header =
                Base64URL.encode(
                                "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":"
                                        + ann.key().toJSONString()
                                        + "}")
                        .toString();

        assertRefused(
                header + "." + parts[1] + "." + parts[2],
                "The proof of the key is not well-formed");
    }

    @Test
    void aJwtThatIsNoProof() throws Exception {
        JWTClaimsSet claims = ann.claims(token, same -> same);
        assertRefused(
                ann.signed(ann.header().type(JOSEObjectType.JWT), claims),
                "The proof of the key is of another kind");
        assertRefused(same -> same.jwtID(null), "The proof of the key has no identifier");
    }

    @Test
    void noProofOrTwo() throws Exception {
        String authorization = "DPoP " + token;
        assertRefused(
                server.post("/mcp", INITIALIZE, "Authorization", authorization),
                "The request must have one proof of the key");
        assertRefused(
                server.post(
                        "/mcp",
                        INITIALIZE,
                        "Authorization",
                        authorization,
                        "DPoP",
                        ann.proof(token),
                        "DPoP",
                        ann.proof(token)),
                "The request must have one proof of the key");
        assertRefused(
                ann.proof(token) + "," + ann.proof(token),
                "The proof of the key is not well-formed");
    }

    @Test
    void aBoundTokenAsBearer() throws Exception {
        HttpResponse<String> answer =
                server.post(
                        "/mcp",
                        INITIALIZE,
                        "Authorization",
                        "Bearer " + token,
                        "DPoP",
                        ann.proof(token));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(challenge(answer))
                .startsWith("Bearer error=\"invalid_token\"")
                .contains("is bound to a key, of which a proof is required");
    }

    @Test
    void aTokenThatIsBoundToNoKeyWithAProof() throws Exception {
        String unbound = issuer.token();
        HttpResponse<String> answer = send(server, unbound, ann.proof(unbound));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(challenge(answer))
                .contains(
                        ", DPoP error=\"invalid_token\", error_description=\"The access token is"
                                + " not bound to a key\"");
    }

    @Test
    void aTokenThatIsBoundInAWayThatIsNotVerified() throws Exception {
        for (Map<String, Object> binding :
                List.of(
                        Map.<String, Object>of("x5t#S256", "x"),
                        Map.<String, Object>of("jkt", ann.thumbprint(), "x5t#S256", "x"),
                        Map.<String, Object>of("jkt", 1),
                        Map.<String, Object>of())) {
            String bound = issuer.token(claims -> claims.claim("cnf", binding));

            assertThat(send(server, bound, ann.proof(bound)).statusCode()).isEqualTo(401);
            assertThat(server.initialize(bound).statusCode()).isEqualTo(401);
        }
        String bound = issuer.token(claims -> claims.claim("cnf", "x"));
        assertThat(server.initialize(bound).statusCode()).isEqualTo(401);
    }

    @Test
    void aFloodOfProofsDoesNotUseUpTheLimitOfOthers() throws Exception {
        Holder bob = new Holder(clock);
        String bobs = bob.token(issuer, "bob");
        try (GuardedServer small = new GuardedServer(trusting.maxProofs(4, 3))) {
            String evils = evil.token(issuer);
            String first = evil.proof(evils);
            assertThat(send(small, evils, first).statusCode()).isEqualTo(200);
            assertThat(send(small, evils, evil.proof(evils)).statusCode()).isEqualTo(200);
            assertThat(send(small, evils, evil.proof(evils)).statusCode()).isEqualTo(200);

            HttpResponse<String> flood = send(small, evils, evil.proof(evils));
            assertThat(flood.statusCode()).isEqualTo(429);
            assertThat(flood.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(send(small, evils, first).statusCode()).isEqualTo(401);
            assertThat(send(small, token, ann.proof(token)).statusCode()).isEqualTo(200);
            assertThat(send(small, bobs, bob.proof(bobs)).statusCode()).isEqualTo(200);

            HttpResponse<String> full = send(small, bobs, bob.proof(bobs));
            assertThat(full.statusCode()).isEqualTo(503);
            assertThat(full.headers().firstValue("Retry-After")).hasValue("5");

            clock.advance(ProofVerifier.repeatable(Duration.ofSeconds(60)).plusSeconds(1));
            assertThat(send(small, evils, first).statusCode()).isEqualTo(401);
            assertThat(send(small, evils, evil.proof(evils)).statusCode()).isEqualTo(200);
            assertThat(send(small, bobs, bob.proof(bobs)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aSubjectWithManyKeysLeavesRoomToOthers() throws Exception {
        Holder bob = new Holder(clock);
        String bobs = bob.token(issuer, "bob");
        try (GuardedServer small = new GuardedServer(trusting.maxProofs(8, 3))) {
            List<Integer> flood = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                Holder another = new Holder(clock);
                String evils = another.token(issuer, "evil");
                flood.add(send(small, evils, another.proof(evils)).statusCode());
            }

            assertThat(flood).startsWith(200, 200, 200, 200, 200, 200, 200, 200).endsWith(503, 503);
            assertThat(send(small, bobs, bob.proof(bobs)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void proofsThatAreRefusedTakeNoRoom() throws Exception {
        try (GuardedServer small = new GuardedServer(trusting.maxProofs(1, 1))) {
            for (int i = 0; i < 5; i++) {
                send(small, token, ann.proof(token, claims -> claims.claim("htm", "GET")));
                send(small, token, evil.proof(token));
            }

            assertThat(send(small, token, ann.proof(token)).statusCode()).isEqualTo(200);
        }
    }
}
