package dev.fairlead.auth.proxy;

import dev.fairlead.http.spi.HttpExchange;

import java.util.Map;
import java.util.Optional;

/**
 * The authorization endpoint. Nothing is sent to the upstream before the person has approved the
 * client in this browser; until then nothing is stored either.
 */
final class Authorize implements PageEndpoint.Service {
    private final AuthorizationRequests requests;
    private final Browsers browsers;
    private final Approvals approvals;
    private final Consent consent;
    private final Forwarding forwarding;
    private final Refusals refusals;

    Authorize(
            AuthorizationRequests requests,
            Browsers browsers,
            Approvals approvals,
            Consent consent,
            Forwarding forwarding,
            Refusals refusals) {
        this.requests = requests;
        this.browsers = browsers;
        this.approvals = approvals;
        this.consent = consent;
        this.forwarding = forwarding;
        this.refusals = refusals;
    }

    @Override
    public void answer(HttpExchange exchange) throws OAuthFailure {
        String query = exchange.query().orElse("");
        try {
            answer(exchange, query, requests.read(query));
        } catch (RefusedRequest refused) {
            refusals.answer(exchange, refused);
        }
    }

    private void answer(HttpExchange exchange, String query, AuthorizationRequest request)
            throws OAuthFailure {
        Optional<String> known = browsers.of(exchange);
        if (known.isPresent() && approvals.isApproved(known.get(), request)) {
            forwarding.forward(exchange, known.get(), request, () -> {});
            return;
        }
        String browser = known.orElseGet(OpaqueToken::random);
        consent.page(query, request, browser)
                .show(exchange, Map.of("Set-Cookie", browsers.cookie(browser)));
    }
}
