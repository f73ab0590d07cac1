package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.net.ConnectException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy that forwards HTTP, and TCP connections by {@code CONNECT}.
 *
 * @param host name or address, without brackets
 * @param authorization value of {@code Proxy-Authorization}; null for none
 * @param source the variable, property or method that named it, for messages
 */
public record HttpProxy(String host, int port, @Nullable String authorization, String source) {
    /** The way to give the credentials that a proxy asks for. */
    static final String CREDENTIALS =
            "give them in its URL, http://NAME:PASSWORD@HOST:PORT, or beside its property, as"
                    + " https.proxyUser and https.proxyPassword";

    private static final int USUAL_PORT = 80;

    private static final Pattern SCHEME = Pattern.compile("(\\p{Alpha}[\\p{Alnum}+.-]*)://(.*)");

    /** A host and a port. Names in container networks often have an underscore. */
    private static final Pattern PLACE =
            Pattern.compile(
                    "(?:\\[(?<address>[\\p{XDigit}:.]+(?:%\\w+)?)]|(?<name>[\\p{Alnum}._-]+))"
                            + "(?::(?<port>[0-9]{0,5}))?");

    public HttpProxy {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(source, "source");
    }

    /**
     * Parses {@code http://user:password@host:port}, of which only the host is required.
     *
     * @throws ConnectException if it is something else; the message has no password
     */
    static HttpProxy parse(String text, String source) throws ConnectException {
        Matcher url = SCHEME.matcher(text);
        String scheme = url.matches() ? url.group(1) : "http";
        String authority = (url.matches() ? url.group(2) : text).split("[/?#]", 2)[0];
        int at = authority.lastIndexOf('@');
        Matcher place = PLACE.matcher(authority.substring(at + 1));
        int port = place.matches() ? port(place.group("port")) : 0;
        if (port < 1 || port > 65_535) {
            throw new ConnectException(
                    "the proxy in " + source + " is not a URL such as http://proxy.example:3128");
        }
        if (!scheme.equalsIgnoreCase("http")) {
            throw new ConnectException(
                    "the proxy in "
                            + source
                            + " must have the scheme http but has "
                            + scheme
                            + "; set another one, or name the host of the server in NO_PROXY");
        }
        String address = place.group("address");
        return new HttpProxy(
                address == null ? place.group("name") : address,
                port,
                at < 0 ? null : basic(authority.substring(0, at), source),
                source);
    }

    private static int port(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? USUAL_PORT : Integer.parseInt(digits);
    }

    private static String basic(String userInfo, String source) throws ConnectException {
        try {
            String pair = URLDecoder.decode(userInfo.replace("+", "%2B"), StandardCharsets.UTF_8);
            return basic(pair.contains(":") ? pair : pair + ":");
        } catch (IllegalArgumentException e) { // its message has a part of the text
            throw new ConnectException(
                    "name and password of the proxy in " + source + " are not percent-encoded");
        }
    }

    /** Returns the value of {@code Proxy-Authorization} for {@code name:password}. */
    static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the address of the proxy and the source that named it, without the password. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port + " (" + source + ")";
    }
}
