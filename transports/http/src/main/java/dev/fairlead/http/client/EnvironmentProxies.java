package dev.fairlead.http.client;

import dev.fairlead.http.exchange.Network;
import dev.fairlead.http.spi.AddressLiteral;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The proxies that variables of the environment name, by the rules of curl and most other tools.
 */
final class EnvironmentProxies {
    private final Map<String, String> environment;

    EnvironmentProxies(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Returns whether requests go to the host of the URL directly, whatever proxy is named. */
    boolean isDirect(URI url) {
        String host = bare(url);
        Optional<InetAddress> address = AddressLiteral.parse(host);
        return isOwnMachine(host, address) || isExcepted(host, address, ConnectorOptions.port(url));
    }

    Optional<HttpProxy> find(URI url) throws ConnectException {
        if (isDirect(url)) {
            return Optional.empty();
        }
        for (String name : names(url)) {
            String value = environment.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return Optional.of(HttpProxy.parse(value, name));
            }
        }
        return Optional.empty();
    }

    /**
     * The variables in their order. A web server passes the header {@code Proxy} of a request on to
     * its CGI programs as {@code HTTP_PROXY}: there it is no one's choice but the client's.
     */
    private List<String> names(URI url) {
        if (url.getScheme().equalsIgnoreCase("https")) {
            return List.of("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY");
        }
        return environment.containsKey("REQUEST_METHOD")
                ? List.of("http_proxy", "all_proxy", "ALL_PROXY")
                : List.of("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY");
    }

    private static String bare(URI url) {
        String host = String.valueOf(url.getHost()).toLowerCase(Locale.ROOT);
        String name = withoutDot(host);
        return name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    }

    /** A name with a dot at its end is the same, written in full. */
    private static String withoutDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static boolean isOwnMachine(String host, Optional<InetAddress> address) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || address.filter(InetAddress::isLoopbackAddress).isPresent();
    }

    private boolean isExcepted(String host, Optional<InetAddress> address, int port) {
        String lower = environment.getOrDefault("no_proxy", "");
        String list = lower.isBlank() ? environment.getOrDefault("NO_PROXY", "") : lower;
        return Arrays.stream(list.toLowerCase(Locale.ROOT).split("[\\s,]+"))
                .filter(entry -> !entry.isEmpty())
                .anyMatch(entry -> excepts(entry, host, address, port));
    }

    private static boolean excepts(
            String entry, String host, Optional<InetAddress> address, int port) {
        if (entry.equals("*")) {
            return true;
        }
        String place = withoutPort(entry);
        if (place.length() < entry.length()
                && !entry.substring(place.length() + 1).equals(Integer.toString(port))) {
            return false;
        }
        if (address.isPresent()) {
            return contains(place, address.get());
        }
        String name = place.startsWith("*.") ? place.substring(1) : place;
        String domain = withoutDot(name.startsWith(".") ? name.substring(1) : name);
        return !domain.isEmpty() && (host.equals(domain) || host.endsWith("." + domain));
    }

    /** An IPv6 address has a port only in brackets. */
    private static String withoutPort(String entry) {
        int colon = entry.lastIndexOf(':');
        boolean isPort =
                colon > 0
                        && (entry.indexOf(':') == colon || entry.charAt(colon - 1) == ']')
                        && entry.substring(colon + 1).matches("[0-9]{1,5}");
        return isPort ? entry.substring(0, colon) : entry;
    }

    private static boolean contains(String place, InetAddress address) {
        try {
            return Network.parse(place).contains(address);
        } catch (IllegalArgumentException e) { // a name
            return false;
        }
    }
}
