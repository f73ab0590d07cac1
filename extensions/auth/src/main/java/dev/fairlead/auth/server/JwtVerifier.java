package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;

import dev.fairlead.auth.wire.CompactJwt;

import java.io.IOException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies the access tokens of one issuer that are JWTs (RFC 9068). Safe for use by several
 * threads.
 */
final class JwtVerifier implements TokenVerifier {
    /** Claims of ID tokens, which some issuers give the type of access tokens. */
    private static final Set<String> FORBIDDEN = Set.of("nonce", "at_hash", "c_hash");

    private final String issuer;
    private final IssuerKeys keys;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    JwtVerifier(String issuer, IssuerKeys keys, Duration skew, Clock clock) {
        this.issuer = issuer;
        this.keys = keys;
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(
                        new JOSEObjectType("at+jwt"),
                        new JOSEObjectType("application/at+jwt"),
                        JOSEObjectType.JWT,
                        null));
        processor.setJWSKeySelector(new IssuerKeySelector(keys.kept()));
        processor.setJWSVerifierFactory(new Signatures());
        processor.setJWTClaimsSetVerifier(new Claims(issuer, skew, clock));
    }

    /** Issuer and times by the clock of the server. */
    private static final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {
        private final Clock clock;

        Claims(String issuer, Duration skew, Clock clock) {
            super(
                    (Set<String>) null,
                    new JWTClaimsSet.Builder().issuer(issuer).build(),
                    Set.of("exp"),
                    FORBIDDEN);
            this.clock = clock;
            setMaxClockSkew(Math.toIntExact(skew.toSeconds()));
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }
    }

    @Override
    public Optional<VerifiedToken> verify(String token) throws IOException {
        try {
            SignedJWT jwt = CompactJwt.parse(token);
            if (!issuer.equals(jwt.getJWTClaimsSet().getIssuer())) {
                return Optional.empty(); // no reason to ask for keys
            }
            if (!TokenClaims.hasSubjectOrNone(jwt.getPayload().toJSONObject())) {
                return Optional.empty();
            }
            JWTClaimsSet claims = processor.process(jwt, null);
            return TokenClaims.read(issuer, claims, claims.getExpirationTime().toInstant());
        } catch (ParseException | BadJOSEException e) {
            return Optional.empty();
        } catch (RateLimitReachedException e) {
            if (keys.isLoaded()) {
                return Optional.empty(); // the key is unknown, and was asked for just now
            }
            throw new IOException("the keys of " + issuer + " are not there", e);
        } catch (JOSEException e) {
            throw new IOException("the keys of " + issuer + " are not there", e);
        }
    }
}
