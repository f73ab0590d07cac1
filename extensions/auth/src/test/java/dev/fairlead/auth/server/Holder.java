package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.platform.Sha256;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Clock;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A client with a key, to which its tokens are bound, and its proofs of having it. */
final class Holder {
    private final ECKey key;
    private final Clock clock;

    Holder(Clock clock) {
        this.clock = clock;
        try {
            key = new ECKeyGenerator(Curve.P_256).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    ECKey key() {
        return key;
    }

    String thumbprint() {
        try {
            return key.computeThumbprint().toString();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A good token of the issuer, bound to the key. */
    String token(TestIssuer issuer) {
        return issuer.token(claims -> claims.claim("cnf", Map.of("jkt", thumbprint())));
    }

    /** The same for another subject. */
    String token(TestIssuer issuer, String subject) {
        return issuer.token(
                claims -> claims.subject(subject).claim("cnf", Map.of("jkt", thumbprint())));
    }

    JWSHeader.Builder header() {
        return new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(new JOSEObjectType("dpop+jwt"))
                .jwk(key.toPublicJWK());
    }

    /** The claims of a good proof for a POST to the resource, changed as the test wants. */
    JWTClaimsSet claims(String token, UnaryOperator<JWTClaimsSet.Builder> change) {
        return change.apply(
                        new JWTClaimsSet.Builder()
                                .jwtID(UUID.randomUUID().toString())
                                .claim("htm", "POST")
                                .claim("htu", TestIssuer.RESOURCE)
                                .claim("ath", Sha256.of(token))
                                .issueTime(Date.from(clock.instant())))
                .build();
    }

    String proof(String token, UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(header(), claims(token, change));
    }

    String proof(String token) {
        return proof(token, claims -> claims);
    }

    /** A proof whose header has this member, as no library would write it. */
    String signedWith(String member, String value, JWTClaimsSet claims) {
        try {
            String header =
                    ((JsonObject) JsonValue.parse(header().build().toString()))
                            .with(member, JsonValue.parse(value))
                            .toString();
            String input = Base64URL.encode(header) + "." + Base64URL.encode(claims.toString());
            Signature signing = Signature.getInstance("SHA256withECDSAinP1363Format");
            signing.initSign(key.toPrivateKey());
            signing.update(input.getBytes(StandardCharsets.US_ASCII));
            return input + "." + Base64URL.encode(signing.sign());
        } catch (GeneralSecurityException | JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String signed(JWSHeader.Builder header, JWTClaimsSet claims) {
        try {
            SignedJWT jwt = new SignedJWT(header.build(), claims);
            jwt.sign(new ECDSASigner(key));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Begins a session. */
    static HttpResponse<String> send(GuardedServer server, String token, String proof)
            throws Exception {
        return server.post(
                "/mcp", GuardedServer.INITIALIZE, "Authorization", "DPoP " + token, "DPoP", proof);
    }
}
