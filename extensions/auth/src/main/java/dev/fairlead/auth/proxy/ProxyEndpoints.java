package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.OwnedValues;

import java.time.Clock;
import java.util.List;

/** The parts of a proxy at work, put together. */
final class ProxyEndpoints {
    private final ProxyTerms terms;
    private final Clock clock;
    private final Clients clients;
    private final Logins logins;
    private final Authorize authorize;
    private final Consent consent;
    private final Callback callback;

    /**
     * @param memory for values where the options have none
     * @throws IllegalStateException if an option is missing
     */
    ProxyEndpoints(ProxyOptions options, OwnedValues.Source memory) {
        Upstream upstream = options.upstream;
        if (upstream == null) {
            throw new IllegalStateException(
                    "the proxy has no upstream; set it with AuthorizationProxy.upstream");
        }
        terms = options.terms();
        clock = options.clock;
        OwnedValues.Source store = options.store == null ? memory : options.store;
        clients = new Clients(store, options.registrations);
        logins = new Logins(terms, store, options.logins, clock);
        Browsers browsers = new Browsers(options.places.isSecure());
        Approvals approvals = new Approvals(store);
        AuthorizationRequests requests = new AuthorizationRequests(clients, terms);
        UpstreamLogin login = new UpstreamLogin(upstream.options, options.places, clock);
        Forwarding forwarding = new Forwarding(login, store, options.pending);
        Refusals refusals = new Refusals(browsers, approvals);
        consent = new Consent(requests, browsers, approvals, forwarding, terms, clock, refusals);
        authorize = new Authorize(requests, browsers, approvals, consent, forwarding, refusals);
        callback = new Callback(forwarding, browsers, login, options.users, clients, logins);
    }

    Logins logins() {
        return logins;
    }

    List<Route> routes() {
        return List.of(
                ServerMetadata.route(terms.places(), terms.allScopes()),
                ClientEndpoint.at(
                        Places.REGISTER,
                        ClientEndpoint.JSON,
                        201,
                        new ClientRegistration(clients, clock)),
                PageEndpoint.at(Places.AUTHORIZE, "GET", authorize),
                PageEndpoint.at(Places.CONSENT, "POST", consent),
                PageEndpoint.at(Places.CALLBACK, "GET", callback),
                ClientEndpoint.at(
                        Places.TOKEN,
                        FormEncoding.TYPE,
                        200,
                        new TokenGrant(clients, logins, terms)),
                ClientEndpoint.at(
                        Places.REVOKE,
                        FormEncoding.TYPE,
                        200,
                        new TokenRevocation(clients, logins)));
    }
}
