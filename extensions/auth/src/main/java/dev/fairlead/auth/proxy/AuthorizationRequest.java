package dev.fairlead.auth.proxy;

import java.util.Set;

/**
 * The request of a client, after it was checked.
 *
 * @param challenge of its code verifier, by S256
 * @param scopes that it would get
 */
record AuthorizationRequest(
        RegisteredClient client, ClientRedirect redirect, String challenge, Set<String> scopes) {
    AuthorizationRequest {
        scopes = Set.copyOf(scopes);
    }
}
