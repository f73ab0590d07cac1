package dev.fairlead.auth.client;

import java.util.List;

/**
 * What a server says of its authorization (RFC 9728).
 *
 * @param resource its identifier, byte for byte as it was given
 * @param issuers who issues tokens for it, at least one
 * @param scopes all that there are; none where it does not say
 */
record ProtectedResource(String resource, List<String> issuers, Scopes scopes) {}
