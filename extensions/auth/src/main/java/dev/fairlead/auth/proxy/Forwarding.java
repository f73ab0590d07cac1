package dev.fairlead.auth.proxy;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;

import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.auth.wire.Origin;
import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.time.LimitedLog;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends browsers to the upstream, and knows them again when they come back: by a {@code state} that
 * is stored only now, bound to the browser by a signature, and good for one return. Safe for use by
 * several threads.
 */
final class Forwarding {
    private static final System.Logger LOGGER = System.getLogger(Forwarding.class.getName());

    /** How long a person may take at the upstream. */
    static final Duration PENDING = Duration.ofMinutes(10);

    static final int MAX_OF_ADDRESS = 100;
    static final int MAX = 10_000;

    private static final String PURPOSE = "state";

    /**
     * A login at the upstream.
     *
     * @param request the request that it serves
     * @param server the upstream's endpoints when the browser was sent there
     * @param verifier of the own PKCE with the upstream
     * @param nonce that an ID token has to have
     */
    record Pending(
            AuthorizationRequest request, UpstreamServer server, String verifier, String nonce) {}

    private final UpstreamLogin upstream;
    private final OwnedValues.Share share;
    private final SealedValues<Pending> pending;

    /**
     * @param share of logins that are under way at the upstream: of an address, and in all
     */
    Forwarding(UpstreamLogin upstream, OwnedValues.Source store, OwnedValues.Share share) {
        this.upstream = upstream;
        this.share = share;
        pending = new SealedValues<>(store, "logins under way", share, PENDING, Pending.class);
    }

    /** The host that people log in at. */
    String upstream() {
        return upstream.host();
    }

    /** Stores the consent of the person. */
    @FunctionalInterface
    interface Consented {
        void store() throws OAuthFailure;
    }

    /**
     * Sends the browser on, after the person has agreed.
     *
     * @param consented called once there is room for the login, so that an address without room
     *     stores no consents either
     * @throws OAuthFailure if too many logins are under way
     */
    void forward(
            HttpExchange exchange,
            String browser,
            AuthorizationRequest request,
            Consented consented)
            throws OAuthFailure {
        try {
            String url = begin(Origin.of(exchange), browser, request);
            consented.store();
            HtmlPage.redirect(exchange, url);
        } catch (IOException e) {
            LimitedLog.failed(
                    LOGGER,
                    System.Logger.Level.WARNING,
                    "",
                    PlainText.of(e),
                    "The upstream cannot be found");
            HtmlPage.redirect(
                    exchange,
                    request.redirect()
                            .withError("temporarily_unavailable", "The upstream does not answer"));
        }
    }

    private String begin(Origin from, String browser, AuthorizationRequest request)
            throws IOException, OAuthFailure {
        UpstreamServer server = upstream.server();
        String id = OpaqueToken.random();
        String state = id + "." + new Seal(browser).of(PURPOSE, id);
        Pending begun =
                new Pending(request, server, new CodeVerifier().getValue(), OpaqueToken.random());
        if (!pending.put(from.address(), from.most(share), id, begun)) {
            throw OAuthFailure.tooMany(
                    "Limit of logins under way reached ("
                            + share.ofOwner()
                            + " of an address, "
                            + share.inAll()
                            + " in all); try again later, or raise"
                            + " AuthorizationProxy.pendingLimit");
        }
        return upstream.url(begun, state);
    }

    /**
     * Returns the login that a browser comes back from, once.
     *
     * @throws OAuthFailure if the state is not one of this browser, or no longer; one that another
     *     browser brings stays good
     */
    Pending end(String state, Optional<String> browser) throws OAuthFailure {
        int dot = state.indexOf('.');
        String id = dot < 0 ? state : state.substring(0, dot);
        if (browser.isEmpty()
                || !new Seal(browser.get()).isOf(state.substring(dot + 1), PURPOSE, id)) {
            throw new OAuthFailure(
                    403, "access_denied", "This login was not started in this browser");
        }
        return pending.take(id)
                .orElseThrow(
                        () -> OAuthFailure.invalidRequest("This login is over, or took too long"));
    }
}
