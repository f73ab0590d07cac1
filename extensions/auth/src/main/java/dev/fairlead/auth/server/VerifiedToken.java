package dev.fairlead.auth.server;

import dev.fairlead.protocol.Caller;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/**
 * The claims of an access token that was verified.
 *
 * @param issuer the authorization server that knows the subject
 * @param subject on whose behalf the client acts, unique at the issuer; not blank
 * @param client the client that acts, where the token names it
 * @param audience for which resources it was issued
 * @param expiresAt the moment from which it is no longer valid
 * @param key the thumbprint (RFC 7638) of the key that it is bound to, of which requests must have
 *     a proof (RFC 9449); null if it is bound to none
 */
public record VerifiedToken(
        String issuer,
        String subject,
        @Nullable String client,
        Set<String> scopes,
        Set<String> audience,
        Instant expiresAt,
        @Nullable String key) {
    public VerifiedToken {
        Objects.requireNonNull(issuer, "issuer");
        if (subject.isBlank()) {
            throw new IllegalArgumentException("a token needs a subject that is not blank");
        }
        scopes = Set.copyOf(scopes);
        audience = Set.copyOf(audience);
        Objects.requireNonNull(expiresAt, "expiresAt");
    }

    /** Returns a token that is not bound to a key, so that its possession is enough to use it. */
    public VerifiedToken(
            String issuer,
            String subject,
            @Nullable String client,
            Set<String> scopes,
            Set<String> audience,
            Instant expiresAt) {
        this(issuer, subject, client, scopes, audience, expiresAt, null);
    }

    Caller caller() {
        return Caller.of(issuer, subject, client, scopes);
    }
}
