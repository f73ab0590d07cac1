package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Requests tokens from authorization servers. */
final class TokenEndpoint {
    /** The longest lifetime; longer ones are cut, since instants would overflow. */
    private static final long LONGEST_LIFE = 10L * 365 * 24 * 3600;

    private final Fetch fetch;
    private final Nonces nonces;
    private final Clock clock;

    TokenEndpoint(Fetch fetch, Nonces nonces, Clock clock) {
        this.fetch = fetch;
        this.nonces = nonces;
        this.clock = clock;
    }

    /** The type of a token whose type is not named; it is then sent as nothing else. */
    private static final String BEARER = "Bearer";

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    /** A server issued no tokens. */
    static final class RefusedTokensException extends AuthorizationException {
        private static final long serialVersionUID = 1;
        private final String code;
        private final int status;

        RefusedTokensException(Fetched answer) {
            this(answer, OAuthError.of(answer));
        }

        private RefusedTokensException(Fetched answer, OAuthError error) {
            super(
                    answer.isUnreadable()
                            ? "the answer of the token endpoint cannot be read: it is " + answer
                            : "the authorization server refused the token request: "
                                    + error.description());
            this.code = error.code();
            this.status = answer.status();
        }

        /** Returns whether the server may well issue the tokens later. */
        boolean isTemporary() {
            return status == TOO_MANY_REQUESTS
                    || status >= SERVER_ERROR
                    || code.equals("temporarily_unavailable")
                    || code.equals("server_error");
        }

        /** Returns whether the code, refresh token or assertion is no longer accepted. */
        boolean isInvalidGrant() {
            return code.equals("invalid_grant");
        }

        /** Returns whether the server does not know the client. */
        boolean isInvalidClient() {
            return code.equals("invalid_client");
        }
    }

    /**
     * Requests an access token and, where the server issues one, a refresh token.
     *
     * @param grant the parameters that make the grant
     * @param dpop the key that the tokens are to be bound to
     * @throws RefusedTokensException if the server refuses
     */
    Login.Tokens tokens(
            AuthorizationServer server,
            Client client,
            Map<String, String> grant,
            @Nullable Dpop dpop)
            throws IOException {
        Document answer = request(server, client, grant, dpop);
        String wanted = dpop == null ? BEARER : "DPoP";
        String type = answer.string("token_type").filter(text -> !text.isEmpty()).orElse(BEARER);
        if (!type.equalsIgnoreCase(wanted)) {
            throw new AuthorizationException(
                    "the authorization server issued a token of another type than "
                            + wanted
                            + ": "
                            + PlainText.of(type));
        }
        return new Login.Tokens(
                token(answer),
                expiry(answer),
                answer.string("refresh_token").filter(text -> !text.isEmpty()).orElse(null));
    }

    /** Requests an assertion that another server accepts as a grant. */
    String assertion(AuthorizationServer server, Client client, Map<String, String> grant)
            throws IOException {
        return token(request(server, client, grant, null));
    }

    private static String token(Document answer) {
        return answer.string("access_token")
                .filter(token -> token.matches("[\\x21-\\x7E]+"))
                .orElseThrow(
                        () ->
                                new AuthorizationException(
                                        "the answer of a token endpoint has no token"));
    }

    private @Nullable Instant expiry(Document answer) {
        return answer.seconds("expires_in")
                .map(seconds -> clock.instant().plusSeconds(Math.clamp(seconds, 0, LONGEST_LIFE)))
                .orElse(null);
    }

    private Document request(
            AuthorizationServer server,
            Client client,
            Map<String, String> grant,
            @Nullable Dpop dpop)
            throws IOException {
        URI url = server.tokenEndpoint();
        String known = nonces.of(url).orElse(null);
        Fetched answer = post(server, client, grant, dpop);
        if (dpop != null && OAuthError.of(answer).code().equals("use_dpop_nonce")) {
            Optional<String> given = nonces.of(url);
            if (given.isPresent() && !given.get().equals(known)) {
                answer = post(server, client, grant, dpop);
            }
        }
        Fetched last = answer;
        return Document.of(last)
                .filter(document -> last.isSuccess())
                .filter(document -> !OAuthError.isIn(document)) // some send it with 200
                .orElseThrow(() -> new RefusedTokensException(last));
    }

    private Fetched post(
            AuthorizationServer server,
            Client client,
            Map<String, String> grant,
            @Nullable Dpop dpop)
            throws IOException {
        URI url = server.tokenEndpoint();
        Map<String, String> form = new LinkedHashMap<>(grant);
        Map<String, String> headers = new LinkedHashMap<>();
        client.authenticate(server, form, headers);
        if (dpop != null) {
            headers.put("DPoP", dpop.proof("POST", url, null, nonces.of(url).orElse(null)));
        }
        Fetched answer = fetch.postForm(url, headers, form);
        answer.header("DPoP-Nonce").ifPresent(nonce -> nonces.keep(url, nonce));
        return answer;
    }
}
