package dev.fairlead.auth.proxy;

import dev.fairlead.auth.Loopback;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URIs to which clients may redirect browsers. */
final class RedirectUris {
    static final int MAX_LENGTH = 2_000;

    private static final Pattern LOOPBACK_ADDRESS =
            Pattern.compile("(http://(?:127\\.0\\.0\\.1|\\[::1]))(?::[0-9]{1,5})?((?:[/?].*)?)");

    /** A URI goes into a header as it is. */
    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7E]+");

    private RedirectUris() {}

    /**
     * Returns whether a client may register it: {@code https}, or {@code http} on the own machine.
     */
    static boolean isRegistrable(String text) {
        if (text.length() > MAX_LENGTH || !PRINTABLE.matcher(text).matches()) {
            return false;
        }
        try {
            URI uri = new URI(text);
            return uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null
                    && ("https".equals(uri.getScheme())
                            || ("http".equals(uri.getScheme()) && Loopback.isNamedBy(uri)));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /**
     * Returns whether it is the one that was registered, character by character. Only the port of a
     * loopback address may be another, which the system assigns to a native application each time
     * (RFC 8252, 7.3).
     */
    static boolean matches(String registered, String asked) {
        if (registered.equals(asked)) {
            return true;
        }
        Matcher mine = LOOPBACK_ADDRESS.matcher(registered);
        Matcher other = LOOPBACK_ADDRESS.matcher(asked);
        return mine.matches()
                && other.matches()
                && mine.group(1).equals(other.group(1))
                && mine.group(2).equals(other.group(2))
                && isRegistrable(asked);
    }
}
