package dev.fairlead.auth.proxy;

import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.options.Checks;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Admits requests to an MCP endpoint by tokens of its own, for people who log in at a provider that
 * registers no clients:
 *
 * <pre>{@code
 * server.serve(Http.port(8443).authorization(
 *         AuthorizationProxy.at("https://reports.example/mcp")
 *                 .upstream(Upstream.openId("https://login.example")
 *                         .client("reports", Secret.env("LOGIN_SECRET")))
 *                 .scopes("reports:read")));
 * }</pre>
 *
 * <p>It is the authorization server of this resource alone. Clients register themselves (RFC 7591);
 * for each of them, the person is asked for consent before anything is sent to the upstream, and
 * then logs in there. Then the client gets an access token of this proxy, which is good for this
 * resource and nothing else, and a refresh token, which changes with each use. Tokens of the
 * upstream identify the user, and are not passed on.
 *
 * <p>It serves its metadata at the well-known places, and {@code /register}, {@code /authorize},
 * {@code /consent}, {@code /callback}, {@code /token} and {@code /revoke} below the origin of the
 * resource, which is its issuer. Everything that it keeps is bounded. With a server that has a
 * store, or with a {@link #store} of its own, it outlives the process, and several nodes share it;
 * otherwise clients register and people log in again after a restart.
 *
 * <p>Values are immutable: every option gives a changed copy, which shares no clients and logins
 * with this one. Safe for use by several threads.
 *
 * @spec
 *     https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices#confused-deputy-problem
 *     Confused deputy problem
 */
public final class AuthorizationProxy implements HttpAuthorization {
    private final ProxyOptions options;
    private final OwnedValues.Source memory; // where there is no other store
    private volatile @Nullable AtWork atWork; // made when it is first needed

    /** The resource server that admits requests, and the endpoints that issue the tokens. */
    private record AtWork(ResourceServer admission, ProxyEndpoints endpoints) {}

    private AuthorizationProxy(ProxyOptions options) {
        this.options = options;
        memory = new InMemoryValues.Store(options.clock);
    }

    /**
     * A proxy without an upstream yet.
     *
     * @param resource the URL of the endpoint as clients see it; tokens are issued for it,
     *     character by character
     * @throws IllegalArgumentException if it is not an {@code https} URL, nor {@code http} on the
     *     own machine, or has a query or a fragment
     */
    public static AuthorizationProxy at(String resource) {
        ResourceServer.at(resource); // has the same idea of a resource
        return new AuthorizationProxy(new ProxyOptions(new Places(URI.create(resource))));
    }

    private AuthorizationProxy with(Consumer<ProxyOptions> change) {
        return new AuthorizationProxy(options.with(change));
    }

    /** Sets the upstream where people log in. */
    public AuthorizationProxy upstream(Upstream upstream) {
        Objects.requireNonNull(upstream, "upstream");
        return with(copy -> copy.upstream = upstream);
    }

    /**
     * Sets who may log in, by the subject that the upstream reports. By default every user of the
     * upstream may, which with a public provider is everyone.
     *
     * @param admitted may block; called by several threads
     */
    public AuthorizationProxy users(Predicate<String> admitted) {
        Objects.requireNonNull(admitted, "admitted");
        return with(copy -> copy.users = admitted);
    }

    /**
     * Sets the scopes that the metadata lists, and that clients get when they request none; none by
     * default. Only the person who logs in consents to them.
     *
     * @throws IllegalArgumentException if one is not a scope
     */
    public AuthorizationProxy scopes(String... scopes) {
        Set<String> all = checked(scopes);
        return with(copy -> copy.scopes = all);
    }

    /**
     * Scopes that clients get besides when they ask for them: those that single features require
     * ({@code requireScopes}), so that people consent to them when they are needed. None by
     * default.
     *
     * @throws IllegalArgumentException if one is not a scope
     */
    public AuthorizationProxy furtherScopes(String... scopes) {
        Set<String> all = checked(scopes);
        return with(copy -> copy.furtherScopes = all);
    }

    private static Set<String> checked(String... scopes) {
        Set<String> all = new LinkedHashSet<>(Arrays.asList(scopes));
        all.forEach(InsufficientScopeException::requireScope);
        return Collections.unmodifiableSet(all);
    }

    /**
     * Sets how long an access token is good; 15 minutes by default. Clients renew it by themselves.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public AuthorizationProxy tokenLifetime(Duration lifetime) {
        Checks.positive(lifetime, "tokenLifetime");
        return with(copy -> copy.tokenLifetime = lifetime);
    }

    /**
     * Sets how long a login lasts, however often its tokens are renewed; 7 days by default. Then
     * the person logs in at the upstream again, which is when it can refuse them.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public AuthorizationProxy loginLifetime(Duration lifetime) {
        Checks.positive(lifetime, "loginLifetime");
        return with(copy -> copy.loginLifetime = lifetime);
    }

    /**
     * Sets how many clients may be registered that no person has logged in with; 100 of an address
     * and 1,000 in all by default. They are forgotten after an hour. Further registrations get
     * status 429. Where all are taken, the newest of the address with the most makes room for one
     * of an address that has fewer.
     *
     * <p>Behind a reverse proxy the addresses of clients are known only if {@code trustProxies}
     * names it. Requests from this machine, and from unknown addresses, have the limit of all
     * alone.
     *
     * @throws IllegalArgumentException if one is less than 1, or that of all less than the other
     */
    public AuthorizationProxy registrationLimit(int ofAddress, int inAll) {
        OwnedValues.Share share = new OwnedValues.Share(ofAddress, inAll);
        return with(copy -> copy.registrations = share);
    }

    /**
     * Sets how many logins may be under way at the upstream; 100 of an address and 10,000 in all by
     * default, counted as by {@link #registrationLimit}. They are forgotten after 10 minutes.
     * Beyond that the person is shown a page, with status 429.
     *
     * @throws IllegalArgumentException if one is less than 1, or that of all less than the other
     */
    public AuthorizationProxy pendingLimit(int ofAddress, int inAll) {
        OwnedValues.Share share = new OwnedValues.Share(ofAddress, inAll);
        return with(copy -> copy.pending = share);
    }

    /**
     * Sets how many logins are kept; 100 of a person, by the subject of the upstream, and 20,000 in
     * all by default. Beyond that the oldest of this person ends, or the oldest of the person with
     * the most.
     *
     * @throws IllegalArgumentException if one is less than 1, or that of all less than the other
     */
    public AuthorizationProxy loginLimit(int ofPerson, int inAll) {
        OwnedValues.Share share = new OwnedValues.Share(ofPerson, inAll);
        return with(copy -> copy.logins = share);
    }

    /**
     * Keeps clients, logins and codes in a store, {@code Database.ownedValues()}: any of several
     * nodes serves each step of a login, and logins outlive a restart. By default they are in the
     * store of the server, {@code McpServer.Builder.store}, and in the memory of this process where
     * it has none. With a store each request with a token costs a look-up; while it fails requests
     * are refused with 503. All nodes need the same options.
     *
     * <p>The store has digests and encrypted values alone: neither it nor its backup contains a
     * code, a token, or the name of a person.
     */
    public AuthorizationProxy store(OwnedValues.Source store) {
        Objects.requireNonNull(store, "store");
        return with(copy -> copy.store = store);
    }

    /** Sets the clock, for tests. */
    AuthorizationProxy clock(Clock clock) {
        return with(copy -> copy.clock = clock);
    }

    @Override
    public HttpAuthorization servedBy(SessionHost host) {
        OwnedValues.Source store =
                options.store == null ? host.ownedValues().orElse(memory) : options.store;
        return with(
                copy -> {
                    copy.store = store;
                    copy.server = host.implementation().map(Implementation::displayName).orElse("");
                });
    }

    @Override
    public Decision decide(HttpExchange request) throws InterruptedException {
        return atWork().admission.decide(request);
    }

    @Override
    public String challenge(Caller caller, Set<String> required, String message) {
        return atWork().admission.challenge(caller, required, message);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if there is no upstream, or it lacks its client or a way to
     *     identify users
     */
    @Override
    public List<Route> routes() {
        AtWork parts = atWork();
        List<Route> routes = new ArrayList<>(parts.admission.routes());
        routes.addAll(parts.endpoints.routes());
        return List.copyOf(routes);
    }

    private AtWork atWork() {
        AtWork made = atWork;
        return made == null ? make() : made;
    }

    private synchronized AtWork make() {
        AtWork made = atWork;
        if (made == null) {
            ProxyEndpoints endpoints = new ProxyEndpoints(options, memory);
            Logins logins = endpoints.logins();
            ResourceServer admission =
                    ResourceServer.at(options.places.resource().toString())
                            .tokenVerifier(options.places.issuer(), logins::verify)
                            .scopes(options.scopes.toArray(String[]::new));
            made = new AtWork(admission, endpoints);
            atWork = made;
        }
        return made;
    }
}
