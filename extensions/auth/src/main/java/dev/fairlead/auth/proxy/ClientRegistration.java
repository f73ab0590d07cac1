package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.Origin;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Registers clients (RFC 7591): public ones, for the authorization code flow only, also if they
 * request more. The answer contains the registered values.
 */
final class ClientRegistration implements ClientEndpoint.Service {
    static final int MAX_REDIRECTS = 10;

    /** All redirect URIs of a client together, in characters. */
    static final int LONGEST_REDIRECTS = 4_000;

    static final int LONGEST_NAME = 100;

    private final Clients clients;
    private final Clock clock;

    ClientRegistration(Clients clients, Clock clock) {
        this.clients = clients;
        this.clock = clock;
    }

    @Override
    public JsonObject answer(String body, Origin from) throws OAuthFailure {
        JsonObject asked = parse(body);
        RegisteredClient client =
                new RegisteredClient(OpaqueToken.random(), name(asked), redirectUris(asked));
        clients.register(client, from);
        return JsonObject.of(
                "client_id", client.id(),
                "client_id_issued_at", clock.instant().getEpochSecond(),
                "client_name", client.name(),
                "redirect_uris",
                        new JsonArray(client.redirectUris().stream().map(JsonValue::of).toList()),
                "grant_types", JsonArray.of("authorization_code", "refresh_token"),
                "response_types", JsonArray.of("code"),
                "token_endpoint_auth_method", "none");
    }

    private static JsonObject parse(String body) throws OAuthFailure {
        try {
            if (JsonValue.parse(body) instanceof JsonObject object) {
                return object;
            }
        } catch (JsonException e) {
            // said below
        }
        throw invalid("invalid_client_metadata", "The body must be a JSON object");
    }

    private static OAuthFailure invalid(String code, String description) {
        return new OAuthFailure(400, code, description);
    }

    /**
     * Returns the name of a client without characters that would make it look like something else.
     */
    private static String name(JsonObject asked) throws OAuthFailure {
        JsonValue given = asked.get("client_name");
        if (given == null || given instanceof JsonNull) {
            return "";
        }
        if (!(given instanceof JsonString text)) {
            throw invalid("invalid_client_metadata", "client_name must be a string");
        }
        String name = text.value().replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ").strip();
        if (name.length() > LONGEST_NAME) {
            throw invalid(
                    "invalid_client_metadata",
                    "client_name may have " + LONGEST_NAME + " characters");
        }
        return name;
    }

    private static List<String> redirectUris(JsonObject asked) throws OAuthFailure {
        if (!(asked.get("redirect_uris") instanceof JsonArray given)
                || given.size() == 0
                || given.size() > MAX_REDIRECTS) {
            throw invalid(
                    "invalid_redirect_uri",
                    "redirect_uris must be 1 to " + MAX_REDIRECTS + " URIs");
        }
        List<String> uris = new ArrayList<>();
        for (JsonValue uri : given) {
            if (!(uri instanceof JsonString text) || !RedirectUris.isRegistrable(text.value())) {
                throw invalid(
                        "invalid_redirect_uri",
                        "A redirect URI must be https, or http on the own machine, without a"
                                + " fragment");
            }
            uris.add(text.value());
        }
        if (uris.stream().mapToInt(String::length).sum() > LONGEST_REDIRECTS) {
            throw invalid(
                    "invalid_redirect_uri",
                    "redirect_uris may have " + LONGEST_REDIRECTS + " characters in all");
        }
        return uris;
    }
}
