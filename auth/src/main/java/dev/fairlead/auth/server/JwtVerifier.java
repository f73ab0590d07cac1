package dev.fairlead.auth.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies the access tokens of one issuer that are JWTs (RFC 9068). Safe for use by several
 * threads.
 */
final class JwtVerifier implements TokenVerifier {
    /** What is signed with a private key; a secret that both sides know proves no issuer. */
    private static final Set<JWSAlgorithm> ALGORITHMS =
            Set.of(
                    JWSAlgorithm.RS256,
                    JWSAlgorithm.RS384,
                    JWSAlgorithm.RS512,
                    JWSAlgorithm.PS256,
                    JWSAlgorithm.PS384,
                    JWSAlgorithm.PS512,
                    JWSAlgorithm.ES256,
                    JWSAlgorithm.ES384,
                    JWSAlgorithm.ES512);

    /**
     * Only ID tokens have the first three, and some issuers give them the type of access tokens.
     * The last binds a token to a key of its client (RFC 7800), which has to be proved, not just
     * said.
     */
    private static final Set<String> FORBIDDEN = Set.of("nonce", "at_hash", "c_hash", "cnf");

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
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys.kept()));
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
            SignedJWT jwt = SignedJWT.parse(token);
            if (!issuer.equals(jwt.getJWTClaimsSet().getIssuer())) {
                return Optional.empty(); // no reason to ask for keys
            }
            return read(processor.process(jwt, null));
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

    private Optional<VerifiedToken> read(JWTClaimsSet claims) throws ParseException {
        String client = claims.getStringClaim("client_id");
        if (client == null) {
            client = claims.getStringClaim("azp");
        }
        String subject = claims.getSubject() == null ? client : claims.getSubject();
        if (subject == null) {
            return Optional.empty();
        }
        return Optional.of(
                new VerifiedToken(
                        issuer,
                        subject,
                        client,
                        scopes(claims),
                        new LinkedHashSet<>(claims.getAudience()),
                        claims.getExpirationTime().toInstant()));
    }

    /** By RFC 9068 a text with spaces; with some issuers a list, or named {@code scp}. */
    private static Set<String> scopes(JWTClaimsSet claims) {
        Object value = claims.getClaim("scope");
        return words(value == null ? claims.getClaim("scp") : value);
    }

    private static Set<String> words(@Nullable Object value) {
        List<String> words =
                switch (value) {
                    case null -> List.of();
                    case String text -> Arrays.asList(text.split(" "));
                    case Collection<?> several -> several.stream().map(String::valueOf).toList();
                    default -> List.of();
                };
        Set<String> scopes = new LinkedHashSet<>(words);
        scopes.remove("");
        return scopes;
    }
}
