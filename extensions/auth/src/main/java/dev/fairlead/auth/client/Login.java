package dev.fairlead.auth.client;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.text.ParseException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Tokens for a server, their issuer and the client that they were issued to. They are never used
 * with another.
 *
 * @param client as it is sent to the issuer
 * @param scopes that were asked for; the issuer may have granted fewer
 * @param dpop the key that the tokens are bound to; null if they are not
 */
record Login(
        String issuer,
        URI tokenEndpoint,
        String resource,
        Client client,
        Scopes scopes,
        Tokens tokens,
        @Nullable Dpop dpop) {

    /** The tokens of an issuer. */
    record Tokens(String access, @Nullable Instant expires, @Nullable String refresh) {
        /** The same with this refresh token, which the issuer has not replaced. */
        Tokens with(String kept) {
            return new Tokens(access, expires, kept);
        }

        /** Returns a text without the tokens. */
        @Override
        public String toString() {
            return "tokens";
        }
    }

    Login with(Tokens renewed) {
        return new Login(issuer, tokenEndpoint, resource, client, scopes, renewed, dpop);
    }

    boolean isSameToken(@Nullable Login other) {
        return other != null && tokens.access.equals(other.tokens.access);
    }

    /** Returns whether the token ends before so much time has passed. */
    boolean expiresWithin(Duration time, Instant now) {
        return tokens.expires != null && tokens.expires.isBefore(now.plus(time));
    }

    /** The server with the one endpoint that renews the tokens. */
    AuthorizationServer server() {
        return AuthorizationServer.withTokenEndpoint(issuer, tokenEndpoint);
    }

    /**
     * All of it, as a store keeps it.
     *
     * @param withSecret whether the secret of the client is in it
     */
    String toJson(boolean withSecret) {
        JsonObject json =
                JsonObject.of(
                        "issuer",
                        issuer,
                        "token_endpoint",
                        tokenEndpoint.toString(),
                        "resource",
                        resource,
                        "client_id",
                        client.id(),
                        "scope",
                        scopes.toString(),
                        "access_token",
                        tokens.access);
        if (client instanceof Client.Confidential confidential) {
            json = json.with("token_endpoint_auth_method", confidential.method());
            json = withSecret ? json.with("client_secret", confidential.secret().get()) : json;
        }
        if (tokens.expires != null) {
            json = json.with("expires_at", tokens.expires.getEpochSecond());
        }
        if (tokens.refresh != null) {
            json = json.with("refresh_token", tokens.refresh);
        }
        return (dpop == null ? json : json.with("dpop_key", dpop.toJson())).toString();
    }

    /**
     * Parses the text of {@link #toJson}; empty for other texts.
     *
     * @param named the client that the application named, if it did
     */
    static Optional<Login> parse(String text, @Nullable Client named) {
        try {
            return JsonValue.parse(text) instanceof JsonObject object
                    ? Optional.of(read(new Document(object), named))
                    : Optional.empty();
        } catch (JsonException | ParseException | DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Login read(Document json, @Nullable Client named) throws ParseException {
        Optional<String> key = json.string("dpop_key");
        return new Login(
                need(json, "issuer"),
                URI.create(need(json, "token_endpoint")),
                need(json, "resource"),
                client(json, named),
                Scopes.parse(need(json, "scope")),
                new Tokens(
                        need(json, "access_token"),
                        json.seconds("expires_at").map(Instant::ofEpochSecond).orElse(null),
                        json.string("refresh_token").orElse(null)),
                key.isPresent() ? Dpop.parse(key.get()) : null);
    }

    private static Client client(Document json, @Nullable Client named) {
        String id = need(json, "client_id");
        String method = json.string("token_endpoint_auth_method").orElse(null);
        if (named != null && named.id().equals(id)) {
            return named.by(method);
        }
        return json.string("client_secret")
                .<Client>map(secret -> new Client.Confidential(id, () -> secret, method))
                .orElseGet(() -> new Client.Public(id));
    }

    private static String need(Document json, String name) {
        return json.string(name)
                .orElseThrow(() -> new IllegalArgumentException("a login has no " + name));
    }

    /** Returns a text without tokens and secrets. */
    @Override
    public String toString() {
        return "a login at " + issuer + " for " + resource;
    }
}
