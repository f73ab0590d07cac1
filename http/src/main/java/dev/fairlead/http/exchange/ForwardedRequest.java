package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.AddressLiteral;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.Locale;

/**
 * What a reverse proxy tells of the request that it has forwarded.
 *
 * @param from who sent it; null if it does not say so
 * @param host what that one named as {@code Host}; null if it does not say so, and empty if it is
 *     not clear who says so
 * @param scheme how that one has connected, {@code http} or {@code https}; null if it does not say
 *     so, or not clearly
 */
public record ForwardedRequest(
        @Nullable InetAddress from, @Nullable String host, @Nullable String scheme) {
    /** It was forwarded, and that is all. */
    public static final ForwardedRequest SILENT = new ForwardedRequest(null, null, null);

    /** One of the two schemes that there are, whatever its case; null for anything else. */
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
