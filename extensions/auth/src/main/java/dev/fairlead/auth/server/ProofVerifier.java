package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.auth.server.TokenRefusal.Kind;
import dev.fairlead.auth.wire.CompactJwt;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/**
 * Verifies the proof that the sender of a request has the key that its token is bound to (RFC 9449,
 * 4.3 and 7.1). The verifier of Nimbus has no clock of its own, compares URLs as texts, and does
 * not bound its memory of proofs. Safe for use by several threads.
 */
final class ProofVerifier {
    /** The age up to which a proof is accepted, beside the difference of the clocks. */
    static final Duration LIFETIME = Duration.ofSeconds(60);

    /** The longest proof that is looked at, in characters. */
    static final int MAX_LENGTH = 8 * 1024;

    private static final JOSEObjectType TYPE = new JOSEObjectType("dpop+jwt");

    private final Signatures signatures = new Signatures();
    private final String origin;
    private final Clock clock;
    private final Duration skew;
    private final UsedProofs used;
    private final @Nullable ProofNonces nonces;

    /**
     * @param resource whose origin is the one of all URLs that clients use
     * @param nonces where proofs have to contain one
     */
    ProofVerifier(
            URI resource,
            Clock clock,
            Duration skew,
            UsedProofs used,
            @Nullable ProofNonces nonces) {
        this.origin = resource.getScheme() + "://" + resource.getRawAuthority();
        this.clock = clock;
        this.skew = skew;
        this.used = used;
        this.nonces = nonces;
    }

    /** Returns how long a proof can be repeated after its first use. */
    static Duration repeatable(Duration skew) {
        return LIFETIME.plus(skew).plus(skew); // it may come from the future
    }

    /**
     * Verifies the proof of a request.
     *
     * @param token that the request presents
     * @param key the thumbprint of the key that the token is bound to
     * @param subject of the token, whose share of the used proofs it takes
     */
    void verify(HttpExchange request, String token, String key, Object subject)
            throws TokenRefusal {
        try {
            SignedJWT proof = CompactJwt.parseProof(only(request));
            requireKey(proof, key);
            JWTClaimsSet claims = proof.getJWTClaimsSet();
            require(request.method().equals(claims.getStringClaim("htm")), "another method");
            require(isUrl(claims.getStringClaim("htu"), request), "another URL");
            require(Sha256.of(token).equals(claims.getStringClaim("ath")), "another token");
            requireTime(claims.getIssueTime());
            requireNonce(claims.getStringClaim("nonce"));
            use(key, subject, claims.getJWTID());
        } catch (ParseException | JOSEException e) {
            throw refusal("The proof of the key is not well-formed");
        }
    }

    private static String only(HttpExchange request) throws TokenRefusal {
        List<String> proofs = request.headers("DPoP");
        if (proofs.size() != 1 || proofs.get(0).length() > MAX_LENGTH) {
            throw refusal("The request must have one proof of the key");
        }
        return proofs.get(0).strip();
    }

    /** Compares the key first: a proof of another key costs no verification of a signature. */
    private void requireKey(SignedJWT proof, String key) throws TokenRefusal, JOSEException {
        JWSHeader header = proof.getHeader();
        JWK own = header.getJWK(); // never a private one, which is refused while reading
        if (!TYPE.equals(header.getType())
                || !Signatures.ALGORITHMS.contains(header.getAlgorithm())
                || own == null) {
            throw refusal("The proof of the key is of another kind");
        }
        require(own.computeThumbprint().toString().equals(key), "another key");
        if (!proof.verify(signatures.createJWSVerifier(header, Signatures.publicKey(own)))) {
            throw refusal("The proof of the key has no valid signature");
        }
    }

    private boolean isUrl(@Nullable String url, HttpExchange request) {
        Optional<String> asked = ComparableUrl.of(origin + request.prefix() + request.path());
        return url != null && asked.isPresent() && asked.equals(ComparableUrl.of(url));
    }

    private void requireTime(@Nullable Date issued) throws TokenRefusal {
        Instant now = clock.instant();
        if (issued == null
                || issued.toInstant().isAfter(now.plus(skew))
                || issued.toInstant().isBefore(now.minus(LIFETIME).minus(skew))) {
            throw refusal("The proof of the key is not of this time");
        }
    }

    private void requireNonce(@Nullable String nonce) throws TokenRefusal {
        if (nonces != null && (nonce == null || !nonces.isTaken(nonce))) {
            throw new TokenRefusal(Kind.USE_NONCE, "The proof of the key must have a fresh nonce");
        }
    }

    /** Called last, so that only valid proofs take room. */
    private void use(String key, Object subject, @Nullable String id) throws TokenRefusal {
        if (id == null || id.isEmpty()) {
            throw refusal("The proof of the key has no identifier");
        }
        switch (used.use(key, subject, id, clock.instant())) {
            case FIRST -> {}
            case REPEATED -> throw refusal("The proof of the key was used before");
            case KEY_FULL -> throw new TokenRefusal(Kind.TOO_MANY, "Too many proofs of this key");
            case FULL -> throw new TokenRefusal(Kind.BUSY, "Too many proofs of keys just now");
        }
    }

    private static void require(boolean isSo, String otherwise) throws TokenRefusal {
        if (!isSo) {
            throw refusal("The proof of the key is for " + otherwise);
        }
    }

    private static TokenRefusal refusal(String description) {
        return new TokenRefusal(Kind.INVALID_PROOF, description);
    }
}
