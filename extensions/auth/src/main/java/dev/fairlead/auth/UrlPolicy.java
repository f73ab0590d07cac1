package dev.fairlead.auth;

import java.net.InetAddress;
import java.net.URI;

/**
 * Which addresses may be connected to on behalf of a URL that a server named, such as the one of
 * its metadata. It is asked once for every address that the host of the URL has, and the connection
 * is made to none but an address that it allowed; redirects are asked about in the same way.
 *
 * <p>A policy cannot allow plain {@code http} to another host than {@code localhost} and the
 * loopback addresses: whatever it says, those URLs are refused. Called on several threads at once.
 *
 * @spec
 *     https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices#server-side-request-forgery-ssrf
 *     Server-side request forgery
 */
@FunctionalInterface
public interface UrlPolicy {
    /**
     * Whether the URL may be fetched from this address.
     *
     * @param url absolute, {@code https}, or {@code http} with the name of the own machine
     * @param address one of the addresses that the host of the URL has
     */
    boolean allows(URI url, InetAddress address);

    /**
     * Only {@code https}, and only addresses of the public internet: what a client that runs on a
     * server needs.
     */
    static UrlPolicy publicOnly() {
        return (url, address) ->
                "https".equalsIgnoreCase(url.getScheme()) && PublicAddress.is(address);
    }

    /**
     * What {@link #publicOnly()} allows, and the own machine by its own names: {@code localhost}
     * and its loopback addresses, also by {@code http}. For development, and for clients whose
     * server runs beside them.
     */
    static UrlPolicy loopbackAllowed() {
        UrlPolicy elsewhere = publicOnly();
        return (url, address) ->
                address.isLoopbackAddress()
                        ? Loopback.isNamedBy(url)
                        : elsewhere.allows(url, address);
    }
}
