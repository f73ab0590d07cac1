package dev.fairlead.browser;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The keys of an issuer: the newest signs, and the one before is still published. */
final class RotatingKeys implements JWKSource<SecurityContext> {
    private final AtomicInteger made = new AtomicInteger();
    private volatile List<ECKey> keys = List.of(make());

    private ECKey make() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .keyID("key-" + made.incrementAndGet())
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The id of the key that signs. */
    String current() {
        return keys.getFirst().getKeyID();
    }

    /** Signs with a new key from now on, and forgets the one before the last. */
    void rotate() {
        keys = List.of(make(), keys.getFirst());
    }

    @Override
    public List<JWK> get(JWKSelector selector, SecurityContext context) {
        return selector.select(new JWKSet(List.copyOf(keys)));
    }
}
