package dev.fairlead.auth.server;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.server.PresentedToken.Scheme;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.OneTimeValues;
import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.time.Durations;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Admits requests to an MCP endpoint by their access tokens (OAuth 2.1), which authorization
 * servers issue that it trusts:
 *
 * <pre>{@code
 * server.serve(Http.port(8443).authorization(
 *         ResourceServer.at("https://reports.example/mcp")
 *                 .trust("https://login.example").scopes("reports:read")));
 * }</pre>
 *
 * <p>The token of every request is verified: a trusted issuer has signed it, with a key of its own
 * and neither {@code none} nor a shared secret, it was issued for this resource, and it is valid
 * now. It is never passed on. Its holder is the {@link Caller}: issuer, subject, client and scopes
 * of the token. One that is bound to a key (DPoP) is taken with a proof of that key, which is made
 * for the URL that clients ask: the origin of the resource with the path of the request. No proof
 * is taken twice by this server.
 *
 * <p>The keys of an issuer are used for 5 minutes, fetched again when a token names an unknown one
 * (at most twice in 30 seconds), and used for an hour while the issuer does not answer. Requests
 * that cannot be decided for that reason are answered with 503.
 *
 * <p>It serves the metadata of the resource at {@code /.well-known/oauth-protected-resource}, with
 * the path of the resource behind it and without. Values are immutable: every option gives a
 * changed copy. Safe for use by several threads.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization Authorization
 */
public final class ResourceServer implements HttpAuthorization {
    private final ResourceOptions options;
    private final Challenges challenges;
    private volatile @Nullable TokenAdmission admission; // made when it is first needed

    private ResourceServer(ResourceOptions options) {
        this.options = options;
        challenges =
                new Challenges(
                        options.issuers.isEmpty()
                                ? null
                                : ResourceMetadataRoute.url(options.resource),
                        options.requiresDpop);
    }

    /**
     * Returns a resource that trusts no issuer yet.
     *
     * @param resource the URL of the endpoint as clients see it; tokens must name it as their
     *     audience, character by character
     * @throws IllegalArgumentException if it is not an absolute {@code http} or {@code https} URL,
     *     or has a query or a fragment
     */
    public static ResourceServer at(String resource) {
        URI uri = URI.create(resource);
        boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
        if (!web || uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
            throw new IllegalArgumentException(
                    "a resource is a URL such as https://reports.example/mcp but was " + resource);
        }
        return new ResourceServer(new ResourceOptions(uri));
    }

    private ResourceServer with(Consumer<ResourceOptions> change) {
        return new ResourceServer(options.with(change));
    }

    /**
     * Trusts the tokens of an authorization server, which are JWTs. Its metadata (RFC 8414 or
     * OpenID) contains the URL of its keys. The metadata of the resource names it.
     *
     * @param issuer exactly as in its metadata and its tokens
     * @throws IllegalArgumentException if it is not a URL with a host
     */
    public ResourceServer trust(String issuer) {
        return trusting(issuer, null);
    }

    /**
     * The same, without asking for its metadata.
     *
     * @param keys where its keys are, as a JSON Web Key Set
     */
    public ResourceServer trust(String issuer, URI keys) {
        return trusting(issuer, Objects.requireNonNull(keys, "keys"));
    }

    private ResourceServer trusting(String issuer, @Nullable URI keys) {
        requireIssuer(issuer);
        return with(
                copy -> {
                    copy.issuers.add(issuer);
                    copy.keys.put(issuer, keys);
                });
    }

    private static void requireIssuer(String issuer) {
        if (URI.create(issuer).getHost() == null) {
            throw new IllegalArgumentException(
                    "an issuer is a URL such as https://login.example but was " + issuer);
        }
    }

    /**
     * Introspects opaque tokens at an authorization server (RFC 7662), whose metadata contains the
     * URL for that. The metadata of the resource names it. Several are asked one after another, but
     * never about a JWT that names another issuer.
     *
     * <p>An answer holds for 30 seconds at most, one that a token is not active for 10: so long a
     * token is taken after it was revoked. An answer must name the resource as an audience of the
     * token, and its subject or its client.
     *
     * @param client how the authorization server knows this resource
     * @param secret of this client; sent by HTTP Basic. It is read when the server starts, and
     *     again for every introspection
     * @throws IllegalArgumentException if the issuer is not a URL with a host
     * @spec https://www.rfc-editor.org/rfc/rfc7662 OAuth 2.0 Token Introspection
     */
    public ResourceServer introspection(String issuer, String client, Secret secret) {
        return introspecting(issuer, null, client, secret);
    }

    /**
     * The same, without asking for its metadata.
     *
     * @param endpoint where it is asked
     */
    public ResourceServer introspection(String issuer, URI endpoint, String client, Secret secret) {
        return introspecting(issuer, Objects.requireNonNull(endpoint, "endpoint"), client, secret);
    }

    private ResourceServer introspecting(
            String issuer, @Nullable URI endpoint, String client, Secret secret) {
        requireIssuer(issuer);
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(secret, "secret");
        return with(
                copy -> {
                    copy.issuers.add(issuer);
                    copy.introspections.add(
                            new Introspection.Terms(issuer, endpoint, client, secret));
                });
    }

    /**
     * Takes a token that the operator has chosen. For development only: it is the same for ever,
     * and a server whose URL is not one of the own machine warns of it in its log. Its issuer is
     * the resource; where nothing else is trusted, there is no metadata for clients.
     *
     * @param token of the characters {@code A-Z a-z 0-9 - . _ ~ + /} and, at its end, {@code =}; it
     *     is read when the server starts
     * @param subject of the caller that it admits
     * @throws IllegalArgumentException if one of the scopes is none
     */
    public ResourceServer staticToken(Secret token, String subject, String... scopes) {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(subject, "subject");
        Set<String> granted = scopes(List.of(scopes));
        return with(copy -> copy.staticTokens.add(new StaticToken.Terms(token, subject, granted)));
    }

    private static Set<String> scopes(List<String> scopes) {
        Set<String> all = new LinkedHashSet<>(scopes);
        all.forEach(InsufficientScopeException::requireScope);
        return Collections.unmodifiableSet(all);
    }

    /**
     * Verifies in your own way the tokens that no trusted issuer has signed, and of which no
     * introspection knows. Several are asked in their order.
     *
     * @param issuer of such tokens, for the metadata of the resource
     */
    public ResourceServer tokenVerifier(String issuer, TokenVerifier verifier) {
        Objects.requireNonNull(issuer, "issuer");
        Objects.requireNonNull(verifier, "verifier");
        return with(
                copy -> {
                    copy.issuers.add(issuer);
                    copy.verifiers.add(verifier);
                });
    }

    /**
     * Sets the scopes in the metadata and in the challenge of a request without a valid token; none
     * by default. Features require scopes with {@code requireScopes}.
     *
     * @throws IllegalArgumentException if one is not a scope, or {@code offline_access}, which
     *     clients request by themselves
     */
    public ResourceServer scopes(String... scopes) {
        Set<String> all = scopes(List.of(scopes));
        if (all.contains("offline_access")) {
            throw new IllegalArgumentException(
                    "offline_access is a scope that clients request, and none of a resource");
        }
        return with(copy -> copy.scopes = all);
    }

    /**
     * Takes tokens that were issued for one of these, besides those for the URL of the resource:
     * where an authorization server knows it by another name.
     */
    public ResourceServer audience(String... names) {
        return with(copy -> copy.audience.addAll(List.of(names)));
    }

    /**
     * Sets how far the clocks of issuers may differ from the one of this server; 60 seconds by
     * default. Tokens are valid for so long before they begin and after they expire.
     *
     * @throws IllegalArgumentException if negative
     */
    public ResourceServer clockSkew(Duration skew) {
        if (skew.isNegative()) {
            throw new IllegalArgumentException(
                    "clockSkew must not be negative but was " + Durations.text(skew));
        }
        return with(copy -> copy.clockSkew = skew);
    }

    /**
     * Takes only tokens that are bound to a key of the client, with a proof of that key in every
     * request (DPoP). Without this, tokens that are bound to no key are taken too, as {@code
     * Bearer}; those that are bound never without a proof.
     *
     * @spec https://www.rfc-editor.org/rfc/rfc9449 OAuth 2.0 Demonstrating Proof of Possession
     */
    public ResourceServer requireDpop() {
        return with(copy -> copy.requiresDpop = true);
    }

    /**
     * Takes only proofs of keys that contain a nonce of this server, so that none can be made long
     * before it is used. A nonce is given out for 2 minutes and taken for at most 2 more; nothing
     * is kept for it. Its secret is made at random: several nodes need {@link #dpopNonce(Secret)}.
     */
    public ResourceServer dpopNonce() {
        byte[] secret = RandomBytes.of(32);
        return with(copy -> copy.nonceSecret = () -> secret);
    }

    /**
     * The same for several nodes, which take the nonces of each other.
     *
     * @param secret the same on all nodes, at least 32 random characters; it is read when the
     *     server starts
     */
    public ResourceServer dpopNonce(Secret secret) {
        Objects.requireNonNull(secret, "secret");
        return with(
                copy -> copy.nonceSecret = () -> secret.value().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Refuses proofs of keys that any node has taken, and not those of this process alone: nodes
     * share {@code Database.oneTimeValues()}. Each request with a proof then costs a transaction;
     * while that fails such requests are refused with 503.
     */
    public ResourceServer usedProofs(OneTimeValues shared) {
        Objects.requireNonNull(shared, "shared");
        return with(copy -> copy.sharedProofs = shared);
    }

    /** Sets the limits of stored proofs, for tests. */
    ResourceServer maxProofs(int ofAll, int ofKey) {
        return with(
                copy -> {
                    copy.maxProofs = ofAll;
                    copy.maxProofsOfKey = ofKey;
                });
    }

    /** Sets the clock, for tests. */
    ResourceServer clock(Clock clock) {
        return with(copy -> copy.clock = clock);
    }

    /** Sets the limits of fetches, for tests. */
    ResourceServer limits(FetchLimits limits) {
        return with(copy -> copy.limits = limits);
    }

    /**
     * Decides from which addresses metadata and keys may be fetched, and where tokens are
     * introspected. By default the hosts of the issuers, and of the places that were named here,
     * may have any address, and other hosts, which metadata names, a public one.
     */
    public ResourceServer policy(UrlPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return with(copy -> copy.policy = policy);
    }

    @Override
    public Decision decide(HttpExchange request) throws InterruptedException {
        return admission().decide(request);
    }

    private TokenAdmission admission() {
        TokenAdmission made = admission;
        return made == null ? makeAdmission() : made;
    }

    private synchronized TokenAdmission makeAdmission() {
        TokenAdmission made = admission;
        if (made == null) {
            made = new TokenAdmission(options, challenges);
            admission = made;
        }
        return made;
    }

    /** {@inheritDoc} It names the granted scopes of the caller as well. */
    @Override
    public String challenge(Caller caller, Set<String> required, String message) {
        Set<String> scopes = new LinkedHashSet<>();
        caller.scopes().stream().filter(options.scopes::contains).sorted().forEach(scopes::add);
        scopes.addAll(required);
        return challenges.of(Scheme.BEARER, "insufficient_scope", message, scopes);
    }

    @Override
    public List<Route> routes() {
        if (options.issuers.isEmpty() && options.staticTokens.isEmpty()) {
            throw new IllegalStateException("no issuer is trusted: name one with trust(…)");
        }
        admission(); // a missing option is reported at the start
        return options.issuers.isEmpty() ? List.of() : ResourceMetadataRoute.of(options);
    }
}
