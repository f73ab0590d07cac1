package dev.fairlead.console.watch;

import dev.fairlead.http.spi.HttpExchange;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The view that a page shows, and its filter.
 *
 * @param view the name of the view
 * @param filter the text that rows must contain, in lower case; empty for all
 * @param scopes the scopes of a caller whose view is shown; empty for an anonymous one
 */
record Query(String view, String filter, Set<String> scopes) {
    private static final int MAX_FILTER = 100;
    private static final int MAX_SCOPES = 1_000;

    /** Reads the query of a request; a broken one asks for nothing. */
    static Query of(HttpExchange exchange) {
        Map<String, String> values = new HashMap<>();
        for (String pair : exchange.query().orElse("").split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
            }
        }
        String filter = values.getOrDefault("q", "").strip().toLowerCase(Locale.ROOT);
        return new Query(
                values.getOrDefault("view", ""),
                filter.substring(0, Math.min(MAX_FILTER, filter.length())),
                scopes(values.getOrDefault("scopes", "")));
    }

    private static Set<String> scopes(String text) {
        String known = text.substring(0, Math.min(MAX_SCOPES, text.length())).strip();
        return known.isEmpty() ? Set.of() : Set.copyOf(List.of(known.split("[\\s,]+")));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** Returns whether one of the texts contains the filter. */
    boolean matches(String... texts) {
        if (filter.isEmpty()) {
            return true;
        }
        for (String text : texts) {
            if (text.toLowerCase(Locale.ROOT).contains(filter)) {
                return true;
            }
        }
        return false;
    }
}
