package dev.fairlead.auth.proxy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.fetch.PublishedKeys;
import dev.fairlead.auth.wire.CompactJwt;

import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Verifies the ID tokens of an upstream. The keys are fetched for each, so that there is nothing to
 * keep and none that was withdrawn is used: logins are few.
 */
final class IdTokens {
    /** The algorithms that sign with a private key. */
    private static final Set<JWSAlgorithm> ALGORITHMS = new HashSet<>(JWSAlgorithm.Family.RSA);

    static {
        ALGORITHMS.addAll(JWSAlgorithm.Family.EC);
    }

    private final String clientId;
    private final Fetch fetch;

    IdTokens(String clientId, Fetch fetch) {
        this.clientId = clientId;
        this.fetch = fetch;
    }

    /**
     * Returns the subject of the user who has logged in.
     *
     * @throws IOException if the token is not valid, or that cannot be found out
     */
    String subject(String issuer, URI keys, String idToken, String nonce) throws IOException {
        Fetched answer = fetch.get(keys);
        if (answer.status() != 200) {
            throw new IOException("there are no keys of " + issuer + ": " + answer);
        }
        try {
            var selector =
                    new JWSVerificationKeySelector<SecurityContext>(
                            ALGORITHMS,
                            new ImmutableJWKSet<>(new PublishedKeys(issuer).read(answer.text())));
            return new IDTokenValidator(new Issuer(issuer), new ClientID(clientId), selector, null)
                    .validate(checked(idToken), new Nonce(nonce))
                    .getSubject()
                    .getValue();
        } catch (ParseException | BadJOSEException | JOSEException e) {
            throw new IOException("the ID token of " + issuer + " is not valid", e);
        }
    }

    /** Refuses a subject that is not a text. */
    private static SignedJWT checked(String idToken) throws ParseException {
        SignedJWT token = CompactJwt.parse(idToken);
        Map<String, Object> claims = token.getPayload().toJSONObject();
        if (claims == null || !(claims.get("sub") instanceof String subject) || subject.isBlank()) {
            throw new ParseException("no subject", 0);
        }
        return token;
    }
}
