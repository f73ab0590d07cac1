package dev.fairlead.auth.server;

import dev.fairlead.auth.server.TokenRefusal.Kind;
import dev.fairlead.http.spi.HttpExchange;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Takes the access token out of a request; only the header may have one (AUTH-038, AUTH-040). */
final class PresentedToken {
    /** The longest token that is looked at, in characters. */
    static final int MAX_LENGTH = 16 * 1024;

    private static final String SCHEME = "Bearer ";

    /** RFC 6750, 2.1. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private PresentedToken() {}

    static String in(HttpExchange request) throws TokenRefusal {
        if (request.query().filter(PresentedToken::hasToken).isPresent()) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "A token must not be in the URL");
        }
        List<String> values = request.headers("Authorization");
        if (values.size() > 1) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "There is more than one token");
        }
        String value = values.isEmpty() ? "" : values.get(0).strip();
        if (!value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new TokenRefusal(Kind.MISSING, "An access token is required");
        }
        return checked(value.substring(SCHEME.length()).strip());
    }

    private static String checked(String token) throws TokenRefusal {
        if (token.length() > MAX_LENGTH) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "The token is too long");
        }
        if (!TOKEN.matcher(token).matches()) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "The token is not well-formed");
        }
        return token;
    }

    private static boolean hasToken(String query) {
        return Arrays.stream(query.split("&", -1))
                .map(parameter -> parameter.split("=", 2)[0])
                .anyMatch(name -> decoded(name).equals("access_token"));
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // it is nobody's name then
            return name;
        }
    }
}
