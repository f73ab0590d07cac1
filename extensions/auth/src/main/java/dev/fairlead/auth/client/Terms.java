package dev.fairlead.auth.client;

/**
 * The terms of a login to begin.
 *
 * @param resource as the server identifies itself, byte for byte
 * @param server the authorization server that is to issue the tokens
 * @param scopes to ask for; none to leave that to the issuer
 */
record Terms(String resource, AuthorizationServer server, Scopes scopes) {}
