package dev.fairlead.auth.client;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Describes a login, without its tokens.
 *
 * @param server the MCP endpoint
 * @param issuer the issuer of the tokens
 * @param clientId the client that they were issued to
 * @param scopes that were asked for, in that order; empty where that was left to the issuer, which
 *     may have granted fewer in any case
 * @param expires when the access token ends; null where the issuer does not state it
 * @param isRenewable whether there is a refresh token, with which the login continues after that
 */
public record StoredLogin(
        URI server,
        String issuer,
        String clientId,
        Set<String> scopes,
        @Nullable Instant expires,
        boolean isRenewable) {

    /** Keeps a copy of the scopes. */
    public StoredLogin {
        scopes = Collections.unmodifiableSet(new LinkedHashSet<>(scopes));
    }

    static StoredLogin of(URI server, Login login) {
        return new StoredLogin(
                server,
                login.issuer(),
                login.client().id(),
                login.scopes().names(),
                login.tokens().expires(),
                login.tokens().refresh() != null);
    }
}
