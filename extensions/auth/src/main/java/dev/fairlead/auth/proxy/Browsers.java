package dev.fairlead.auth.proxy;

import dev.fairlead.http.spi.HttpExchange;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Knows browsers again by a random cookie, of which only the hash is kept. With {@code https} its
 * name begins with {@code __Host-}, so that no other host can set it. Over plain {@code http} not
 * every browser takes such a name and {@code Secure}, even from the own machine, so there, where
 * one develops, the cookie has neither.
 */
final class Browsers {
    /** How long a browser keeps the cookie. */
    static final Duration KEPT = Duration.ofDays(30);

    private final String name;
    private final String attributes;

    Browsers(boolean secure) {
        name = secure ? "__Host-fairlead" : "fairlead";
        attributes =
                "; Path=/; Max-Age="
                        + KEPT.toSeconds()
                        + "; HttpOnly; SameSite=Lax"
                        + (secure ? "; Secure" : "");
    }

    /**
     * The browser that a request comes from.
     *
     * @return empty if it has no cookie
     */
    Optional<String> of(HttpExchange exchange) {
        return exchange.headers("Cookie").stream()
                .flatMap(header -> Arrays.stream(header.split(";")))
                .map(String::strip)
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .filter(OpaqueToken::isOne)
                .findFirst();
    }

    /** The value of {@code Set-Cookie} for this browser. */
    String cookie(String browser) {
        return name + "=" + browser + attributes;
    }
}
