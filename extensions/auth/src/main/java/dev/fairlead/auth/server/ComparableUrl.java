package dev.fairlead.auth.server;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * URLs in the form in which the one of a proof is compared with the one of its request: normalised
 * by syntax and by scheme (RFC 3986, 6.2.2 and 6.2.3), without query and fragment (RFC 9449, 4.3).
 */
final class ComparableUrl {
    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]");

    private ComparableUrl() {}

    /** Empty if it is not a URL of a web server, or names a user. */
    static Optional<String> of(String text) {
        try {
            URI url = URI.create(escapes(text)).normalize();
            String scheme = lower(String.valueOf(url.getScheme()));
            boolean isWeb = scheme.equals("https") || scheme.equals("http");
            if (!isWeb || url.getHost() == null || url.getRawUserInfo() != null) {
                return Optional.empty();
            }
            String path = url.getRawPath();
            return Optional.of(
                    scheme
                            + "://"
                            + lower(url.getHost())
                            + port(url.getPort(), scheme)
                            + (path.isEmpty() ? "/" : path));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static String port(int port, String scheme) {
        boolean isUsual = port < 0 || port == (scheme.equals("https") ? 443 : 80);
        return isUsual ? "" : ":" + port;
    }

    private static String escapes(String text) {
        return ESCAPE.matcher(text).replaceAll(escape -> Matcher.quoteReplacement(plain(escape)));
    }

    private static String plain(MatchResult escape) {
        String plain = String.valueOf((char) Integer.parseInt(escape.group(1), 16));
        return UNRESERVED.matcher(plain).matches()
                ? plain
                : escape.group().toUpperCase(Locale.ROOT);
    }
}
