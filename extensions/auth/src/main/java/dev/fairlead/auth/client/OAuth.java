package dev.fairlead.auth.client;

import dev.fairlead.auth.Loopback;
import dev.fairlead.auth.Secret;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.fetch.NamedHosts;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.ClientAuthorization;
import dev.fairlead.http.client.Proxies;
import dev.fairlead.http.client.RequestAuthorization;
import dev.fairlead.protocol.options.Checks;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.PrivateKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Authorizes the requests of a client by OAuth 2.1. Nothing happens until a server requires a
 * token: then the client finds the authorization server, obtains a token, and uses, stores and
 * renews it.
 *
 * <p>Immutable: each option gives a changed copy, which shares nothing with this one but the store.
 * One value serves any number of connections to any number of servers; requests to the same server
 * share one login.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization Authorization
 */
public final class OAuth implements ClientAuthorization {
    private final OAuthOptions options;
    private final Recent<URI, GuardedServer> servers = new Recent<>();
    private final Nonces nonces = new Nonces();

    OAuth(OAuthOptions options) {
        this.options = options;
    }

    /**
     * A person logs in with a browser. The client is the one of {@link #client}, else the one of
     * {@link #clientMetadata}, else it registers itself.
     *
     * @param clientName shown to the person where the client registers itself
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    public static OAuth browser(String clientName) {
        return new OAuth(OAuthOptions.browser(Objects.requireNonNull(clientName, "clientName")));
    }

    /**
     * The client acts for itself, with a secret that is sent as the authorization server wants.
     * Needs {@link #issuer}: the secret is sent to no other.
     */
    public static OAuth clientCredentials(String clientId, Secret secret) {
        return machine(new MachineGrants.ClientCredentials(confidential(clientId, secret)));
    }

    /**
     * The client acts for itself, and signs with its key ({@code private_key_jwt}). Needs {@link
     * #issuer}: the signed assertion is sent to no other.
     *
     * @param algorithm such as {@code ES256} or {@code RS256}
     */
    public static OAuth clientCredentials(String clientId, PrivateKey key, String algorithm) {
        return machine(
                new MachineGrants.ClientCredentials(
                        new Client.Signing(
                                Objects.requireNonNull(clientId, "clientId"),
                                Objects.requireNonNull(key, "key"),
                                Objects.requireNonNull(algorithm, "algorithm"),
                                null)));
    }

    /**
     * The person has logged in at the identity provider of an enterprise, which vouches for it at
     * the authorization servers of the enterprise. Needs {@link #issuer}, the one of these that the
     * secret and the statement are sent to.
     *
     * @param idToken of the login; asked for each time it is needed
     */
    public static OAuth enterpriseManaged(
            String clientId, Secret secret, IdentityProvider provider, Supplier<String> idToken) {
        return machine(
                new MachineGrants.EnterpriseManaged(
                        confidential(clientId, secret),
                        provider.tokenEndpoint(),
                        provider.client(),
                        Objects.requireNonNull(idToken, "idToken")));
    }

    /**
     * The platform that the program runs on issues a signed token about it, which the authorization
     * server accepts as a grant. Needs {@link #issuer}: the token is sent to no other.
     *
     * @param jwt that token; asked for each time it is needed
     */
    public static OAuth workload(String clientId, Supplier<String> jwt) {
        return machine(
                new MachineGrants.Assertion(
                        new Client.Public(Objects.requireNonNull(clientId, "clientId")),
                        Objects.requireNonNull(jwt, "jwt")));
    }

    /**
     * Uses and renews the logins of a store, and never logs in: where one is missing, has ended or
     * has too few scopes, requests fail with {@link LoginRequiredException}. For programs that run
     * without the person who has logged in.
     */
    public static OAuth withTokenStore(TokenStore store) {
        return machine(new StoredGrant()).tokens(store);
    }

    private static Client confidential(String id, Secret secret) {
        return new Client.Confidential(
                Objects.requireNonNull(id, "clientId"),
                Objects.requireNonNull(secret, "secret")::value,
                null);
    }

    private static OAuth machine(Grant grant) {
        return new OAuth(OAuthOptions.machine(grant));
    }

    /** Uses a client without a secret that was registered before, for a login with a browser. */
    public OAuth client(String id) {
        return person(person -> person.client = new Client.Public(Objects.requireNonNull(id)));
    }

    /**
     * Uses a client with a secret that was registered before, for a login with a browser. Needs
     * {@link #issuer}: the secret is sent to no other. It is not kept with the login, unless {@link
     * #keepSecret} says so.
     */
    public OAuth client(String id, Secret secret) {
        return person(person -> person.client = confidential(id, secret));
    }

    /**
     * Keeps the secret of {@link #client(String, Secret)} with a login by browser, so that every
     * program with access to the store can renew it ({@link #withTokenStore}).
     */
    public OAuth keepSecret() {
        return person(person -> person.keepSecret = true);
    }

    /**
     * Sets the URL of the published metadata of this client, which is then its id at servers that
     * support that; for a login with a browser.
     *
     * @throws IllegalArgumentException if it is not an https URL with a path
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    public OAuth clientMetadata(URI document) {
        if (!"https".equalsIgnoreCase(document.getScheme())
                || document.getHost() == null
                || document.getRawPath().length() < 2) {
            throw new IllegalArgumentException(
                    "metadata of a client must be at an https URL with a path");
        }
        return person(person -> person.clientMetadata = document);
    }

    /** Sets the port to which a login with a browser returns; a free one by default. */
    public OAuth redirectPort(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port must be 0 to 65535 but was " + port);
        }
        return person(person -> person.redirectPort = port);
    }

    /** Sets how long the person may take for a login with a browser; 5 minutes by default. */
    public OAuth loginTimeout(Duration limit) {
        Checks.positive(limit, "loginTimeout");
        return person(person -> person.loginTimeout = limit);
    }

    /**
     * Sets how the URL of a login is shown to the person. By default it is opened in the browser of
     * the system. The URL is {@code https}, or {@code http} on the own machine; other URLs of the
     * server are refused. An exception of the consumer ends the login.
     */
    public OAuth browser(Consumer<URI> browser) {
        return person(person -> person.browser = Objects.requireNonNull(browser, "browser"));
    }

    private OAuth person(Consumer<OAuthOptions> change) {
        if (options.grant != null) {
            throw new IllegalStateException("this option is for a login with a browser");
        }
        return changed(change);
    }

    private OAuth changed(Consumer<OAuthOptions> change) {
        return new OAuth(options.with(change));
    }

    /**
     * Requests these scopes where the server's challenge names none; by default all scopes that the
     * metadata of the server lists.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    public OAuth scopes(String... scopes) {
        return changed(copy -> copy.scopes = Scopes.of(List.of(scopes)));
    }

    /**
     * Requests these scopes in addition to those of the server's challenge and of {@link #scopes},
     * for example because later calls will need them.
     */
    public OAuth additionalScopes(String... scopes) {
        return changed(copy -> copy.additionalScopes = Scopes.of(List.of(scopes)));
    }

    /**
     * Ignores the login that the store has for a server: when the server requires a token, the
     * person logs in again, and only then the new login replaces the stored one.
     */
    public OAuth forceLogin() {
        return changed(copy -> copy.forcesLogin = true);
    }

    /** Stores logins there; by default in memory, for this value and its copies. */
    public OAuth tokens(TokenStore store) {
        return changed(copy -> copy.store = Objects.requireNonNull(store, "store"));
    }

    /**
     * Requests tokens that are bound to a key, so that a stolen token is useless without it (RFC
     * 9449).
     */
    public OAuth dpop() {
        return changed(copy -> copy.dpop = true);
    }

    /**
     * Uses this issuer alone, and logins that it gave. A server that names others is refused; one
     * that names none is taken to accept it.
     *
     * <p>A secret, a key or a statement of the application is sent to an issuer only if this option
     * or {@link #chooseIssuer} names it. Without either, requests fail with {@link
     * AuthorizationException} before anything is sent: else any MCP server could name an issuer of
     * its own and get the secret.
     *
     * @param issuer as in its metadata, character by character
     */
    public OAuth issuer(String issuer) {
        return changed(copy -> copy.issuer = Objects.requireNonNull(issuer, "issuer"));
    }

    /**
     * Picks one of the issuers that a server names, or its own origin where it names none. By
     * default the first is used, with a client that has no credentials; with credentials see {@link
     * #issuer}.
     *
     * <p>The issuer that this function returns gets the credentials of the application, if it has
     * any: compare with the issuers that you know, and throw {@link AuthorizationException} if none
     * of them is there. It is asked about the issuer of a stored login as well.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    public OAuth chooseIssuer(Function<List<String>, String> choice) {
        return changed(copy -> copy.choose = Objects.requireNonNull(choice, "choice"));
    }

    /**
     * Takes a server that publishes no metadata for one of revision 2025-03-26, whose origin has
     * {@code /authorize}, {@code /token} and {@code /register}; by default such a server is
     * refused.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    public OAuth defaultEndpoints() {
        return changed(copy -> copy.defaultPlaces = true);
    }

    /**
     * Sets the addresses that may be connected to for URLs of metadata. By default {@link
     * UrlPolicy#publicOnly()}, and {@link UrlPolicy#loopbackAllowed()} for a server on the own
     * machine.
     */
    public OAuth policy(UrlPolicy policy) {
        return changed(copy -> copy.policy = Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Chooses the proxy through which metadata, registrations and tokens are fetched; by default
     * {@link Proxies#system}, as for the requests to servers. Where a proxy is used, a host that
     * this machine cannot resolve is left to it, see {@link UrlPolicy#allowsUnresolved}.
     */
    public OAuth proxies(Proxies proxies) {
        return changed(copy -> copy.proxies = Objects.requireNonNull(proxies, "proxies"));
    }

    /**
     * The logins that the store has, in the order of their servers. Blocks as long as the store
     * does.
     *
     * @throws UncheckedIOException if the store cannot be read
     */
    public List<StoredLogin> logins() {
        return options.store.servers().stream()
                .sorted()
                .flatMap(server -> login(server).stream())
                .toList();
    }

    /**
     * The login that the store has for the MCP endpoint of a server; empty if there is none. Blocks
     * as long as the store does.
     *
     * @throws UncheckedIOException if the store cannot be read
     */
    public Optional<StoredLogin> login(URI endpoint) {
        URI server = named(endpoint);
        return options.store
                .read(server)
                .flatMap(text -> Login.parse(text, null))
                .map(login -> StoredLogin.of(server, login));
    }

    /**
     * Ends the login for the MCP endpoint of a server: has its issuer revoke the tokens, and
     * forgets them whether it does or not. Blocks for a few fetches.
     *
     * @return the steps that were taken
     * @throws AuthorizationException if the store fails
     * @throws InterruptedException if the thread is interrupted; the login is still there, though
     *     its tokens may be revoked
     * @spec https://www.rfc-editor.org/rfc/rfc7009 RFC 7009
     */
    public Logout logout(URI endpoint) throws InterruptedException {
        URI server = named(endpoint);
        try {
            return of(server).logout(new Revocation(fetch(server)));
        } catch (InterruptedIOException e) {
            throw interrupted(e);
        } catch (IOException e) {
            throw new AuthorizationException(
                    "the logout failed: " + PlainText.of(e.getMessage()), PlainText.of(e));
        }
    }

    private static InterruptedException interrupted(InterruptedIOException cause) {
        Thread.interrupted(); // the exception reports it
        InterruptedException interrupted = new InterruptedException("interrupted");
        interrupted.initCause(cause);
        return interrupted;
    }

    @Override
    public RequestAuthorization request(URI endpoint, String method, URI url) {
        return new AuthorizedRequest(of(named(endpoint)), nonces, method, url);
    }

    /** Several spellings of a URL share one login. */
    private static URI named(URI endpoint) {
        return URI.create(Urls.canonical(endpoint));
    }

    private GuardedServer of(URI server) {
        options.requireIssuerForCredentials();
        return servers.get(server, this::guarded);
    }

    private Fetch fetch(URI server) {
        UrlPolicy given = options.policy;
        UrlPolicy usual =
                Loopback.isNamedBy(server) ? UrlPolicy.loopbackAllowed() : UrlPolicy.publicOnly();
        return new Fetch(
                given == null ? new NamedHosts(Set.of(server.getHost()), false, usual) : given,
                FetchLimits.DEFAULT,
                options.proxies);
    }

    private GuardedServer guarded(URI server) {
        Fetch fetch = fetch(server);
        Clock clock = Clock.systemUTC();
        Grant machine = options.grant;
        Grant grant = machine == null ? new CodeGrant(options, fetch) : machine;
        return new GuardedServer(
                server,
                new KeptLogin(
                        server,
                        options.store,
                        grant.client(),
                        options.keepSecret,
                        options.forcesLogin,
                        options::isUsableAt),
                grant,
                new Discovery(fetch, options.choice()),
                new TokenEndpoint(fetch, nonces, clock),
                options.dpop,
                clock);
    }
}
