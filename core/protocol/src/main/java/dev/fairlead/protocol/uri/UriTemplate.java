package dev.fairlead.protocol.uri;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A URI template of RFC 6570, levels 1 to 3, that expands variables into a URI and finds them again
 * in one.
 *
 * <p>Matching is the inverse of expansion: values are percent-decoded, a variable left out of an
 * optional expression is absent, and the parameters of a query may come in any order. Values that
 * would climb out of the path of the template, with {@code ..} as a path segment or a NUL, match
 * nothing.
 */
public final class UriTemplate {
    /** The greatest length of a URI that is matched. */
    public static final int MAX_URI_LENGTH = 8_192;

    private static final int MAX_LENGTH = 8_192;
    private static final int MAX_VARIABLES = 100;

    private final String template;
    private final List<Part> parts = new ArrayList<>();
    private final Set<String> variables = new LinkedHashSet<>();
    private static final Pattern ROOT = Pattern.compile("[/\\\\]|[A-Za-z]:[/\\\\]");

    private final TemplateMatcher matcher = new TemplateMatcher();
    private int literalLength;

    private sealed interface Part {}

    private record Literal(String text) implements Part {}

    private record Expression(Operator operator, List<String> names) implements Part {}

    /**
     * The texts before and between the values of an expression, and the characters that end a
     * value.
     */
    private enum Operator {
        SIMPLE("", ",", false, false, "/?#,"),
        RESERVED("", ",", false, true, ""),
        FRAGMENT("#", ",", false, true, ""),
        LABEL(".", ".", false, false, "/?#"),
        PATH("/", "/", false, false, "/?#"),
        PARAMETERS(";", ";", true, false, "/?#"),
        QUERY("?", "&", true, false, "#"),
        CONTINUATION("&", "&", true, false, "#");

        private final String first;
        private final String separator;
        private final boolean named;
        private final boolean reserved;
        private final String stops;

        Operator(String first, String separator, boolean named, boolean reserved, String stops) {
            this.first = first;
            this.separator = separator;
            this.named = named;
            this.reserved = reserved;
            this.stops = stops;
        }

        static Operator of(char c) {
            return switch (c) {
                case '+' -> RESERVED;
                case '#' -> FRAGMENT;
                case '.' -> LABEL;
                case '/' -> PATH;
                case ';' -> PARAMETERS;
                case '?' -> QUERY;
                case '&' -> CONTINUATION;
                default -> SIMPLE;
            };
        }
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException if it is not one of levels 1 to 3, names a variable twice,
     *     or has more than 8,192 characters or 100 variables
     */
    public UriTemplate(String template) {
        if (template.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a URI template must have at most "
                            + MAX_LENGTH
                            + " characters but has "
                            + template.length());
        }
        this.template = template;
        int position = 0;
        while (position < template.length()) {
            int open = template.indexOf('{', position);
            int end = open < 0 ? template.length() : open;
            addLiteral(template.substring(position, end));
            if (open < 0) {
                break;
            }
            int close = template.indexOf('}', open);
            if (close < 0) {
                throw invalid("{ is never closed");
            }
            addExpression(template.substring(open + 1, close));
            position = close + 1;
        }
    }

    private IllegalArgumentException invalid(String why) {
        return new IllegalArgumentException(
                "the URI template \"" + template + "\" cannot be used: " + why);
    }

    private void addLiteral(String text) {
        if (text.indexOf('}') >= 0) {
            throw invalid("} without {");
        }
        if (!text.isEmpty()) {
            String encoded = encode(text, true);
            parts.add(new Literal(encoded));
            matcher.literal(encoded);
            literalLength += encoded.length();
        }
    }

    private void addExpression(String text) {
        if (text.isEmpty()) {
            throw invalid("an expression is empty");
        }
        Operator operator = Operator.of(text.charAt(0));
        List<String> names =
                List.of(text.substring(operator == Operator.SIMPLE ? 0 : 1).split(",", -1));
        for (String name : names) {
            if (name.endsWith("*") || name.indexOf(':') >= 0) {
                throw invalid("the modifiers of level 4 in {" + text + "} are not supported");
            }
            if (!isName(name)) {
                throw invalid("\"" + name + "\" is no name of a variable");
            }
            if (!variables.add(name)) {
                throw invalid("the variable " + name + " stands twice");
            }
            if (variables.size() > MAX_VARIABLES) {
                throw invalid("it has more than " + MAX_VARIABLES + " variables");
            }
        }
        Expression expression = new Expression(operator, names);
        parts.add(expression);
        addTo(matcher, expression);
    }

    /** Returns whether a name consists of letters, digits and _, with single dots between them. */
    private static boolean isName(String text) {
        boolean isAfterDot = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isDot = c == '.';
            if (isDot ? isAfterDot : c == '-' || c == '~' || !isUnreserved(c)) {
                return false;
            }
            isAfterDot = isDot;
        }
        return !isAfterDot;
    }

    /** Returns the names of the variables, in their order. */
    public Set<String> variables() {
        return java.util.Collections.unmodifiableSet(variables);
    }

    /**
     * Returns the length of the fixed text: of two matching templates, the one with more is used.
     */
    public int literalLength() {
        return literalLength;
    }

    // ---- expansion

    /**
     * Expands the template.
     *
     * @param values the values by name; a variable without a value is left out, by the RFC
     */
    public String expand(Map<String, String> values) {
        StringBuilder uri = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Literal literal -> uri.append(literal.text());
                case Expression expression -> expand(expression, values, uri);
            }
        }
        return uri.toString();
    }

    private static void expand(
            Expression expression, Map<String, String> values, StringBuilder uri) {
        Operator operator = expression.operator();
        boolean first = true;
        for (String name : expression.names()) {
            String value = values.get(name);
            if (value == null) {
                continue;
            }
            uri.append(first ? operator.first : operator.separator);
            first = false;
            if (operator.named) {
                uri.append(name);
                if (!value.isEmpty() || operator != Operator.PARAMETERS) {
                    uri.append('=');
                }
            }
            uri.append(encode(value, operator.reserved));
        }
    }

    private static String encode(String text, boolean keepReserved) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            int length = Character.charCount(codePoint);
            boolean kept =
                    isUnreserved(codePoint)
                            || (keepReserved && (isReserved(codePoint) || isTriplet(text, i)));
            if (kept) {
                encoded.appendCodePoint(codePoint);
            } else {
                for (byte b : text.substring(i, i + length).getBytes(StandardCharsets.UTF_8)) {
                    encoded.append('%').append(hex(b >> 4)).append(hex(b));
                }
            }
            i += length;
        }
        return encoded.toString();
    }

    private static char hex(int nibble) {
        return Character.toUpperCase(Character.forDigit(nibble & 0xF, 16));
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || (c < 128 && "-._~".indexOf(c) >= 0);
    }

    private static boolean isReserved(int c) {
        return c < 128 && ":/?#[]@!$&'()*+,;=".indexOf(c) >= 0;
    }

    private static boolean isTriplet(String text, int index) {
        return text.charAt(index) == '%'
                && index + 2 < text.length()
                && Character.digit(text.charAt(index + 1), 16) >= 0
                && Character.digit(text.charAt(index + 2), 16) >= 0;
    }

    // ---- matching

    /** Adds the values of an expression. Named ones are one value, since their order is free. */
    private static void addTo(TemplateMatcher matcher, Expression expression) {
        Operator operator = expression.operator();
        int count = operator.named ? 1 : expression.names().size();
        String stops = operator.stops;
        if (count > 1 && (operator.reserved || operator == Operator.LABEL)) {
            stops += operator.separator;
        }
        for (int i = 0; i < count; i++) {
            String before = i == 0 ? operator.first : operator.separator;
            matcher.value(
                    before.isEmpty() ? null : before.charAt(0),
                    stops,
                    operator.named || operator.reserved);
        }
    }

    /**
     * Finds the values of the variables in a URI.
     *
     * @return the decoded values by name, without those that the URI leaves out; empty if the URI
     *     does not match
     */
    public Optional<Map<String, String>> match(String uri) {
        if (uri.length() > MAX_URI_LENGTH) {
            return Optional.empty();
        }
        Optional<List<@Nullable String>> matched = matcher.match(encode(uri, true));
        if (matched.isEmpty()) {
            return Optional.empty();
        }
        Iterator<@Nullable String> texts = matched.get().iterator();
        Map<String, String> values = new LinkedHashMap<>();
        for (Part part : parts) {
            if (!(part instanceof Expression expression)) {
                continue;
            }
            if (expression.operator().named) {
                if (!takeNamed(expression, texts.next(), values)) {
                    return Optional.empty();
                }
                continue;
            }
            for (String name : expression.names()) {
                if (!take(expression, name, texts.next(), values)) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(values);
    }

    private static boolean takeNamed(
            Expression expression, @Nullable String text, Map<String, String> values) {
        boolean isForm = expression.operator() != Operator.PARAMETERS; // a lone ; is a pair
        if (text == null || (isForm && text.isEmpty())) {
            return true;
        }
        for (String pair : text.split(expression.operator().separator, -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            boolean known = expression.names().contains(name) && !values.containsKey(name);
            if (!known
                    || !take(
                            expression,
                            name,
                            equals < 0 ? "" : pair.substring(equals + 1),
                            values)) {
                return false;
            }
        }
        return true;
    }

    private static boolean take(
            Expression expression,
            String name,
            @Nullable String encoded,
            Map<String, String> values) {
        if (encoded == null) {
            return true;
        }
        String value = decode(encoded);
        if (value == null || isUnsafe(value) || isRooted(expression.operator(), value)) {
            return false;
        }
        values.put(name, value);
        return true;
    }

    private static boolean isUnsafe(String value) {
        if (value.indexOf('\0') >= 0) {
            return true;
        }
        for (String segment : value.split("[/\\\\]")) {
            if (segment.equals("..")) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a value that should be one step of a path starts a path of its own, as {@code
     * %2Fetc%2Fpasswd} does: resolved against a directory it would lead out of it.
     */
    private static boolean isRooted(Operator operator, String value) {
        return !operator.reserved && !operator.named && ROOT.matcher(value).lookingAt();
    }

    /** Returns the decoded text, or null if it is not UTF-8. */
    private static @Nullable String decode(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            if (isTriplet(encoded, i)) {
                bytes.put((byte) Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.put((byte) encoded.charAt(i)); // ASCII: encode() has left nothing else
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(bytes.flip())
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return template;
    }
}
