package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.AddressLiteral;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.Locale;

/**
 * The client's request as a reverse proxy describes it.
 *
 * @param from the address of the sender; null if the proxy does not name it
 * @param host the sender's {@code Host}; null if the proxy does not name it, and empty if its
 *     origin is unclear
 * @param scheme how the sender has connected, {@code http} or {@code https}; null if the proxy does
 *     not name it so, or not clearly
 */
public record ForwardedRequest(
        @Nullable InetAddress from, @Nullable String host, @Nullable String scheme) {
    /** A hop without any values. */
    public static final ForwardedRequest SILENT = new ForwardedRequest(null, null, null);

    /** Parses one of the two schemes, in any case; returns null for other texts. */
    public static @Nullable String scheme(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.equals("http") || lower.equals("https") ? lower : null;
    }

    /** The address of a node, which may have a port; null where it hides itself. */
    public static @Nullable InetAddress address(String node) {
        int bracket = node.indexOf(']');
        int colon = node.indexOf(':');
        String bare = node;
        if (node.startsWith("[") && bracket > 0) {
            bare = node.substring(0, bracket + 1);
        } else if (colon >= 0 && colon == node.lastIndexOf(':')) {
            bare = node.substring(0, colon);
        }
        return AddressLiteral.parse(bare).orElse(null);
    }
}
