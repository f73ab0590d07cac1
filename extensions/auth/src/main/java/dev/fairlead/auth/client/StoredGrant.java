package dev.fairlead.auth.client;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/** Obtains no tokens: only those in the store are used. */
final class StoredGrant implements Grant {
    @Override
    public @Nullable Client client() {
        return null;
    }

    @Override
    public void check(URI server, Scopes scopes) {
        throw new LoginRequiredException(server, scopes.names());
    }

    @Override
    public Login obtain(Terms terms, TokenEndpoint tokens, @Nullable Dpop dpop) {
        throw new IllegalStateException("there is no way to log in here"); // check() comes before
    }
}
