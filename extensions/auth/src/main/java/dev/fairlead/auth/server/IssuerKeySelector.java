package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;

import org.jspecify.annotations.Nullable;

import java.security.Key;
import java.util.ArrayList;
import java.util.List;

/** Finds the keys with which an issuer may have signed; Nimbus leaves those for Ed25519 out. */
final class IssuerKeySelector extends JWSVerificationKeySelector<SecurityContext> {
    private final JWKSource<SecurityContext> keys;

    IssuerKeySelector(JWKSource<SecurityContext> keys) {
        super(Signatures.ALGORITHMS, keys);
        this.keys = keys;
    }

    @Override
    public List<Key> selectJWSKeys(JWSHeader header, @Nullable SecurityContext context)
            throws KeySourceException {
        if (!Ed25519Verifier.ALGORITHMS.contains(header.getAlgorithm())) {
            return super.selectJWSKeys(header, context);
        }
        List<Key> found = new ArrayList<>();
        for (JWK key : keys.get(new JWKSelector(createJWKMatcher(header)), context)) {
            try {
                found.add(Signatures.publicKey(key));
            } catch (JOSEException e) {
                continue; // of another curve
            }
        }
        return found;
    }
}
