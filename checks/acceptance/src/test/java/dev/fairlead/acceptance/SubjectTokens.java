package dev.fairlead.acceptance;

import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.auth.server.VerifiedToken;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Tokens that are the names of their subjects. */
public final class SubjectTokens {
    private static final String ISSUER = "https://issuer.example";
    private static final String RESOURCE = "https://server.example/mcp";

    private SubjectTokens() {}

    /** Returns an authorization that takes every such token. */
    public static ResourceServer authorization() {
        return ResourceServer.at(RESOURCE).tokenVerifier(ISSUER, SubjectTokens::verify);
    }

    private static Optional<VerifiedToken> verify(String token) {
        return Optional.of(
                new VerifiedToken(
                        ISSUER,
                        token,
                        null,
                        Set.of(),
                        Set.of(RESOURCE),
                        Instant.parse("2100-01-01T00:00:00Z"),
                        null));
    }
}
