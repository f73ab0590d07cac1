package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.PublicDocument;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.util.Set;

/** Serves the metadata of the authorization server (RFC 8414). */
final class ServerMetadata {
    private ServerMetadata() {}

    static Route route(Places places, Set<String> scopes) {
        return new PublicDocument(document(places, scopes)).at(Places.METADATA);
    }

    private static JsonObject document(Places places, Set<String> scopes) {
        JsonObject document =
                JsonObject.of(
                        "issuer", places.issuer(),
                        "authorization_endpoint", places.url(Places.AUTHORIZE),
                        "token_endpoint", places.url(Places.TOKEN),
                        "registration_endpoint", places.url(Places.REGISTER),
                        "revocation_endpoint", places.url(Places.REVOKE),
                        "response_types_supported", JsonArray.of("code"),
                        "response_modes_supported", JsonArray.of("query"),
                        "grant_types_supported",
                                JsonArray.of("authorization_code", "refresh_token"),
                        "token_endpoint_auth_methods_supported", JsonArray.of("none"),
                        "revocation_endpoint_auth_methods_supported", JsonArray.of("none"),
                        "code_challenge_methods_supported", JsonArray.of("S256"),
                        "authorization_response_iss_parameter_supported", true);
        return scopes.isEmpty()
                ? document
                : document.with(
                        "scopes_supported",
                        new JsonArray(scopes.stream().map(JsonValue::of).toList()));
    }
}
