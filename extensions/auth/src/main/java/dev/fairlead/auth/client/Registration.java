package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;

import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** Registers a client at an authorization server (RFC 7591). */
final class Registration {
    /** The longest id that an issuer may give to a client, in characters. */
    static final int LONGEST_ID = 2_000;

    private final Fetch fetch;
    private final String clientName;

    Registration(Fetch fetch, String clientName) {
        this.fetch = fetch;
        this.clientName = clientName;
    }

    /**
     * Registers a native application, for this redirect alone.
     *
     * @throws AuthorizationException if the server refuses
     */
    Client register(AuthorizationServer server, URI endpoint, URI redirect, Scopes scopes)
            throws IOException {
        String method = AuthMethods.forRegistration(server);
        JsonObject metadata =
                JsonObject.of(
                        "client_name",
                        clientName,
                        "application_type",
                        "native",
                        "redirect_uris",
                        JsonArray.of(redirect.toString()),
                        "grant_types",
                        JsonArray.of("authorization_code", "refresh_token"),
                        "response_types",
                        JsonArray.of("code"),
                        "token_endpoint_auth_method",
                        method);
        if (!scopes.isEmpty()) {
            metadata = metadata.with("scope", scopes.toString());
        }
        Fetched answer = fetch.post(endpoint, Map.of(), "application/json", metadata.toString());
        Document registered =
                Document.of(answer)
                        .filter(document -> answer.isSuccess())
                        .orElseThrow(() -> refused(answer));
        return client(registered);
    }

    /**
     * Reads the client. Members that the answer leaves out have their default (RFC 7591, 2): a
     * secret is sent by a method of the server's metadata, or else by Basic.
     */
    private static Client client(Document registered) {
        String id =
                registered
                        .string("client_id")
                        .filter(given -> PlainText.isPrintable(given, LONGEST_ID))
                        .orElseThrow(
                                () ->
                                        new AuthorizationException(
                                                "the registration of the client has no id of at"
                                                        + " most "
                                                        + LONGEST_ID
                                                        + " printable ASCII characters"));
        String method = registered.string("token_endpoint_auth_method").orElse(null);
        return registered
                .string("client_secret")
                .filter(secret -> !secret.isEmpty() && !AuthMethods.NONE.equals(method))
                .<Client>map(secret -> new Client.Confidential(id, () -> secret, method))
                .orElseGet(() -> new Client.Public(id));
    }

    private static AuthorizationException refused(Fetched answer) {
        return new AuthorizationException(
                answer.isUnreadable()
                        ? "the answer to the registration of the client cannot be read: it is "
                                + answer
                        : "the authorization server does not register the client: "
                                + OAuthError.of(answer).description());
    }
}
