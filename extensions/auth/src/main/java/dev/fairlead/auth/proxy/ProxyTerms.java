package dev.fairlead.auth.proxy;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The terms on which tokens are issued.
 *
 * @param server its title or name; empty where it is not known
 * @param scopes of a client that asks for none
 * @param furtherScopes that a client may ask for besides
 * @param tokenLifetime of an access token
 * @param loginLifetime of all tokens of a login together
 */
record ProxyTerms(
        Places places,
        String server,
        Set<String> scopes,
        Set<String> furtherScopes,
        Duration tokenLifetime,
        Duration loginLifetime) {

    Set<String> allScopes() {
        Set<String> all = new LinkedHashSet<>(scopes);
        all.addAll(furtherScopes);
        return all;
    }

    String resource() {
        return places.resource().toString();
    }

    /**
     * Refuses a request for another resource, by a single character (RFC 8707). There is one here,
     * so a request that names none means that.
     */
    void requireResource(Form form) throws OAuthFailure {
        String asked = form.get("resource");
        if (!asked.isEmpty() && !asked.equals(resource())) {
            throw new OAuthFailure(
                    400, "invalid_target", "There is no such resource here: see its metadata");
        }
    }
}
