package dev.fairlead.auth.client;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** A way to get tokens. */
interface Grant {
    /** The client that the application named, if it did. */
    @Nullable Client client();

    /**
     * Whether it sends a secret, a signature or a statement that the application gave, which must
     * reach no issuer but one that the application named.
     */
    default boolean sendsCredentials() {
        Client client = client();
        return client != null && client.hasCredentials();
    }

    /**
     * Told before anything is done to get tokens.
     *
     * @param scopes that they have to have; none to ask the server
     * @throws dev.fairlead.http.client.AuthorizationException if there is no way to get them
     */
    default void check(URI server, Scopes scopes) {}

    /**
     * Gets tokens; may wait for a person.
     *
     * @throws dev.fairlead.http.client.AuthorizationException if there are none
     */
    Login obtain(Terms terms, TokenEndpoint tokens, @Nullable Dpop dpop)
            throws IOException, InterruptedException;

    /** The authorization server no longer knows this client. */
    default void forget(Client client) {}

    /** What every request for tokens says of the terms. */
    static Map<String, String> form(String type, Terms terms) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", type);
        form.put("resource", terms.resource());
        if (!terms.scopes().isEmpty()) {
            form.put("scope", terms.scopes().toString());
        }
        return form;
    }

    /** Who renews it knows of the server no more than its token endpoint. */
    static Login login(Terms terms, Client client, Login.Tokens tokens, @Nullable Dpop dpop) {
        return new Login(
                terms.server().issuer(),
                terms.server().tokenEndpoint(),
                terms.resource(),
                client.by(AuthMethods.forSecret(terms.server())),
                terms.scopes(),
                tokens,
                dpop);
    }
}
