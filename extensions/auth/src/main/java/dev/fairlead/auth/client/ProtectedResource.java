package dev.fairlead.auth.client;

import java.util.List;

/**
 * The metadata of a protected resource (RFC 9728).
 *
 * @param resource its identifier, byte for byte as it was given
 * @param issuers the issuers of tokens for it; none if it names none
 * @param scopes all that exist; none if absent
 */
record ProtectedResource(String resource, List<String> issuers, Scopes scopes) {}
