package dev.fairlead.auth.proxy;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.protocol.InsufficientScopeException;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The provider that people log in at, on behalf of an {@link AuthorizationProxy}, which is
 * registered there as one client. The user is the subject of its ID token ({@link #openId}), or the
 * one that {@link #user} returns.
 *
 * <p>Values are immutable: every option gives a changed copy.
 */
public final class Upstream {
    final UpstreamOptions options;

    private Upstream(UpstreamOptions options) {
        this.options = options;
    }

    private Upstream with(Consumer<UpstreamOptions> change) {
        return new Upstream(options.with(change));
    }

    /**
     * A provider of OAuth whose endpoints are known, such as GitHub. It needs a {@link #user}.
     *
     * @throws IllegalArgumentException if one is not an {@code https} URL, nor {@code http} on the
     *     own machine
     */
    public static Upstream of(URI authorizationEndpoint, URI tokenEndpoint) {
        requireSafe(authorizationEndpoint);
        requireSafe(tokenEndpoint);
        UpstreamOptions options = new UpstreamOptions();
        options.fixed = UpstreamServer.at(authorizationEndpoint, tokenEndpoint);
        options.name(tokenEndpoint);
        return new Upstream(options);
    }

    /**
     * A provider of OpenID Connect, whose metadata (OpenID or RFC 8414) contains its endpoints. The
     * scope {@code openid} is asked for, and the subject is that of the ID token, once its
     * signature, issuer, audience, times and nonce were verified.
     *
     * @param issuer exactly as in its metadata
     * @throws IllegalArgumentException if it is not an {@code https} URL, nor {@code http} on the
     *     own machine
     */
    public static Upstream openId(String issuer) {
        URI url = URI.create(issuer);
        requireSafe(url);
        UpstreamOptions options = new UpstreamOptions();
        options.issuer = issuer;
        options.scopes = List.of("openid");
        options.name(url);
        return new Upstream(options);
    }

    private static void requireSafe(URI url) {
        if (!UpstreamServer.isSafe(url)) {
            throw new IllegalArgumentException(
                    "an upstream has https URLs, or http on the own machine, but one was " + url);
        }
    }

    /**
     * The client that is registered there. Its redirect URI is {@code /callback} below the origin
     * of the proxy.
     */
    public Upstream client(String id, Secret secret) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(secret, "secret");
        return with(
                copy -> {
                    copy.clientId = id;
                    copy.secret = secret;
                });
    }

    /**
     * Sets the scopes to request there, which need to be no more than identify the user; none by
     * default, and {@code openid} with {@link #openId}, where it has to be one of these.
     *
     * @throws IllegalArgumentException if one is not a scope
     */
    public Upstream scopes(String... scopes) {
        Arrays.stream(scopes).forEach(InsufficientScopeException::requireScope);
        return with(copy -> copy.scopes = List.of(scopes));
    }

    /**
     * Asks there who has logged in, by GET with the access token: the subject is a member of the
     * JSON object that comes back, a string or a number.
     *
     * @param member such as {@code id}: one that never changes and is never given to another user
     */
    public Upstream user(URI url, String member) {
        requireSafe(url);
        Objects.requireNonNull(member, "member");
        return with(
                copy -> {
                    copy.user = fetch -> new UserInfo(fetch, url, member);
                    copy.name(url);
                });
    }

    /** Identifies the user in your own way. */
    public Upstream user(UpstreamUser user) {
        Objects.requireNonNull(user, "user");
        return with(copy -> copy.user = fetch -> user);
    }

    /**
     * The issuer of a provider whose endpoints are known. Where its redirects name an issuer
     * ({@code iss}, RFC 9207), it has to be this one.
     *
     * @throws IllegalStateException if it has been named already, to {@link #openId}
     */
    public Upstream issuer(String issuer) {
        Objects.requireNonNull(issuer, "issuer");
        UpstreamServer server = options.fixed;
        if (server == null) {
            throw new IllegalStateException("the issuer is " + options.issuer);
        }
        return with(copy -> copy.fixed = server.by(issuer));
    }

    /**
     * Decides to which addresses requests may be sent. By default the hosts that were named here
     * may have any address, and other hosts, which metadata names, a public one.
     */
    public Upstream policy(UrlPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return with(copy -> copy.policy = policy);
    }

    /** Returns the hosts without the secret. */
    @Override
    public String toString() {
        return "upstream " + options.hosts;
    }
}
