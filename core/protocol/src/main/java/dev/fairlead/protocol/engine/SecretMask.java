package dev.fairlead.protocol.engine;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks secrets in frames that are logged: members of JSON objects and parameters of URLs and forms
 * whose names are those of tokens, passwords, keys, cookies and request states; the answers of
 * retries as a whole; credentials after the name of an authentication scheme; JSON Web Tokens
 * anywhere. Secrets that nothing marks as such are not found.
 */
public final class SecretMask {
    /** The text in place of a secret. */
    public static final String MASK = "***";

    private static final Set<String> HEADERS =
            Set.of(
                    "authorization",
                    "proxy-authorization",
                    "cookie",
                    "set-cookie",
                    "dpop",
                    "mcp-session-id");

    private static final Pattern SECRET_HEADER =
            Pattern.compile(
                    "token|secret|key|authorization|cookie|passw|credential|session|assertion");

    private static final String NAME =
            "[^\"\\\\]{0,60}(?:(?<!progress)token(?!s)|secret|passw|passphrase|authorization|cookie"
                    + "|credential|api[-_]?key|assertion|private[-_]?key|verifier|session[-_]?id"
                    + "|requestState)"
                    + "[^\"\\\\]{0,60}";

    /**
     * The pattern of a member with a text, also within a text, where quotes are escaped once or
     * more often.
     */
    private static final Pattern TEXT_MEMBER =
            Pattern.compile(
                    "(?i)((\\\\{0,15})\"" // of at most four levels
                            + NAME
                            + "\\2\"\\s*+:\\s*+\\[?\\s*+\\2\")(?:(?!\\2\").)*+"
                            + "(?:\\2\"\\s*+,\\s*+\\2\"(?:(?!\\2\").)*+(?!\\2\"\\s*+:))*+", // of a
                    // list
                    Pattern.DOTALL);

    /** The pattern of the member with the answers of a client, which is masked with any value. */
    private static final Pattern ANSWERS_MEMBER =
            Pattern.compile("(\\\\{0,15})\"inputResponses\\1\"\\s*+:\\s*+");

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "(?i)(?:(?<![A-Za-z0-9_-])|(?<=%(?:3F|26|23)))((?:[a-z_]*token|client_secret|client_assertion|assertion"
                        + "|password|code|code_verifier|state|session_?id)(?:=|%3D))[^&\\s\"'\\\\<>;]+");

    private static final Pattern CREDENTIALS =
            Pattern.compile(
                    "(?i)\\b(Bearer|DPoP|Basic|Negotiate) +(?![a-z_]+=\\\\*\")[A-Za-z0-9._~+/=-]+");

    private static final Pattern JSON_WEB_TOKEN =
            Pattern.compile("eyJ[A-Za-z0-9_-]{4,}(?:\\.[A-Za-z0-9_-]*)*");

    /** The pattern of a member whose name has escaped characters. */
    private static final Pattern ESCAPED_NAME =
            Pattern.compile("(?<=\")(?:[^\"\\\\]|\\\\+u00[0-9A-Fa-f]{2}){1,200}(?=\\\\*\"\\s*:)");

    private static final Pattern ESCAPE = Pattern.compile("\\\\+u00([2-7][0-9A-Fa-f])");

    private SecretMask() {}

    /** Returns the text without its secrets. */
    public static String mask(String text) {
        String plain = text.contains("u00") ? withPlainNames(text) : text;
        String masked = withoutAnswers(plain);
        masked = TEXT_MEMBER.matcher(masked).replaceAll("$1" + MASK);
        masked = PARAMETER.matcher(masked).replaceAll("$1" + MASK);
        masked = CREDENTIALS.matcher(masked).replaceAll("$1 " + MASK);
        return JSON_WEB_TOKEN.matcher(masked).replaceAll("eyJ" + MASK);
    }

    private static String withoutAnswers(String text) {
        Matcher member = ANSWERS_MEMBER.matcher(text);
        if (!member.find()) {
            return text;
        }
        StringBuilder masked = new StringBuilder();
        int copied = 0;
        do {
            String quote = member.group(1) + '"';
            masked.append(text, copied, member.end()).append(quote).append(MASK).append(quote);
            copied = endOfValue(text, member.end(), member.group(1).length());
        } while (member.find(copied));
        return masked.append(text, copied, text.length()).toString();
    }

    /**
     * Returns the end of a value; the end of the text if it is cut.
     *
     * @param level how many backslashes are before a quote of the JSON that the value belongs to
     */
    private static int endOfValue(String text, int start, int level) {
        boolean quoted = false;
        int depth = 0;
        int backslashes = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                backslashes++;
                continue;
            }
            if (c == '"' && isQuote(backslashes, level)) {
                quoted = !quoted;
            } else if (!quoted && (c == '{' || c == '[')) {
                depth++;
            } else if (!quoted && (c == '}' || c == ']')) {
                depth--;
            }
            backslashes = 0;
            if (depth < 0 || !quoted && depth == 0 && c == ',') {
                return i;
            }
            if (!quoted && depth == 0 && (c == '"' || c == '}' || c == ']')) {
                return i + 1;
            }
        }
        return text.length();
    }

    /** Returns whether no backslash that belongs to the text in quotes escapes the quote. */
    private static boolean isQuote(int backslashes, int level) {
        return backslashes >= level && (backslashes - level) % (2 * (level + 1)) == 0;
    }

    /**
     * Returns the text with letters in place of their escapes in names, which then hide no secret.
     */
    private static String withPlainNames(String text) {
        return ESCAPED_NAME
                .matcher(text)
                .replaceAll(name -> Matcher.quoteReplacement(withoutEscapes(name.group())));
    }

    private static String withoutEscapes(String name) {
        return ESCAPE.matcher(name)
                .replaceAll(
                        escape -> {
                            int character = Integer.parseInt(escape.group(1), 16);
                            return Character.isLetterOrDigit(character) || character == '_'
                                    ? Character.toString(character)
                                    : Matcher.quoteReplacement(escape.group());
                        });
    }

    /** Returns the value of a header without its secret. */
    public static String header(String name, String value) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        if (!HEADERS.contains(lowerCase) && !SECRET_HEADER.matcher(lowerCase).find()) {
            return mask(value);
        }
        int blank = value.indexOf(' ');
        return lowerCase.endsWith("authorization") && blank > 0
                ? value.substring(0, blank) + " " + MASK
                : MASK;
    }
}
