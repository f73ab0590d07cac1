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
     * Whether the URL may be fetched through a proxy although this machine finds no address of its
     * host, so that there is none to check: the proxy finds it, and decides what may be reached.
     * Asked only where the operator has set a proxy; {@code false} by default. The policies of this
     * interface allow names of the public internet, by {@code https} alone: whatever address the
     * proxy finds, the server there must have a certificate for the name.
     */
    default boolean allowsUnresolved(URI url) {
        return false;
    }

    /**
     * Only {@code https}, and only addresses of the public internet: what a client that runs on a
     * server needs.
     */
    static UrlPolicy publicOnly() {
        return new PublicHosts(false);
    }

    /**
     * What {@link #publicOnly()} allows, and the own machine by its own names: {@code localhost}
     * and its loopback addresses, also by {@code http}. For development, and for clients whose
     * server runs beside them.
     */
    static UrlPolicy loopbackAllowed() {
        return new PublicHosts(true);
    }
}
