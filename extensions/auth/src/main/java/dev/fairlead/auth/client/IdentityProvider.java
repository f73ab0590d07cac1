package dev.fairlead.auth.client;

import dev.fairlead.auth.Secret;

import java.net.URI;
import java.util.Objects;

/** The identity provider of an enterprise, and the client that is registered there. */
public final class IdentityProvider {
    private final URI tokenEndpoint;
    private final Client client;

    private IdentityProvider(URI tokenEndpoint, Client client) {
        this.tokenEndpoint = Objects.requireNonNull(tokenEndpoint, "tokenEndpoint");
        this.client = client;
    }

    /** One that knows the client by its id alone. */
    public static IdentityProvider at(URI tokenEndpoint, String clientId) {
        return new IdentityProvider(
                tokenEndpoint, new Client.Public(Objects.requireNonNull(clientId, "clientId")));
    }

    /** One that knows the client by a secret, sent with HTTP Basic. */
    public static IdentityProvider at(URI tokenEndpoint, String clientId, Secret secret) {
        return new IdentityProvider(
                tokenEndpoint,
                new Client.Confidential(
                        Objects.requireNonNull(clientId, "clientId"),
                        Objects.requireNonNull(secret, "secret")::value,
                        null));
    }

    URI tokenEndpoint() {
        return tokenEndpoint;
    }

    Client client() {
        return client;
    }
}
