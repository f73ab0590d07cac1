package dev.fairlead.auth.fetch;

import dev.fairlead.auth.UrlPolicy;

import java.net.InetAddress;
import java.net.URI;
import java.util.Set;

/**
 * A policy for hosts that the application has named itself, and another for those that a peer
 * names.
 *
 * @param hosts as in URLs
 * @param anyAddress whether they may have any address, also a private one
 */
public record NamedHosts(Set<String> hosts, boolean anyAddress, UrlPolicy others)
        implements UrlPolicy {
    public NamedHosts {
        hosts = Set.copyOf(hosts);
    }

    private boolean isNamed(URI url) {
        return url.getHost() != null && hosts.contains(url.getHost());
    }

    @Override
    public boolean allows(URI url, InetAddress address) {
        return (anyAddress && isNamed(url)) || others.allows(url, address);
    }

    @Override
    public boolean allowsUnresolved(URI url) {
        return isNamed(url) || others.allowsUnresolved(url);
    }
}
