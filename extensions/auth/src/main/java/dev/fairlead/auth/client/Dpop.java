package dev.fairlead.auth.client;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.oauth2.sdk.dpop.DefaultDPoPProofFactory;
import com.nimbusds.oauth2.sdk.token.DPoPAccessToken;
import com.nimbusds.openid.connect.sdk.Nonce;

import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.text.ParseException;

/** The key that tokens are bound to, and the proofs of having it (RFC 9449). */
record Dpop(ECKey key) {
    static Dpop generate() {
        try {
            return new Dpop(new ECKeyGenerator(Curve.P_256).generate());
        } catch (JOSEException e) {
            throw new AuthorizationException("no key for DPoP can be made", e);
        }
    }

    /** Parses the text of {@link #toJson()}. */
    static Dpop parse(String json) throws ParseException {
        return new Dpop(ECKey.parse(json));
    }

    /** Returns the key as JSON, with its private part. */
    String toJson() {
        return key.toJSONString();
    }

    /**
     * A proof for one request.
     *
     * @param token that goes with the request, if one does
     * @param nonce that the server gave last, if it gave one
     */
    String proof(String method, URI url, @Nullable String token, @Nullable String nonce) {
        try {
            return new DefaultDPoPProofFactory(key, JWSAlgorithm.ES256)
                    .createDPoPJWT(
                            method,
                            bare(url),
                            token == null ? null : new DPoPAccessToken(token),
                            nonce == null ? null : new Nonce(nonce))
                    .serialize();
        } catch (JOSEException e) {
            throw new AuthorizationException("the key for DPoP cannot sign", e);
        }
    }

    private static URI bare(URI url) {
        String text = url.toString();
        int end = text.indexOf('?');
        return end < 0 ? url : URI.create(text.substring(0, end));
    }

    /** Returns a text without the key. */
    @Override
    public String toString() {
        return "a key for DPoP";
    }
}
