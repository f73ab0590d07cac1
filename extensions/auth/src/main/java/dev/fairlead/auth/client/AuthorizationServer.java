package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;

/**
 * The metadata of an authorization server (RFC 8414, OpenID Connect Discovery).
 *
 * @param issuer as its metadata names it: compared byte by byte with {@code iss}, never normalized
 * @param authMethods how clients may authenticate at the token endpoint; empty if absent
 * @param isPkceKnown whether its metadata lists the PKCE method {@code S256}
 * @param sendsIssuer whether every redirect has {@code iss} (RFC 9207)
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
     * Reads the metadata of this issuer, which may name it with another slash at its end: see
     * {@link Urls#isIssuer}.
     *
     * @throws AuthorizationException if it is that of another issuer, or names no token endpoint
     */
    static AuthorizationServer read(Document document, String issuer) {
        String named = document.string("issuer").orElse("none");
        if (!Urls.isIssuer(issuer, named)) {
            throw new AuthorizationException(
                    "the metadata of the authorization server is that of another issuer: it names "
                            + PlainText.of(named)
                            + ", not "
                            + issuer);
        }
        return new AuthorizationServer(
                named,
                document.url("authorization_endpoint").orElse(null),
                document.url("token_endpoint")
                        .orElseThrow(
                                () ->
                                        new AuthorizationException(
                                                "the authorization server names no URL as its"
                                                        + " token endpoint")),
                document.url("registration_endpoint").orElse(null),
                document.url("revocation_endpoint").orElse(null),
                Scopes.offered(document.strings("scopes_supported")),
                document.strings("token_endpoint_auth_methods_supported"),
                document.strings("code_challenge_methods_supported").contains("S256"),
                document.isTrue("client_id_metadata_document_supported"),
                document.isTrue("authorization_response_iss_parameter_supported"));
    }

    /** Returns a server of which only the token endpoint is known. */
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

    /** Returns a server without metadata, with the default endpoints of revision 2025-03-26. */
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
