package dev.fairlead.auth.server;

import dev.fairlead.auth.Secret;
import dev.fairlead.protocol.platform.Sha256;

import java.net.URI;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A token that the operator has chosen, in the place of one that an issuer would make. */
final class StaticToken implements TokenVerifier {
    /** A chosen token does not end, but a verified one has an end. */
    private static final Duration LIFE = Duration.ofHours(1);

    /**
     * The terms of a chosen token.
     *
     * @param secret the token
     */
    record Terms(Secret secret, String subject, Set<String> scopes) {}

    private final String resource;
    private final Terms terms;
    private final byte[] digest;
    private final Clock clock;

    /**
     * @param resource which vouches for the subject, there being no issuer
     * @throws IllegalStateException if the secret is not there, or cannot be sent
     */
    StaticToken(URI resource, Terms terms, Clock clock) {
        String token = terms.secret.value();
        if (!PresentedToken.isToken(token)) {
            throw new IllegalStateException(
                    "a token has the characters A-Z a-z 0-9 - . _ ~ + / and = at its end, which "
                            + terms.secret
                            + " has not");
        }
        this.resource = resource.toString();
        this.terms = terms;
        this.clock = clock;
        digest = Sha256.bytes(token);
    }

    @Override
    public Optional<VerifiedToken> verify(String token) {
        return MessageDigest.isEqual(digest, Sha256.bytes(token))
                ? Optional.of(
                        new VerifiedToken(
                                resource,
                                terms.subject,
                                null,
                                terms.scopes,
                                Set.of(resource),
                                clock.instant().plus(LIFE)))
                : Optional.empty();
    }
}
