package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.auth.Secret;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Programs get tokens without a person. */
@Timeout(60)
class MachineTest {
    private static final String JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;

    private static String basic(String id, String secret) {
        return "Basic "
                + Base64.getEncoder()
                        .encodeToString((id + ":" + secret).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Requirement({"AUTH-050", "AUTH-036"})
    void aSecretIsShownInTheHeaderAndNothingIsOpened() throws Exception {
        OAuth machine =
                OAuth.clientCredentials("nightly", Secret.from(() -> "s3cret"))
                        .issuer(issuer.issuer());

        assertThat(desk.call(machine)).isEqualTo(200);
        assertThat(issuer.tokenRequests.getFirst())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("resource", issuer.mcp().toString())
                .doesNotContainKey("client_secret");
        assertThat(issuer.credentials).containsExactly(basic("nightly", "s3cret"));
        assertThat(issuer.authorizations).isEmpty();
    }

    @Test
    void aSecretIsShownInTheBodyWhereTheIssuerWantsThat() throws Exception {
        issuer.metadata =
                document ->
                        document.with(
                                "token_endpoint_auth_methods_supported",
                                List.of("client_secret_post"));

        desk.call(
                OAuth.clientCredentials("nightly", Secret.from(() -> "s3cret"))
                        .issuer(issuer.issuer()));

        assertThat(issuer.tokenRequests.getFirst())
                .containsEntry("client_id", "nightly")
                .containsEntry("client_secret", "s3cret");
        assertThat(issuer.credentials).containsExactly("null");
    }

    @Test
    void aKeySignsAStatementForTheIssuerAlone() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        OAuth machine =
                OAuth.clientCredentials("nightly", keys.getPrivate(), "ES256")
                        .issuer(issuer.issuer());

        Date before = new Date();
        desk.call(machine);
        issuer.valid.clear();
        issuer.tokens =
                answer ->
                        issuer.tokenRequests.getLast().containsKey("refresh_token")
                                ? JsonObject.of("error", "invalid_grant")
                                : answer;
        desk.call(machine);
        Date after = new Date();

        List<String> ids = new ArrayList<>();
        for (Map<String, String> asked : issuer.tokenRequests) {
            assertThat(asked)
                    .containsEntry(
                            "client_assertion_type",
                            "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
            SignedJWT statement = SignedJWT.parse(asked.get("client_assertion"));
            JWTClaimsSet claims = statement.getJWTClaimsSet();
            assertThat(statement.getHeader().getAlgorithm()).hasToString("ES256");
            assertThat(statement.verify(new ECDSAVerifier((ECPublicKey) keys.getPublic())))
                    .isTrue();
            assertThat(claims.getIssuer()).isEqualTo("nightly");
            assertThat(claims.getSubject()).isEqualTo("nightly");
            assertThat(claims.getAudience()).containsExactly(issuer.issuer());
            assertThat(claims.getExpirationTime().toInstant())
                    .isBetween(before.toInstant(), after.toInstant().plusSeconds(600));
            ids.add(claims.getJWTID());
        }
        assertThat(ids).hasSizeGreaterThan(1).doesNotHaveDuplicates();
    }

    @Test
    void theIdentityProviderOfAnEnterpriseVouchesForThePerson() throws Exception {
        OAuth managed =
                OAuth.enterpriseManaged(
                                "desk",
                                Secret.from(() -> "s3cret"),
                                IdentityProvider.at(
                                        URI.create(issuer.issuer() + "/provider"),
                                        "desk-at-provider"),
                                () -> "id-token")
                        .issuer(issuer.issuer());

        assertThat(desk.call(managed)).isEqualTo(200);
        assertThat(issuer.providerRequests)
                .singleElement()
                .satisfies(
                        asked ->
                                assertThat(asked)
                                        .containsEntry(
                                                "grant_type",
                                                "urn:ietf:params:oauth:grant-type:token-exchange")
                                        .containsEntry(
                                                "requested_token_type",
                                                "urn:ietf:params:oauth:token-type:id-jag")
                                        .containsEntry("audience", issuer.issuer())
                                        .containsEntry("resource", issuer.mcp().toString())
                                        .containsEntry("subject_token", "id-token")
                                        .containsEntry(
                                                "subject_token_type",
                                                "urn:ietf:params:oauth:token-type:id_token")
                                        .containsEntry("client_id", "desk-at-provider"));
        assertThat(issuer.tokenRequests)
                .singleElement()
                .satisfies(
                        asked ->
                                assertThat(asked)
                                        .containsEntry("grant_type", JWT_BEARER)
                                        .containsEntry("assertion", "statement")
                                        .doesNotContainValue("id-token"));
        assertThat(issuer.credentials).containsExactly(basic("desk", "s3cret"));
        assertThat(issuer.authorizations).isEmpty();
    }

    @Test
    void theWorkloadAssertionIsRequestedForEachToken() throws Exception {
        AtomicInteger stated = new AtomicInteger();
        OAuth workload =
                OAuth.workload("batch", () -> "jwt-" + stated.incrementAndGet())
                        .issuer(issuer.issuer());
        issuer.tokens = answer -> answer.without("refresh_token");

        assertThat(desk.call(workload)).isEqualTo(200);
        issuer.valid.clear();
        assertThat(desk.call(workload)).isEqualTo(200);

        assertThat(issuer.tokenRequests)
                .allMatch(asked -> asked.get("grant_type").equals(JWT_BEARER))
                .allMatch(asked -> asked.get("client_id").equals("batch"))
                .extracting(asked -> asked.get("assertion"))
                .containsExactly("jwt-1", "jwt-2");
    }

    @Test
    void optionsOfALoginAreNotForMachines() {
        OAuth machine = OAuth.clientCredentials("nightly", Secret.from(() -> "s3cret"));

        assertThatThrownBy(() -> machine.redirectPort(7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this option is for a login with a browser");
    }
}
