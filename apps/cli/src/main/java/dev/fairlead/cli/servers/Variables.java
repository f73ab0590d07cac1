package dev.fairlead.cli.servers;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts environment variables into the texts of a servers file: <code>${NAME}</code>, <code>
 * ${env:NAME}</code>, and <code>${NAME:-default}</code> where the variable may be missing. A value
 * that was put in is not searched again.
 */
final class Variables {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("(?:env:)?([A-Za-z_][A-Za-z0-9_]*)");

    private final Map<String, String> values;

    Variables(Map<String, String> values) {
        this.values = values;
    }

    /**
     * The text with the values of its variables.
     *
     * @throws TargetException if a variable is not set and has no default, or is written in a way
     *     that is not known; the message fits behind the name of the member
     */
    String expand(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))));
    }

    private String value(String reference) {
        int separator = reference.indexOf(":-");
        String written = separator < 0 ? reference : reference.substring(0, separator);
        Matcher name = NAME.matcher(written);
        if (!name.matches()) {
            throw new TargetException(
                    "has ${"
                            + reference
                            + "}, but only ${NAME}, ${NAME:-default} and ${env:NAME} are"
                            + " supported");
        }
        String value = values.get(name.group(1));
        if (value != null) {
            return value;
        }
        if (separator < 0) {
            throw new TargetException(
                    "needs the environment variable " + name.group(1) + ", which is not set");
        }
        return reference.substring(separator + ":-".length());
    }
}
