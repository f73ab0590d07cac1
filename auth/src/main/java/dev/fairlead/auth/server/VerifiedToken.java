package dev.fairlead.auth.server;

import dev.fairlead.protocol.Caller;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/**
 * What an access token says, after somebody has vouched for it.
 *
 * @param issuer the authorization server that knows the subject
 * @param subject who is acted for, unique at the issuer
 * @param client the client that acts, where the token says
 * @param audience for which resources it was issued
 * @param expiresAt the moment from which it is no longer valid
 */
public record VerifiedToken(
        String issuer,
        String subject,
        @Nullable String client,
        Set<String> scopes,
        Set<String> audience,
        Instant expiresAt) {
    public VerifiedToken {
        Objects.requireNonNull(issuer, "issuer");
        Objects.requireNonNull(subject, "subject");
        scopes = Set.copyOf(scopes);
        audience = Set.copyOf(audience);
        Objects.requireNonNull(expiresAt, "expiresAt");
    }

    Caller caller() {
        return Caller.of(issuer, subject, client, scopes);
    }
}
