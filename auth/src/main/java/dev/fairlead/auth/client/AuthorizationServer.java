package dev.fairlead.auth.client;

import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;

/**
 * What an authorization server says of itself (RFC 8414, OpenID Connect Discovery).
 *
 * @param issuer compared byte by byte, never normalized
 * @param authMethods how clients may authenticate at the token endpoint; empty where it does not
 *     say
 * @param isPkceKnown whether it says that it takes {@code S256}
 * @param sendsIssuer whether it says that {@code iss} comes with every redirect (RFC 9207)
 */
record AuthorizationServer(
        String issuer,
        @Nullable URI authorizationEndpoint,
        URI tokenEndpoint,
        @Nullable URI registrationEndpoint,
        @Nullable URI revocationEndpoint,
        Scopes scopes,
        List<String> authMethods,
        boolean isPkceKnown,
        boolean takesClientMetadata,
        boolean sendsIssuer) {

    /**
     * Reads metadata that was looked up for this issuer.
     *
     * @throws AuthorizationException if it is the metadata of another, or of no use
     */
    static AuthorizationServer read(Document document, String issuer) {
        if (!document.string("issuer").filter(issuer::equals).isPresent()) {
            throw new AuthorizationException(
                    "the metadata of the authorization server is that of another issuer");
        }
        return new AuthorizationServer(
                issuer,
                document.url("authorization_endpoint").orElse(null),
                document.url("token_endpoint")
                        .orElseThrow(
                                () ->
                                        new AuthorizationException(
                                                "the authorization server names no token"
                                                        + " endpoint")),
                document.url("registration_endpoint").orElse(null),
                document.url("revocation_endpoint").orElse(null),
                Scopes.offered(document.strings("scopes_supported")),
                document.strings("token_endpoint_auth_methods_supported"),
                document.strings("code_challenge_methods_supported").contains("S256"),
                document.isTrue("client_id_metadata_document_supported"),
                document.isTrue("authorization_response_iss_parameter_supported"));
    }

    /** One of which no more is needed than where it gives tokens. */
    static AuthorizationServer withTokenEndpoint(String issuer, URI tokenEndpoint) {
        return new AuthorizationServer(
                issuer,
                null,
                tokenEndpoint,
                null,
                null,
                Scopes.NONE,
                List.of(),
                false,
                false,
                false);
    }

    /** One without metadata, with the places of revision 2025-03-26. */
    static AuthorizationServer atDefaultPlaces(String origin) {
        return new AuthorizationServer(
                origin,
                URI.create(origin + "/authorize"),
                URI.create(origin + "/token"),
                URI.create(origin + "/register"),
                null,
                Scopes.NONE,
                List.of(),
                true,
                false,
                false);
    }
}
