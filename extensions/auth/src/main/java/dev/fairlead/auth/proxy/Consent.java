package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.auth.wire.Origin;
import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.http.spi.HttpExchange;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/**
 * Asks a person whether a client may act for them, and takes the answer. The form contains the
 * request, sealed for the browser that it was shown in: no other page can have made it.
 */
final class Consent implements PageEndpoint.Service {
    /** How long the form can be sent. */
    static final Duration OPEN = Duration.ofMinutes(10);

    private static final String PURPOSE = "consent";

    private final AuthorizationRequests requests;
    private final Browsers browsers;
    private final Approvals approvals;
    private final Forwarding forwarding;
    private final ProxyTerms terms;
    private final Clock clock;
    private final Refusals refusals;

    Consent(
            AuthorizationRequests requests,
            Browsers browsers,
            Approvals approvals,
            Forwarding forwarding,
            ProxyTerms terms,
            Clock clock,
            Refusals refusals) {
        this.requests = requests;
        this.browsers = browsers;
        this.approvals = approvals;
        this.forwarding = forwarding;
        this.terms = terms;
        this.clock = clock;
        this.refusals = refusals;
    }

    /**
     * The page that asks.
     *
     * @param query that the request was read from
     */
    HtmlPage page(String query, AuthorizationRequest request, String browser) {
        String until = Long.toString(clock.instant().plus(OPEN).getEpochSecond());
        return new ConsentPage(request, terms, forwarding.upstream())
                .asking(query, until, new Seal(browser).of(PURPOSE, until, query));
    }

    @Override
    public void answer(HttpExchange exchange) throws OAuthFailure {
        try {
            take(exchange);
        } catch (RefusedRequest refused) {
            refusals.answer(exchange, refused);
        }
    }

    private void take(HttpExchange exchange) throws OAuthFailure, RefusedRequest {
        Form form = Form.parse(PostedBody.read(exchange, FormEncoding.TYPE));
        String browser =
                browsers.of(exchange)
                        .orElseThrow(
                                () -> refused("This browser has lost the cookie of the login"));
        AuthorizationRequest request = requests.read(unsealed(form, browser));
        if (!form.get("decision").equals("allow")) {
            throw new RefusedRequest(
                    request.client(), request.redirect(), refused("The person has not agreed"));
        }
        forwarding.forward(
                exchange,
                browser,
                request,
                () -> approvals.approve(Origin.of(exchange), browser, request));
    }

    private String unsealed(Form form, String browser) throws OAuthFailure {
        String query = form.need("request");
        String until = form.need("until");
        if (!new Seal(browser).isOf(form.need("seal"), PURPOSE, until, query)) {
            throw refused("This form was not made for this browser");
        }
        if (clock.instant().isAfter(end(until))) {
            throw refused("This form is too old");
        }
        return query;
    }

    private static Instant end(String until) throws OAuthFailure {
        try {
            return Instant.ofEpochSecond(Long.parseLong(until));
        } catch (NumberFormatException | DateTimeException e) {
            throw refused("This form was not made for this browser");
        }
    }

    private static OAuthFailure refused(String description) {
        return new OAuthFailure(403, "access_denied", description);
    }
}
