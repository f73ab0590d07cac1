package dev.fairlead.auth.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A challenge of {@code WWW-Authenticate}.
 *
 * @param scheme in lower case
 * @param parameters by their names in lower case
 */
record Challenge(String scheme, Map<String, String> parameters) {
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    /** A parameter, or the scheme that begins the next challenge, with its {@code token68}. */
    private static final Pattern PART =
            Pattern.compile(
                    "\\G[\\s,]*(?:(?<name>"
                            + TOKEN
                            + ")\\s*=\\s*(?:\"(?<quoted>(?:[^\"\\\\]|\\\\.)*+)\"|(?<plain>"
                            + TOKEN
                            + "))(?=\\s*(?:,|$))|(?<scheme>"
                            + TOKEN
                            + ")(?:\\s+(?<other>[A-Za-z0-9._~+/-]+=*)(?=\\s*(?:,|$)))?(?=\\s|,|$))");

    /** Parses the values of all such headers; malformed text ends the parsing of its header. */
    static List<Challenge> read(List<String> headers) {
        List<Challenge> challenges = new ArrayList<>();
        for (String header : headers) {
            Matcher part = PART.matcher(header);
            Map<String, String> parameters = null;
            while (part.find()) {
                if (part.group("scheme") != null) {
                    parameters = new LinkedHashMap<>();
                    challenges.add(
                            new Challenge(
                                    part.group("scheme").toLowerCase(Locale.ROOT), parameters));
                } else if (parameters != null) {
                    parameters.putIfAbsent(
                            part.group("name").toLowerCase(Locale.ROOT), value(part));
                }
            }
        }
        return challenges;
    }

    private static String value(Matcher part) {
        String quoted = part.group("quoted");
        return quoted == null ? part.group("plain") : quoted.replaceAll("\\\\(.)", "$1");
    }

    /**
     * Returns the challenge that an OAuth client answers: the first of Bearer, else the first of
     * DPoP.
     */
    static Optional<Challenge> ofOAuth(List<String> headers) {
        List<Challenge> challenges = read(headers);
        return challenges.stream()
                .filter(challenge -> challenge.scheme.equals("bearer"))
                .findFirst()
                .or(
                        () ->
                                challenges.stream()
                                        .filter(challenge -> challenge.scheme.equals("dpop"))
                                        .findFirst());
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** Returns the scopes that the server requires; none if absent. */
    Scopes scopes() {
        return parameter("scope")
                .map(text -> Scopes.offered(List.of(text.split(" "))))
                .orElse(Scopes.NONE);
    }
}
