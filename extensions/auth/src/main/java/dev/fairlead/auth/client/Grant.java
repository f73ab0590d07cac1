package dev.fairlead.auth.client;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** A way to obtain tokens. */
interface Grant {
    /** The client that the application named, if it did. */
    @Nullable Client client();

    /**
     * Returns whether it sends a secret, a signature or an assertion of the application, which must
     * reach no issuer that the application has not named.
     */
    default boolean sendsCredentials() {
        Client client = client();
        return client != null && client.hasCredentials();
    }

    /**
     * Called before anything is done to obtain tokens.
     *
     * @param scopes that they have to have; none to ask the server
     * @throws dev.fairlead.http.client.AuthorizationException if there is no way to get them
     */
    default void check(URI server, Scopes scopes) {}

    /**
     * Obtains tokens; may wait for a person.
     *
     * @throws dev.fairlead.http.client.AuthorizationException if there are none
     */
    Login obtain(Terms terms, TokenEndpoint tokens, @Nullable Dpop dpop)
            throws IOException, InterruptedException;

    /** The authorization server no longer knows this client. */
    default void forget(Client client) {}

    /** Returns the parameters that every token request has. */
    static Map<String, String> form(String type, Terms terms) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", type);
        form.put("resource", terms.resource());
        if (!terms.scopes().isEmpty()) {
            form.put("scope", terms.scopes().toString());
        }
        return form;
    }

    /** Keeps of the server no more than its token endpoint, which is all that a refresh needs. */
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
