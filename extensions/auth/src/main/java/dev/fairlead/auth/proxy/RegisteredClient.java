package dev.fairlead.auth.proxy;

import java.util.List;

/**
 * A client that has registered itself. It has no secret.
 *
 * @param name that it has chosen; not verified
 */
record RegisteredClient(String id, String name, List<String> redirectUris) {
    RegisteredClient {
        redirectUris = List.copyOf(redirectUris);
    }

    boolean mayComeBackTo(String redirectUri) {
        return redirectUris.stream().anyMatch(own -> RedirectUris.matches(own, redirectUri));
    }
}
