package dev.fairlead.auth.server;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.server.TokenRefusal.Kind;
import dev.fairlead.http.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
 * <p>A token is verified in every request anew: that an issuer which is trusted has signed it, with
 * a key of its own and neither {@code none} nor a shared secret, that it was issued for this
 * resource, and that it is valid now. It is never passed on. Whom it was issued to is the {@link
 * Caller}: issuer, subject, client and scopes of the token.
 *
 * <p>The keys of an issuer are kept for 5 minutes, fetched anew when a token names another, at most
 * twice in 30 seconds whatever tokens name, and used for an hour while the issuer does not answer.
 * Requests that cannot be decided for that reason are answered with 503.
 *
 * <p>It serves the metadata of the resource at {@code /.well-known/oauth-protected-resource}, with
 * the path of the resource behind it and without. Values are immutable: every option gives a
 * changed copy. Safe for use by several threads.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization AUTH-007,
 *     AUTH-042, AUTH-043, AUTH-045
 */
public final class ResourceServer implements HttpAuthorization {
    private static final System.Logger LOGGER = System.getLogger(ResourceServer.class.getName());

    /** In how many seconds who cannot be admitted now may come back. */
    private static final String RETRY_AFTER = "5";

    private final ResourceOptions options;
    private final Challenges challenges;
    private volatile @Nullable List<TokenVerifier> verifiers; // made when they are first needed

    private ResourceServer(ResourceOptions options) {
        this.options = options;
        challenges = new Challenges(ResourceMetadataRoute.url(options.resource));
    }

    /**
     * A resource that trusts nobody yet.
     *
     * @param resource the URL of the endpoint as clients see it; tokens must name it as their
     *     audience, character by character
     * @throws IllegalArgumentException if it is no absolute {@code http} or {@code https} URL, or
     *     has a query or a fragment (AUTH-035)
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
     * Trusts an authorization server in what its tokens say, which are JWTs. Its metadata (RFC 8414
     * or OpenID) tells where its keys are. It is announced to clients.
     *
     * @param issuer exactly as in its metadata and its tokens
     * @throws IllegalArgumentException if it is no URL with a host
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
        if (URI.create(issuer).getHost() == null) {
            throw new IllegalArgumentException(
                    "an issuer is a URL such as https://login.example but was " + issuer);
        }
        return with(
                copy -> {
                    copy.issuers.add(issuer);
                    copy.keys.put(issuer, keys);
                });
    }

    /**
     * Verifies in your own way the tokens that no trusted issuer has signed. Several are asked in
     * their order.
     *
     * @param issuer whom clients are told to ask for such tokens
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
     * The scopes that clients are told of, in the metadata and in the challenge of a request
     * without a valid token; none by default. What requires them is said by the features
     * themselves, with {@code requireScopes}.
     *
     * @throws IllegalArgumentException if one is no scope
     */
    public ResourceServer scopes(String... scopes) {
        Set<String> all = new LinkedHashSet<>(Arrays.asList(scopes));
        all.forEach(InsufficientScopeException::requireScope);
        return with(copy -> copy.scopes = Collections.unmodifiableSet(all));
    }

    /**
     * Takes tokens that were issued for one of these, besides those for the URL of the resource:
     * where an authorization server knows it by another name.
     */
    public ResourceServer audience(String... names) {
        return with(copy -> copy.audience.addAll(List.of(names)));
    }

    /**
     * How far the clocks of issuers may differ from the one of this server; 60 seconds by default.
     * Tokens are valid for so long before they begin and after they expire.
     *
     * @throws IllegalArgumentException if negative
     */
    public ResourceServer clockSkew(Duration skew) {
        if (skew.isNegative()) {
            throw new IllegalArgumentException("clockSkew must not be negative but was " + skew);
        }
        return with(copy -> copy.clockSkew = skew);
    }

    /** For tests. */
    ResourceServer clock(Clock clock) {
        return with(copy -> copy.clock = clock);
    }

    /** For tests. */
    ResourceServer limits(FetchLimits limits) {
        return with(copy -> copy.limits = limits);
    }

    /**
     * Where metadata and keys may be fetched from. By default the hosts of the issuers and of the
     * keys that were named here may have any address, and other hosts, which metadata names, a
     * public one.
     */
    public ResourceServer policy(UrlPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return with(copy -> copy.policy = policy);
    }

    @Override
    public Decision decide(HttpExchange request) throws InterruptedException {
        try {
            VerifiedToken token = verified(PresentedToken.in(request));
            requireValid(token);
            return new Decision.Admitted(token.caller());
        } catch (TokenRefusal refusal) {
            Kind kind = refusal.kind();
            String challenge = challenges.of(kind.error, refusal.description(), options.scopes);
            return new Decision.Refused(
                    kind.status, Map.of("WWW-Authenticate", challenge), refusal.description());
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A token could not be verified", e);
            return new Decision.Refused(
                    503, Map.of("Retry-After", RETRY_AFTER), "Tokens cannot be verified just now");
        }
    }

    /** What one of the verifiers says; that another cannot say anything only matters otherwise. */
    private VerifiedToken verified(String token)
            throws TokenRefusal, IOException, InterruptedException {
        IOException failure = null;
        for (TokenVerifier verifier : verifiers()) {
            try {
                Optional<VerifiedToken> verified = verifier.verify(token);
                if (verified.isPresent()) {
                    return verified.get();
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        throw new TokenRefusal(Kind.INVALID_TOKEN, "The access token is not valid");
    }

    private void requireValid(VerifiedToken token) throws TokenRefusal {
        if (!options.isMeantBy(token.audience())) {
            throw new TokenRefusal(
                    Kind.INVALID_TOKEN, "The access token was not issued for this resource");
        }
        if (!options.clock.instant().isBefore(token.expiresAt().plus(options.clockSkew))) {
            throw new TokenRefusal(Kind.INVALID_TOKEN, "The access token has expired");
        }
    }

    private List<TokenVerifier> verifiers() {
        List<TokenVerifier> made = verifiers;
        return made == null ? makeVerifiers() : made;
    }

    private synchronized List<TokenVerifier> makeVerifiers() {
        if (verifiers == null) {
            Fetch fetch = new Fetch(options.urls(), options.limits);
            List<TokenVerifier> all = new ArrayList<>();
            options.keys.forEach(
                    (issuer, place) ->
                            all.add(
                                    new JwtVerifier(
                                            issuer,
                                            new IssuerKeys(issuer, place, fetch),
                                            options.clockSkew,
                                            options.clock)));
            all.addAll(options.verifiers);
            verifiers = List.copyOf(all);
        }
        return verifiers;
    }

    /** {@inheritDoc} It names what the caller has been granted as well (AUTH-048). */
    @Override
    public String challenge(Caller caller, Set<String> required, String message) {
        Set<String> scopes = new LinkedHashSet<>();
        caller.scopes().stream().filter(options.scopes::contains).sorted().forEach(scopes::add);
        scopes.addAll(required);
        return challenges.of("insufficient_scope", message, scopes);
    }

    @Override
    public List<Route> routes() {
        if (options.issuers.isEmpty()) {
            throw new IllegalStateException("the resource trusts nobody: say whom with trust");
        }
        return ResourceMetadataRoute.of(options.resource, options.issuers, options.scopes);
    }
}
