package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a reverse proxy tells of the request that it has forwarded.
 *
 * @param from who sent it; null if it does not say so
 * @param host what that one named as {@code Host}; null if it does not say so
 */
record Hop(@Nullable InetAddress from, @Nullable String host) {
    /** What {@code Forwarded} tells (RFC 7239), else its forerunners; the nearest proxy last. */
    static List<Hop> of(HttpExchange exchange) {
        List<String> elements = values(exchange, "Forwarded");
        return elements.isEmpty()
                ? forerunners(exchange)
                : elements.stream().map(Hop::element).toList();
    }

    private static Hop element(String element) {
        InetAddress from = null;
        String host = null;
        for (String pair : split(element, ';')) {
            int equals = pair.indexOf('=');
            String value = equals < 0 ? "" : unquoted(pair.substring(equals + 1).strip());
            switch (equals < 0 ? "" : pair.substring(0, equals).strip().toLowerCase(Locale.ROOT)) {
                case "for" -> from = node(value).orElse(null);
                case "host" -> host = value;
                default -> {}
            }
        }
        return new Hop(from, host);
    }

    /** A proxy that replaces {@code X-Forwarded-Host} leaves one for all. */
    private static List<Hop> forerunners(HttpExchange exchange) {
        List<String> addresses = values(exchange, "X-Forwarded-For");
        List<String> hosts = values(exchange, "X-Forwarded-Host");
        int size = Math.max(addresses.size(), hosts.isEmpty() ? 0 : 1);
        List<Hop> hops = new ArrayList<>(size);
        for (int fromEnd = size - 1; fromEnd >= 0; fromEnd--) {
            int address = addresses.size() - 1 - fromEnd;
            int host = Math.max(hosts.size() - 1 - fromEnd, 0);
            hops.add(
                    new Hop(
                            address < 0 ? null : node(addresses.get(address)).orElse(null),
                            hosts.isEmpty() ? null : hosts.get(host)));
        }
        return hops;
    }

    private static List<String> values(HttpExchange exchange, String name) {
        return exchange.headers(name).stream()
                .flatMap(value -> split(value, ',').stream())
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /** The address of a node, which may have a port; empty where it hides itself. */
    private static Optional<InetAddress> node(String node) {
        int bracket = node.indexOf(']');
        if (node.startsWith("[") && bracket > 0) {
            return Network.address(node.substring(1, bracket));
        }
        int colon = node.indexOf(':');
        boolean port = colon >= 0 && colon == node.lastIndexOf(':');
        return Network.address(port ? node.substring(0, colon) : node);
    }

    private static String unquoted(String value) {
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /** The parts between separators that are not quoted. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            quoted ^= c == '"';
            if (c == separator && !quoted) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
