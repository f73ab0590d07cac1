package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.HttpExchange;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code Forwarded} (RFC 7239). It is read strictly: in a malformed header, a quote of the client's
 * could hide the elements that a proxy has added.
 */
final class StandardForwarded implements ForwardedHeaders {
    private static final Pattern PAIR =
            Pattern.compile(
                    "\\s*+(?:(?<name>[^\\s=\",;]++)="
                            + "(?:\"(?<quoted>[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\""
                            + "|(?<plain>[^\\s\",;]*+)))?+\\s*+(?<end>[,;]|$)");

    @Override
    public List<ForwardedRequest> hops(HttpExchange exchange) {
        List<ForwardedRequest> hops = new ArrayList<>();
        for (String value : exchange.headers("Forwarded")) {
            if (!read(value, hops)) {
                return List.of(ForwardedRequest.SILENT);
            }
        }
        return hops;
    }

    /** Adds a value of the header; false if it is not well-formed. */
    private static boolean read(String value, List<ForwardedRequest> hops) {
        Matcher pair = PAIR.matcher(value);
        Element element = new Element();
        String end = ";";
        while (!end.isEmpty()) {
            if (!pair.lookingAt()) {
                return false;
            }
            element.add(pair);
            end = pair.group("end");
            if (!end.equals(";")) {
                element.addTo(hops);
                element = new Element();
            }
            pair.region(pair.end(), value.length());
        }
        return true;
    }

    /** The values of one proxy. */
    private static final class Element {
        private boolean hasPairs;
        private @Nullable InetAddress from;
        private @Nullable String host;
        private @Nullable String scheme;

        void add(Matcher pair) {
            String name = pair.group("name");
            if (name == null) {
                return;
            }
            hasPairs = true;
            String quoted = pair.group("quoted");
            String value =
                    quoted == null ? pair.group("plain") : quoted.replaceAll("\\\\(.)", "$1");
            switch (name.toLowerCase(Locale.ROOT)) {
                case "for" -> from = ForwardedRequest.address(value);
                case "host" -> host = value;
                case "proto" -> scheme = ForwardedRequest.scheme(value);
                default -> {}
            }
        }

        void addTo(List<ForwardedRequest> hops) {
            if (hasPairs) {
                hops.add(new ForwardedRequest(from, host, scheme));
            }
        }
    }
}
