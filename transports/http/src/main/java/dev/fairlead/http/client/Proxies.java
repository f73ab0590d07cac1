package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses the HTTP proxy that requests go through. By default that is the one of {@link #system}.
 * Immutable; safe for use by several threads.
 */
public final class Proxies {
    private static final String OF_THE_JDK = "sun.net.spi.DefaultProxySelector";
    private static final String SELECTOR = "ProxySelector.getDefault";
    private static final Proxies SYSTEM = new Proxies(System.getenv());
    private static final Proxies NONE = new Proxies(null, null);

    private final @Nullable EnvironmentProxies environment; // null unless this is of the system
    private final @Nullable HttpProxy fixed;

    private Proxies(@Nullable EnvironmentProxies environment, @Nullable HttpProxy fixed) {
        this.environment = environment;
        this.fixed = fixed;
    }

    /** Uses the proxies of the system, with another environment. */
    Proxies(Map<String, String> environment) {
        this(new EnvironmentProxies(environment), null);
    }

    /**
     * The proxies of the JVM and the environment. The first of these that says something about the
     * URL decides:
     *
     * <ol>
     *   <li>a {@link ProxySelector} that the application has set as the default of the JVM
     *   <li>the properties {@code http.proxyHost} and {@code http.proxyPort}, {@code
     *       https.proxyHost} and {@code https.proxyPort}, {@code http.nonProxyHosts}; with {@code
     *       http.proxyUser} and {@code http.proxyPassword}, or those of {@code https}, for the
     *       scheme Basic
     *   <li>the environment variables {@code http_proxy}, {@code https_proxy}, {@code all_proxy}
     *       and {@code no_proxy}, in lower or upper case; {@code HTTP_PROXY} in upper case counts
     *       only outside of CGI, where a request could set it
     *   <li>the property {@code socksProxyHost}: requests fail, since SOCKS is not supported
     * </ol>
     *
     * <p>{@code no_proxy} lists hosts with the names below them, addresses, networks such as {@code
     * 10.0.0.0/8}, each also with a port, or is {@code *}. By the environment {@code localhost} and
     * loopback addresses are never asked through a proxy.
     */
    public static Proxies system() {
        return SYSTEM;
    }

    /** No proxy for any URL. */
    public static Proxies none() {
        return NONE;
    }

    /**
     * This proxy for every URL.
     *
     * @param proxy such as {@code http://proxy.example:3128}; with user information it gets a
     *     {@code Proxy-Authorization} of the scheme Basic
     * @throws IllegalArgumentException if it is not such a URL
     */
    public static Proxies at(URI proxy) {
        try {
            return new Proxies(null, HttpProxy.parse(proxy.toString(), "Proxies.at"));
        } catch (ConnectException e) {
            throw new IllegalArgumentException(e.getMessage());
        }
    }

    /**
     * The proxy for requests to this URL; empty where they go to its host directly.
     *
     * @throws ConnectException if a proxy is named that cannot be used, such as one of SOCKS: a
     *     request never goes past a proxy that was meant for it
     */
    public Optional<HttpProxy> find(URI url) throws ConnectException {
        if (environment == null) {
            return Optional.ofNullable(fixed);
        }
        return find(url, ProxySelector.getDefault(), environment);
    }

    static Optional<HttpProxy> find(
            URI url, @Nullable ProxySelector jvm, EnvironmentProxies environment)
            throws ConnectException {
        if (jvm == null) {
            return environment.find(url);
        }
        List<Proxy> proxies = jvm.select(url);
        Optional<HttpProxy> found = first(proxies, jvm, url);
        if (found.isPresent() || decides(jvm, url)) {
            return found;
        }
        Optional<HttpProxy> other = environment.find(url);
        if (other.isEmpty() && !isDirect(proxies) && !environment.isDirect(url)) {
            throw ofSocks("socksProxyHost", url);
        }
        return other;
    }

    private static boolean isDirect(List<Proxy> proxies) {
        return proxies.isEmpty() || proxies.getFirst().type() == Proxy.Type.DIRECT;
    }

    /**
     * Returns whether a setting of the JVM leads to a direct connection, and not the lack of one.
     */
    private static boolean decides(ProxySelector jvm, URI url) {
        String named = System.getProperty(scheme(url) + ".proxyHost");
        return !isOfJdk(jvm) || (named != null && !named.isBlank());
    }

    /** Finds the first HTTP proxy of a list that does not begin with a direct connection. */
    private static Optional<HttpProxy> first(List<Proxy> proxies, ProxySelector jvm, URI url)
            throws ConnectException {
        if (isDirect(proxies)) {
            return Optional.empty();
        }
        String property = scheme(url) + ".proxyHost";
        for (Proxy proxy : proxies) {
            if (proxy.type() == Proxy.Type.HTTP
                    && proxy.address() instanceof InetSocketAddress address) {
                return Optional.of(
                        new HttpProxy(
                                address.getHostString(),
                                address.getPort(),
                                isOfJdk(jvm) ? credentials(url) : null,
                                isOfJdk(jvm) ? property : SELECTOR));
            }
        }
        if (isOfJdk(jvm)) {
            return Optional.empty(); // the property is often set for something else
        }
        throw ofSocks(SELECTOR, url);
    }

    private static ConnectException ofSocks(String source, URI url) {
        return new ConnectException(
                "the proxy in "
                        + source
                        + " is one of SOCKS, which is not supported; set "
                        + scheme(url)
                        + ".proxyHost, or connect directly with Proxies.none()");
    }

    /** The properties that build tools and other clients read, as the JVM has none for it. */
    private static @Nullable String credentials(URI url) {
        String name = System.getProperty(scheme(url) + ".proxyUser");
        return name == null
                ? null
                : HttpProxy.basic(
                        name + ":" + System.getProperty(scheme(url) + ".proxyPassword", ""));
    }

    private static boolean isOfJdk(ProxySelector jvm) {
        return jvm.getClass().getName().equals(OF_THE_JDK);
    }

    private static String scheme(URI url) {
        return String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    }
}
