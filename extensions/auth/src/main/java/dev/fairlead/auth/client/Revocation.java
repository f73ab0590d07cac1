package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Deadline;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.http.client.AuthorizationException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Revokes tokens at their issuers (RFC 7009). */
final class Revocation {
    private static final String REFRESH = "refresh_token";
    private static final String ACCESS = "access_token";

    private final Fetch fetch;

    Revocation(Fetch fetch) {
        this.fetch = fetch;
    }

    /**
     * Revokes all tokens of a login, the refresh token first.
     *
     * @throws InterruptedIOException if the thread is interrupted; tokens may be revoked by then
     */
    Logout revoke(Login login) throws InterruptedIOException {
        try {
            AuthorizationServer server = server(login.issuer());
            URI endpoint = server.revocationEndpoint();
            if (endpoint == null) {
                return forgotten(login, "it revokes no tokens");
            }
            String refresh = login.tokens().refresh();
            Optional<OAuthError> refused =
                    refresh == null
                            ? Optional.empty()
                            : refusal(server, endpoint, login.client(), REFRESH, refresh);
            if (refused.isEmpty()) {
                refused =
                        refusal(server, endpoint, login.client(), ACCESS, login.tokens().access())
                                .filter(error -> refresh == null || !isOfRefreshAlone(error));
            }
            return refused.map(error -> forgotten(login, "it refuses: " + error.description()))
                    .orElseGet(() -> new Logout.Revoked(login.issuer()));
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | AuthorizationException e) {
            return forgotten(login, String.valueOf(e.getMessage()));
        }
    }

    private AuthorizationServer server(String issuer) throws InterruptedIOException {
        MetadataSearch search =
                new MetadataSearch(fetch, Deadline.of(Discovery.DOCUMENT, Discovery.ALL));
        return new ServerDiscovery(search)
                .find(issuer)
                .orElseThrow(
                        () -> new AuthorizationException("its metadata was not found: " + search));
    }

    private static Logout forgotten(Login login, String reason) {
        return new Logout.Forgotten(login.issuer(), reason);
    }

    /** Returns whether the issuer revokes refresh tokens alone; its access tokens expire soon. */
    private static boolean isOfRefreshAlone(OAuthError error) {
        return error.code().equals("unsupported_token_type");
    }

    /** Revokes a token; returns empty if it is no longer valid. */
    private Optional<OAuthError> refusal(
            AuthorizationServer server, URI endpoint, Client client, String type, String token)
            throws IOException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("token", token);
        form.put("token_type_hint", type);
        Map<String, String> headers = new LinkedHashMap<>();
        client.authenticate(server, form, headers);
        Fetched answer = fetch.postForm(endpoint, headers, form);
        return answer.status() == 200 ? Optional.empty() : Optional.of(OAuthError.of(answer));
    }
}
