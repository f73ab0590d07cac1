package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The headers that begin with {@code X-Forwarded}, which most proxies write. */
final class CustomForwarded implements ForwardedHeaders {
    @Override
    public List<ForwardedRequest> hops(HttpExchange exchange) {
        List<String> addresses = values(exchange, "X-Forwarded-For");
        List<String> hosts = values(exchange, "X-Forwarded-Host").stream().distinct().toList();
        List<String> schemes = values(exchange, "X-Forwarded-Proto").stream().distinct().toList();
        String host = hosts.isEmpty() ? null : host(hosts);
        String scheme = schemes.size() == 1 ? ForwardedRequest.scheme(schemes.get(0)) : null;
        if (addresses.isEmpty()) {
            boolean silent = hosts.isEmpty() && schemes.isEmpty();
            return silent ? List.of() : List.of(new ForwardedRequest(null, host, scheme));
        }
        List<ForwardedRequest> hops = new ArrayList<>(addresses.size());
        for (String address : addresses) {
            hops.add(new ForwardedRequest(ForwardedRequest.address(address), host, scheme));
        }
        return hops;
    }

    /**
     * Returns the host if there is exactly one: of several, it is unknown which one the client
     * sent.
     */
    private static String host(List<String> hosts) {
        return hosts.size() == 1 ? hosts.get(0) : "";
    }

    private static List<String> values(HttpExchange exchange, String name) {
        return exchange.headers(name).stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    @Override
    public String prefix(HttpExchange exchange) {
        return exchange.header("X-Forwarded-Prefix")
                .filter(prefix -> prefix.startsWith("/"))
                .map(prefix -> prefix.replaceAll("/+$", ""))
                .orElse("");
    }
}
