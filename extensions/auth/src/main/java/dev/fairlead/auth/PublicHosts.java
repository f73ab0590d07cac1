package dev.fairlead.auth;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A policy for the public internet.
 *
 * @param ownMachine whether the own machine by its own names is allowed as well
 */
record PublicHosts(boolean ownMachine) implements UrlPolicy {
    /**
     * Names of the domain name system: the last label begins with a letter, so that no spelling of
     * an address is one, such as {@code 0x7f.1}.
     */
    private static final Pattern NAME =
            Pattern.compile("(?:[a-z0-9_-]{1,63}\\.)+[a-z][a-z0-9-]{0,62}\\.?");

    /** Domains that are not public (RFC 6761, 6762, 8375, 9476), or are used so. */
    private static final Set<String> PRIVATE =
            Set.of(
                    "alt",
                    "arpa",
                    "corp",
                    "home",
                    "internal",
                    "intranet",
                    "invalid",
                    "lan",
                    "local",
                    "localdomain",
                    "localhost",
                    "onion",
                    "private",
                    "test");

    @Override
    public boolean allows(URI url, InetAddress address) {
        return ownMachine && address.isLoopbackAddress()
                ? Loopback.isNamedBy(url)
                : "https".equalsIgnoreCase(url.getScheme()) && PublicAddress.is(address);
    }

    @Override
    public boolean allowsUnresolved(URI url) {
        String host = String.valueOf(url.getHost()).toLowerCase(Locale.ROOT);
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return "https".equalsIgnoreCase(url.getScheme())
                && NAME.matcher(name).matches()
                && !PRIVATE.contains(name.substring(name.lastIndexOf('.') + 1));
    }
}
