package dev.fairlead.http.loop;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * The target of a request line.
 *
 * @param authority of an absolute target; null for others
 * @param path undecoded
 * @param query undecoded; null where there is none
 * @spec https://www.rfc-editor.org/rfc/rfc9112#section-3.2 RFC 9112, 3.2
 */
record RequestTarget(@Nullable String authority, String path, @Nullable String query) {
    private static final String SCHEME = "http://";

    /**
     * Reads a path with or without a query, or an absolute URL.
     *
     * @throws BadRequestException if it is neither
     */
    static RequestTarget parse(String target) throws BadRequestException {
        if (target.startsWith("/")) {
            return relative(null, target);
        }
        if (target.equals("*")) {
            return new RequestTarget(null, target, null); // no route has this path
        }
        if (!target.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw BadRequestException.malformed("The target is neither a path nor an http URL");
        }
        int slash = target.indexOf('/', SCHEME.length());
        int end = slash < 0 ? target.length() : slash;
        String authority = target.substring(SCHEME.length(), end);
        if (authority.isEmpty()) {
            throw BadRequestException.malformed("The target has no host");
        }
        return relative(authority, slash < 0 ? "/" : target.substring(slash));
    }

    private static RequestTarget relative(@Nullable String authority, String target)
            throws BadRequestException {
        int mark = target.indexOf('?');
        int end = mark < 0 ? target.length() : mark;
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (!Syntax.isPath(c) && !(c == '?' && i >= end)) {
                throw BadRequestException.malformed(
                        "The target has a character that is not allowed");
            }
            if (c == '%' && !isEncoded(target, i)) {
                throw BadRequestException.malformed("The target has an incomplete escape");
            }
        }
        return new RequestTarget(
                authority, target.substring(0, end), mark < 0 ? null : target.substring(mark + 1));
    }

    private static boolean isEncoded(String target, int percent) {
        return percent + 2 < target.length()
                && Syntax.hex(target.charAt(percent + 1)) >= 0
                && Syntax.hex(target.charAt(percent + 2)) >= 0;
    }
}
