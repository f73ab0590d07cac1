package dev.fairlead.auth.client;

import dev.fairlead.http.client.Challenge;
import dev.fairlead.http.client.RequestAuthorization;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One HTTP request on its way to a server that may want a token. */
final class AuthorizedRequest implements RequestAuthorization {
    private final GuardedServer server;
    private final Nonces nonces;
    private final String method;
    private final URI url;
    private @Nullable Login used;
    private boolean isRenewed;
    private boolean isNonceRenewed;

    AuthorizedRequest(GuardedServer server, Nonces nonces, String method, URI url) {
        this.server = server;
        this.nonces = nonces;
        this.method = method;
        this.url = url;
    }

    @Override
    public Map<String, String> headers() throws IOException, InterruptedException {
        Login login = server.login();
        used = login;
        if (login == null) {
            return Map.of();
        }
        String token = login.tokens().access();
        Dpop dpop = login.dpop();
        return dpop == null
                ? Map.of("Authorization", "Bearer " + token)
                : Map.of(
                        "Authorization",
                        "DPoP " + token,
                        "DPoP",
                        dpop.proof(method, url, token, nonces.of(url).orElse(null)));
    }

    @Override
    public boolean again(int status, HttpHeaders headers) throws IOException, InterruptedException {
        headers.firstValue("DPoP-Nonce").ifPresent(nonce -> nonces.keep(url, nonce));
        List<String> challenges = headers.allValues("WWW-Authenticate");
        return switch (status) {
            case 401 -> isRefused(challenges);
            case 403 -> isShortOfScopes(challenges);
            default -> {
                if (used != null) {
                    server.accepted(used);
                }
                yield false;
            }
        };
    }

    /** The last request of a session is not worth a login. */
    private boolean isLast() {
        return method.equals("DELETE");
    }

    private boolean isRefused(List<String> challenges) throws IOException, InterruptedException {
        if (wantsNonce(challenges) && !isNonceRenewed) {
            isNonceRenewed = true;
            return true;
        }
        if (isRenewed || isLast()) {
            return false;
        }
        isRenewed = true;
        server.renew(used, Challenge.ofOAuth(challenges));
        return true;
    }

    private boolean wantsNonce(List<String> challenges) {
        return used != null
                && used.dpop() != null
                && Challenge.read(challenges).stream()
                        .anyMatch(
                                challenge ->
                                        challenge.scheme().equals("dpop")
                                                && challenge
                                                        .parameter("error")
                                                        .filter("use_dpop_nonce"::equals)
                                                        .isPresent());
    }

    private boolean isShortOfScopes(List<String> challenges)
            throws IOException, InterruptedException {
        Login login = used;
        Optional<Challenge> challenge =
                Challenge.ofOAuth(challenges)
                        .filter(
                                given ->
                                        given.parameter("error")
                                                .filter("insufficient_scope"::equals)
                                                .isPresent());
        return login != null
                && !isLast()
                && challenge.isPresent()
                && server.stepUp(login, challenge.get());
    }
}
