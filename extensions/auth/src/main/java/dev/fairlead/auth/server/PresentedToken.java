package dev.fairlead.auth.server;

import dev.fairlead.auth.server.TokenRefusal.Kind;
import dev.fairlead.http.spi.HttpExchange;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The access token of a request; only the header may have one. */
record PresentedToken(Scheme scheme, String token) {
    /** The longest token that is looked at, in characters. */
    static final int MAX_LENGTH = 16 * 1024;

    /** RFC 6750, 2.1. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    /** How a token is presented. */
    enum Scheme {
        BEARER("Bearer"),
        /** A token with the proof of a key (RFC 9449). */
        DPOP("DPoP");

        final String text;

        Scheme(String text) {
            this.text = text;
        }

        private boolean begins(String value) {
            return value.regionMatches(true, 0, text + ' ', 0, text.length() + 1);
        }
    }

    static PresentedToken in(HttpExchange request) throws TokenRefusal {
        if (request.query().filter(PresentedToken::hasToken).isPresent()) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "A token must not be in the URL");
        }
        List<String> values = request.headers("Authorization");
        if (values.size() > 1) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "There is more than one token");
        }
        String value = values.isEmpty() ? "" : values.get(0).strip();
        for (Scheme scheme : Scheme.values()) {
            if (scheme.begins(value)) {
                String token = value.substring(scheme.text.length()).strip();
                return new PresentedToken(scheme, checked(token));
            }
        }
        throw new TokenRefusal(Kind.MISSING, "An access token is required");
    }

    private static String checked(String token) throws TokenRefusal {
        if (token.length() > MAX_LENGTH) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "The token is too long");
        }
        if (!isToken(token)) {
            throw new TokenRefusal(Kind.INVALID_REQUEST, "The token is not well-formed");
        }
        return token;
    }

    /** Returns whether it has the form of one. */
    static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    private static boolean hasToken(String query) {
        return Arrays.stream(query.split("&", -1))
                .map(parameter -> parameter.split("=", 2)[0])
                .anyMatch(name -> decoded(name).equals("access_token"));
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // it is not a known name then
            return name;
        }
    }

    /** Returns the scheme without the token. */
    @Override
    public String toString() {
        return "a token presented as " + scheme.text;
    }
}
