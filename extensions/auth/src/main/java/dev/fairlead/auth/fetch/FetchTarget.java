package dev.fairlead.auth.fetch;

import dev.fairlead.auth.Loopback;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.http.client.HttpProxy;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/**
 * A URL that may be fetched, with the addresses that were checked. It is made only by {@link
 * #check}, so each one was checked.
 *
 * @param addresses to connect to: those of the host, or of the proxy, which are the operator's
 *     choice and not checked
 */
record FetchTarget(URI url, List<InetAddress> addresses, @Nullable HttpProxy proxy) {
    /**
     * Resolves the host and asks the policy about every address that it has, also where a proxy
     * connects to it. A host that only the proxy can resolve needs the permission of the policy.
     *
     * @throws RefusedException if the URL is none that is fetched, or an address is not allowed
     * @throws UnknownHostException if the host, or the proxy, has no address
     */
    static FetchTarget check(
            URI url, UrlPolicy policy, Resolver resolver, @Nullable HttpProxy proxy)
            throws RefusedException, UnknownHostException {
        checkForm(url);
        List<InetAddress> addresses;
        try {
            addresses = found(bare(url.getHost()), resolver);
        } catch (UnknownHostException e) {
            if (proxy == null || !policy.allowsUnresolved(url)) {
                throw e;
            }
            addresses = List.of();
        }
        for (InetAddress address : addresses) {
            if (!policy.allows(url, address)) {
                throw new RefusedException(
                        place(url)
                                + " is not fetched: the address "
                                + address.getHostAddress()
                                + " is not allowed");
            }
        }
        return new FetchTarget(
                url, proxy == null ? List.copyOf(addresses) : found(proxy.host(), resolver), proxy);
    }

    private static List<InetAddress> found(String host, Resolver resolver)
            throws UnknownHostException {
        List<InetAddress> addresses = resolver.addresses(host);
        if (addresses.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return addresses;
    }

    private static void checkForm(URI url) throws RefusedException {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        boolean isPlain = scheme.equals("http");
        if (!isPlain && !scheme.equals("https")) {
            throw new RefusedException(
                    "only https is fetched, not the scheme '" + PlainText.of(scheme) + "'");
        }
        if (url.getHost() == null || url.getRawUserInfo() != null) {
            throw new RefusedException("a URL is fetched that has a host and no user information");
        }
        if (isPlain && !Loopback.isNamedBy(url)) {
            throw new RefusedException(
                    place(url) + " is not fetched: http is only for the own machine");
        }
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The URL for messages. */
    static String place(URI url) {
        return PlainText.of(url.getScheme() + "://" + url.getRawAuthority());
    }

    /** Returns whether both have the same scheme, host and port. */
    boolean isSameOrigin(URI other) {
        return url.getScheme().equalsIgnoreCase(other.getScheme())
                && url.getHost().equalsIgnoreCase(other.getHost())
                && port(url) == port(other);
    }

    private static int port(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return url.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }
}
