package dev.fairlead.auth.proxy;

import dev.fairlead.auth.Loopback;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;

/**
 * The endpoints and the metadata of the upstream.
 *
 * @param issuer null where it is not known
 * @param keys that it signs ID tokens with; null where it is not known
 * @param takesBasic whether the secret is sent in a header, and not in the form
 * @param sendsIssuer whether it says that {@code iss} comes with every redirect (RFC 9207)
 */
record UpstreamServer(
        @Nullable String issuer,
        URI authorizationEndpoint,
        URI tokenEndpoint,
        @Nullable URI keys,
        boolean takesBasic,
        boolean sendsIssuer) {

    static UpstreamServer at(URI authorizationEndpoint, URI tokenEndpoint) {
        return new UpstreamServer(null, authorizationEndpoint, tokenEndpoint, null, false, false);
    }

    UpstreamServer by(String knownIssuer) {
        return new UpstreamServer(
                knownIssuer, authorizationEndpoint, tokenEndpoint, keys, takesBasic, sendsIssuer);
    }

    /** Reads the metadata of this issuer. */
    static UpstreamServer read(JsonObject metadata, String issuer) throws IOException {
        return new UpstreamServer(
                issuer,
                url(metadata, "authorization_endpoint"),
                url(metadata, "token_endpoint"),
                url(metadata, "jwks_uri"),
                takesBasic(metadata),
                metadata.get("authorization_response_iss_parameter_supported")
                                instanceof JsonBoolean announced
                        && announced.value());
    }

    private static boolean takesBasic(JsonObject metadata) {
        return !(metadata.get("token_endpoint_auth_methods_supported") instanceof JsonArray methods)
                || !methods.elements().contains(JsonValue.of("client_secret_post"));
    }

    private static URI url(JsonObject metadata, String name) throws IOException {
        try {
            if (metadata.get(name) instanceof JsonString text && isSafe(URI.create(text.value()))) {
                return URI.create(text.value());
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new IOException("the metadata of the upstream has no https URL as " + name);
    }

    /** Returns whether people and secrets may be sent there. */
    static boolean isSafe(URI url) {
        return url.getHost() != null
                && url.getRawFragment() == null
                && ("https".equals(url.getScheme())
                        || ("http".equals(url.getScheme()) && Loopback.isNamedBy(url)));
    }

    /**
     * Refuses a redirect that is not from this upstream (RFC 9207), before anything in it is
     * trusted.
     */
    void requireIssuer(Form form) throws OAuthFailure {
        String given = form.get("iss");
        boolean isWrong = given.isEmpty() ? sendsIssuer : issuer != null && !issuer.equals(given);
        if (isWrong) {
            throw new OAuthFailure(
                    502, "server_error", "The answer is not from the upstream that was asked");
        }
    }
}
