package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.http.client.AuthorizationException;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.security.MessageDigest;
import java.text.ParseException;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Objects;

/** Tokens that are bound to a key, and proofs of having it (RFC 9449). */
@Timeout(60)
class DpopTest {
    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth.dpop();

    @BeforeEach
    void bind() {
        issuer.isDpop = true;
    }

    private static List<SignedJWT> parsed(List<String> proofs) {
        return proofs.stream().map(DpopTest::parsed).toList();
    }

    private static SignedJWT parsed(String proof) {
        try {
            return SignedJWT.parse(proof);
        } catch (ParseException e) {
            throw new AssertionError(e);
        }
    }

    private static String hash(String token) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes("US-ASCII"));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    @Test
    void everyRequestHasAProofOfItsOwnByOneKey() throws Exception {
        Date before = new Date();
        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(desk.call(oauth)).isEqualTo(200);
        Date after = new Date();

        SignedJWT forTokens = parsed(issuer.tokenProofs.getFirst());
        assertThat(forTokens.getJWTClaimsSet().getClaim("htm")).isEqualTo("POST");
        assertThat(forTokens.getJWTClaimsSet().getClaim("htu"))
                .isEqualTo(issuer.issuer() + "/token");
        assertThat(forTokens.getJWTClaimsSet().getClaim("ath")).isNull();
        List<SignedJWT> forCalls = parsed(issuer.callProofs);
        assertThat(forCalls).hasSize(2);
        for (SignedJWT proof : forCalls) {
            assertThat(proof.getHeader().getType()).hasToString("dpop+jwt");
            assertThat(proof.getJWTClaimsSet().getClaim("htu")).isEqualTo(issuer.mcp().toString());
            assertThat(proof.getJWTClaimsSet().getClaim("ath")).isEqualTo(hash("access-1"));
            assertThat(proof.getJWTClaimsSet().getIssueTime().toInstant())
                    .isBetween(before.toInstant().minusSeconds(1), after.toInstant());
            ECKey key = proof.getHeader().getJWK().toECKey();
            assertThat(key.isPrivate()).isFalse();
            assertThat(key.computeThumbprint())
                    .isEqualTo(forTokens.getHeader().getJWK().computeThumbprint());
            assertThat(proof.verify(new ECDSAVerifier(key))).isTrue();
        }
        assertThat(forCalls.get(0).getJWTClaimsSet().getJWTID())
                .isNotEqualTo(forCalls.get(1).getJWTClaimsSet().getJWTID());
    }

    @Test
    void noncesOfBothServersAreUsed() throws Exception {
        issuer.tokenNonce = "nonce-of-the-issuer";
        issuer.callNonce = "nonce-of-the-server";

        assertThat(desk.call(oauth)).isEqualTo(200);

        assertThat(parsed(issuer.tokenProofs))
                .extracting(DpopTest::nonce)
                .containsExactly("none", "nonce-of-the-issuer");
        // Both have one origin here, so that the first nonce that the server sees is the issuer's.
        assertThat(parsed(issuer.callProofs))
                .extracting(DpopTest::nonce)
                .containsExactly("nonce-of-the-issuer", "nonce-of-the-server");
        assertThat(issuer.authorizations).hasSize(1);
    }

    private static String nonce(SignedJWT proof) {
        try {
            return Objects.toString(proof.getJWTClaimsSet().getClaim("nonce"), "none");
        } catch (ParseException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aNonceThatIsReplacedIsTakenOnWithoutALogin() throws Exception {
        issuer.callNonce = "first";
        desk.call(oauth);
        issuer.callNonce = "second";

        assertThat(desk.call(oauth)).isEqualTo(200);
        assertThat(nonce(parsed(issuer.callProofs.getLast()))).isEqualTo("second");
        assertThat(issuer.tokenRequests).hasSize(1);
    }

    @Test
    void aServerThatIsNeverContentWithANonceIsGivenUp() throws Exception {
        issuer.callNonce = "first";
        desk.call(oauth);
        issuer.callNonce = "";
        int calls = issuer.callProofs.size();

        assertThat(desk.call(oauth)).isEqualTo(401);
        assertThat(issuer.callProofs.size() - calls).isLessThanOrEqualTo(3);
    }

    @Test
    void anIssuerThatIsNeverContentWithANonceIsGivenUp() {
        issuer.tokenNonce = "";

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage("the authorization server refused the token request: use_dpop_nonce");
        assertThat(issuer.tokenProofs).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aTokenThatIsNotBoundIsRefused() {
        issuer.tokens = answer -> answer.with("token_type", "Bearer");

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "the authorization server issued a token of another type than DPoP:"
                                + " Bearer");
    }

    @Test
    void aRefreshIsProvenByTheSameKeyAlsoInAnotherProcess() throws Exception {
        desk.call(oauth);
        issuer.valid.clear();

        assertThat(desk.call(OAuth.withTokenStore(desk.store))).isEqualTo(200);
        assertThat(parsed(issuer.tokenProofs))
                .extracting(proof -> proof.getHeader().getJWK().computeThumbprint())
                .hasSize(2)
                .allMatch(
                        parsed(issuer.tokenProofs.getFirst())
                                        .getHeader()
                                        .getJWK()
                                        .computeThumbprint()
                                ::equals);
    }
}
