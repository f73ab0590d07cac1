package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;

import java.security.Key;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The accepted signatures of tokens and proofs: those with a private key, because a shared secret
 * identifies neither side. Adds Ed25519 to the algorithms of Nimbus.
 */
final class Signatures extends DefaultJWSVerifierFactory {
    static final Set<JWSAlgorithm> ALGORITHMS =
            Collections.unmodifiableSet(
                    new LinkedHashSet<>(
                            List.of(
                                    JWSAlgorithm.ES256,
                                    JWSAlgorithm.ES384,
                                    JWSAlgorithm.ES512,
                                    JWSAlgorithm.EdDSA,
                                    JWSAlgorithm.Ed25519,
                                    JWSAlgorithm.PS256,
                                    JWSAlgorithm.PS384,
                                    JWSAlgorithm.PS512,
                                    JWSAlgorithm.RS256,
                                    JWSAlgorithm.RS384,
                                    JWSAlgorithm.RS512)));

    @Override
    public JWSVerifier createJWSVerifier(JWSHeader header, Key key) throws JOSEException {
        return key instanceof EdECPublicKey edwards
                ? new Ed25519Verifier(edwards)
                : super.createJWSVerifier(header, key);
    }

    /**
     * The key as the JDK takes it.
     *
     * @throws JOSEException if it is none to verify signatures with
     */
    static PublicKey publicKey(JWK key) throws JOSEException {
        return switch (key) {
            case OctetKeyPair edwards -> Ed25519Verifier.publicKey(edwards);
            case AsymmetricJWK other -> other.toPublicKey();
            default -> throw new JOSEException("no public key");
        };
    }
}
