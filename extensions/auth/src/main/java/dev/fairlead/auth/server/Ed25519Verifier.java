package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Set;

/**
 * Verifies signatures by Ed25519 (RFC 8037), with the JDK; the verifier of Nimbus takes another
 * library.
 */
final class Ed25519Verifier extends BaseJWSProvider implements JWSVerifier {
    /** The algorithm under both names: RFC 8037 and RFC 9864. */
    static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519);

    private static final String NAME = "Ed25519";

    /** The prefix of the 32 bytes of a key in its encoded form (RFC 8410, 4). */
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int LENGTH = 32;

    private final EdECPublicKey key;

    Ed25519Verifier(EdECPublicKey key) {
        super(ALGORITHMS);
        this.key = key;
    }

    static PublicKey publicKey(OctetKeyPair key) throws JOSEException {
        byte[] point = key.getDecodedX();
        if (!Curve.Ed25519.equals(key.getCurve()) || point.length != LENGTH) {
            throw new JOSEException("no key for Ed25519");
        }
        byte[] encoded = new byte[PREFIX.length + LENGTH];
        System.arraycopy(PREFIX, 0, encoded, 0, PREFIX.length);
        System.arraycopy(point, 0, encoded, PREFIX.length, LENGTH);
        try {
            return KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new JOSEException("no key for Ed25519", e);
        }
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signed, Base64URL signature)
            throws JOSEException {
        if (!ALGORITHMS.contains(header.getAlgorithm()) || header.getCriticalParams() != null) {
            return false;
        }
        try {
            Signature verifying = Signature.getInstance(NAME);
            verifying.initVerify(key);
            verifying.update(signed);
            return verifying.verify(signature.decode());
        } catch (SignatureException e) {
            return false; // it is not of the form of one
        } catch (GeneralSecurityException e) {
            throw new JOSEException("Ed25519 is not available", e);
        }
    }
}
