package dev.fairlead.auth;

import java.net.InetAddress;
import java.net.URI;

/**
 * Decides which addresses may be connected to for a URL that a server named, such as the one of its
 * metadata. It is called once for every address of the host of the URL, and connections are made
 * only to addresses that it allowed; the same holds for redirects.
 *
 * <p>A policy cannot allow plain {@code http} to another host than {@code localhost} and the
 * loopback addresses: those URLs are refused without a call. Called on several threads at once.
 *
 * @spec
 *     https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices#server-side-request-forgery-ssrf
 *     Server-side request forgery
 */
@FunctionalInterface
public interface UrlPolicy {
    /**
     * Returns whether the URL may be fetched from this address.
     *
     * @param url absolute, {@code https}, or {@code http} with the name of the own machine
     * @param address one of the addresses that the host of the URL has
     */
    boolean allows(URI url, InetAddress address);

    /**
     * Returns whether the URL may be fetched through a proxy although this machine finds no address
     * of its host, so that there is none to check: the proxy finds it, and decides which servers
     * may be reached. Asked only where the operator has set a proxy; {@code false} by default. The
     * policies of this interface allow names of the public internet, by {@code https} alone: the
     * server at the address that the proxy finds must have a certificate for the name.
     */
    default boolean allowsUnresolved(URI url) {
        return false;
    }

    /**
     * Allows only {@code https}, and only addresses of the public internet, as clients on a server
     * need it.
     */
    static UrlPolicy publicOnly() {
        return new PublicHosts(false);
    }

    /**
     * Allows the URLs of {@link #publicOnly()}, and the own machine by its own names: {@code
     * localhost} and its loopback addresses, also by {@code http}. For development, and for clients
     * whose server runs beside them.
     */
    static UrlPolicy loopbackAllowed() {
        return new PublicHosts(true);
    }
}
