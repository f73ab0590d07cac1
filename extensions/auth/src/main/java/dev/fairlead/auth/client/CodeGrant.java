package dev.fairlead.auth.client;

import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A person logs in with a browser: the authorization code flow of OAuth 2.1, with PKCE. Used by one
 * thread at a time.
 */
final class CodeGrant implements Grant {
    private final OAuthOptions options;
    private final Registration registration;

    /**
     * The client of the last registration, with the issuer and the port that it is registered for.
     */
    private volatile @Nullable Registered registered;

    private record Registered(String issuer, int port, Client client) {}

    CodeGrant(OAuthOptions options, Fetch fetch) {
        this.options = options;
        this.registration = new Registration(fetch, options.clientName);
    }

    @Override
    public @Nullable Client client() {
        return options.client;
    }

    @Override
    public Login obtain(Terms asked, TokenEndpoint tokens, @Nullable Dpop dpop)
            throws IOException, InterruptedException {
        AuthorizationServer server = asked.server();
        URI endpoint = checked(server);
        Terms terms = new Terms(asked.resource(), server, withOfflineAccess(asked));
        State state = new State();
        CodeVerifier verifier = new CodeVerifier();
        try (LoopbackRedirect redirect = listen(server, state)) {
            Client client = client(terms, redirect);
            options.browser.accept(url(endpoint, terms, client, redirect, state, verifier));
            String code = code(redirect.await(options.loginTimeout), server);
            Map<String, String> form = Grant.form("authorization_code", terms);
            form.remove("scope"); // the code stands for the granted scopes
            form.put("code", code);
            form.put("redirect_uri", redirect.uri().toString());
            form.put("code_verifier", verifier.getValue());
            return Grant.login(terms, client, tokens.tokens(server, client, form, dpop), dpop);
        }
    }

    @Override
    public void forget(Client client) {
        Registered last = registered;
        if (last != null && last.client.id().equals(client.id())) {
            registered = null;
        }
    }

    /** Returns the URL where the person logs in. */
    private static URI checked(AuthorizationServer server) {
        if (!server.isPkceKnown()) {
            throw new AuthorizationException(
                    "the metadata of the authorization server does not list PKCE with S256");
        }
        URI endpoint = server.authorizationEndpoint();
        if (endpoint == null || !Urls.isSafe(endpoint) || endpoint.getRawFragment() != null) {
            throw new AuthorizationException(
                    "the authorization server names no https URL to log in at");
        }
        return endpoint;
    }

    /** Adds the scope {@code offline_access}, without which some servers give no refresh token. */
    private static Scopes withOfflineAccess(Terms asked) {
        Scopes offline = Scopes.parse("offline_access");
        return !asked.scopes().isEmpty() && asked.server().scopes().contains(offline)
                ? asked.scopes().with(offline)
                : asked.scopes();
    }

    /** The same port as for the last registration at that issuer, if it is free. */
    private LoopbackRedirect listen(AuthorizationServer server, State state) throws IOException {
        Registered last = registered;
        if (options.redirectPort == 0 && last != null && last.issuer.equals(server.issuer())) {
            try {
                return new LoopbackRedirect(last.port, state.getValue());
            } catch (AuthorizationException e) {
                registered = null; // it was for that port
            }
        }
        return new LoopbackRedirect(options.redirectPort, state.getValue());
    }

    /** Prefers a client that was configured, then a metadata document, then a registration. */
    private Client client(Terms terms, LoopbackRedirect redirect) throws IOException {
        AuthorizationServer server = terms.server();
        Client named = options.client;
        URI metadata = options.clientMetadata;
        if (named != null) {
            return named;
        }
        if (metadata != null && server.takesClientMetadata()) {
            return new Client.Public(metadata.toString());
        }
        Registered last = registered;
        if (last != null && last.issuer.equals(server.issuer()) && last.port == redirect.port()) {
            return last.client;
        }
        URI endpoint = server.registrationEndpoint();
        if (endpoint == null) {
            throw new AuthorizationException(
                    "the authorization server registers no clients: a client id is needed that was"
                            + " registered there before");
        }
        Client client = registration.register(server, endpoint, redirect.uri(), terms.scopes());
        registered = new Registered(server.issuer(), redirect.port(), client);
        return client;
    }

    private static URI url(
            URI endpoint,
            Terms terms,
            Client client,
            LoopbackRedirect redirect,
            State state,
            CodeVerifier verifier) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", client.id());
        query.put("redirect_uri", redirect.uri().toString());
        query.put("state", state.getValue());
        query.put(
                "code_challenge",
                CodeChallenge.compute(CodeChallengeMethod.S256, verifier).getValue());
        query.put("code_challenge_method", CodeChallengeMethod.S256.getValue());
        query.put("resource", terms.resource());
        if (!terms.scopes().isEmpty()) {
            query.put("scope", terms.scopes().toString());
        }
        return URI.create(FormEncoding.appended(endpoint.toString(), query));
    }

    /**
     * Returns the code of a redirect, after comparing the issuer (RFC 9207) character by character:
     * before that, nothing in it is trusted.
     */
    private static String code(Map<String, String> redirect, AuthorizationServer server) {
        String issuer = redirect.get("iss");
        if (issuer == null ? server.sendsIssuer() : !issuer.equals(server.issuer())) {
            throw new AuthorizationException(
                    issuer == null
                            ? "the redirect does not name its authorization server (iss)"
                            : "the redirect is from another authorization server: it names "
                                    + PlainText.of(issuer)
                                    + ", not "
                                    + server.issuer());
        }
        if (redirect.containsKey("error")) {
            OAuthError error =
                    new OAuthError(redirect.get("error"), redirect.get("error_description"));
            throw new AuthorizationException(
                    "the authorization server refuses the login: " + error.description());
        }
        String code = redirect.get("code");
        if (code == null || code.isEmpty()) {
            throw new AuthorizationException("the redirect brings no code");
        }
        return code;
    }
}
