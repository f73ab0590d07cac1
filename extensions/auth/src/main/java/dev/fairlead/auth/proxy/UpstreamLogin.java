package dev.fairlead.auth.proxy;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.proxy.Forwarding.Pending;
import dev.fairlead.auth.wire.BasicCredentials;
import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The proxy as a client of the upstream. Safe for use by several threads. */
final class UpstreamLogin {
    private final UpstreamOptions options;
    private final Secret secret;
    private final String callback;
    private final Fetch fetch;
    private final UpstreamDiscovery discovery;

    /** Null where the ID token identifies the user. */
    private final @Nullable UpstreamUser user;

    private final IdTokens idTokens;

    /**
     * @throws IllegalStateException if the upstream lacks an option
     */
    UpstreamLogin(UpstreamOptions options, Places places, Clock clock) {
        Secret given = options.secret;
        if (given == null) {
            throw new IllegalStateException(
                    "the upstream has no client; set it with Upstream.client");
        }
        if (options.fixed != null && options.user == null) {
            throw new IllegalStateException(
                    "an upstream without OpenID does not report who has logged in; set"
                            + " Upstream.user");
        }
        this.options = options;
        secret = given;
        callback = places.url(Places.CALLBACK);
        fetch = options.fetch();
        discovery = new UpstreamDiscovery(options.issuer, fetch, clock);
        user = options.user == null ? null : options.user.apply(fetch);
        idTokens = new IdTokens(options.clientId, fetch);
    }

    /** The host that people log in at. */
    String host() {
        UpstreamServer fixed = options.fixed;
        return fixed == null
                ? URI.create(options.issuer).getHost()
                : fixed.authorizationEndpoint().getHost();
    }

    UpstreamServer server() throws IOException {
        UpstreamServer fixed = options.fixed;
        return fixed == null ? discovery.server() : fixed;
    }

    /** Returns the URL at which the browser logs in. */
    String url(Pending login, String state) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", options.clientId);
        query.put("redirect_uri", callback);
        query.put("state", state);
        query.put("code_challenge", Sha256.of(login.verifier()));
        query.put("code_challenge_method", "S256");
        if (!options.scopes.isEmpty()) {
            query.put("scope", String.join(" ", options.scopes));
        }
        if (user == null) {
            query.put("nonce", login.nonce());
        }
        return FormEncoding.appended(login.server().authorizationEndpoint().toString(), query);
    }

    /**
     * Returns the user who has logged in. The tokens of the upstream are used for that, and then
     * forgotten.
     *
     * @return empty if this user is not admitted
     * @throws IOException if it cannot be found out
     */
    Optional<String> subject(Pending login, String code) throws IOException, InterruptedException {
        JsonObject tokens = redeem(login, code);
        if (user != null) {
            return user.subject(text(tokens, "access_token"));
        }
        UpstreamServer server = login.server();
        String issuer = server.issuer();
        URI keys = server.keys();
        if (issuer == null || keys == null) {
            throw new IOException("the metadata of the upstream has no issuer or no jwks_uri");
        }
        return Optional.of(idTokens.subject(issuer, keys, text(tokens, "id_token"), login.nonce()));
    }

    private JsonObject redeem(Pending login, String code) throws IOException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", callback);
        form.put("code_verifier", login.verifier());
        Map<String, String> headers = new LinkedHashMap<>();
        if (login.server().takesBasic()) {
            headers.put("Authorization", BasicCredentials.header(options.clientId, secret.value()));
        } else {
            form.put("client_id", options.clientId);
            form.put("client_secret", secret.value());
        }
        Fetched answer = fetch.postForm(login.server().tokenEndpoint(), headers, form);
        if (answer.status() != 200) {
            throw new IOException("the upstream refused the token request: " + answer);
        }
        return answer.json();
    }

    private static String text(JsonObject tokens, String name) throws IOException {
        if (tokens.get(name) instanceof JsonString text) {
            return text.value();
        }
        throw new IOException("the token response of the upstream has no " + name);
    }
}
