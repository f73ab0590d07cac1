package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A challenge of {@code WWW-Authenticate}, for implementations of {@link RequestAuthorization}.
 *
 * @param scheme in lower case
 * @param parameters by their names in lower case, with values as the server sent them: neither
 *     their length nor their characters are checked
 * @spec https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1 RFC 9110
 */
public record Challenge(String scheme, Map<String, String> parameters) {
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

    public Challenge {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** Parses the values of all such headers; malformed text ends the parsing of its header. */
    public static List<Challenge> read(List<String> headers) {
        List<Challenge> challenges = new ArrayList<>();
        for (String header : headers) {
            Matcher part = PART.matcher(header);
            Map<String, String> parameters = new LinkedHashMap<>();
            String scheme = null;
            while (part.find()) {
                if (part.group("scheme") == null) {
                    parameters.putIfAbsent(
                            part.group("name").toLowerCase(Locale.ROOT), value(part));
                    continue;
                }
                add(scheme, parameters, challenges);
                parameters.clear();
                scheme = part.group("scheme").toLowerCase(Locale.ROOT);
            }
            add(scheme, parameters, challenges);
        }
        return challenges;
    }

    /** Adds a challenge; parameters before the first scheme are ignored. */
    private static void add(
            @Nullable String scheme, Map<String, String> parameters, List<Challenge> challenges) {
        if (scheme != null) {
            challenges.add(new Challenge(scheme, parameters));
        }
    }

    private static String value(Matcher part) {
        String quoted = part.group("quoted");
        return quoted == null ? part.group("plain") : quoted.replaceAll("\\\\(.)", "$1");
    }

    /**
     * Returns the challenge that an OAuth client answers: the first of Bearer, else the first of
     * DPoP.
     */
    public static Optional<Challenge> ofOAuth(List<String> headers) {
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

    /** The value of a parameter, by its name in lower case. */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }
}
