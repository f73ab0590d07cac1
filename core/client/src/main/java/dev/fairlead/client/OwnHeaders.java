package dev.fairlead.client;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The HTTP headers of single requests. */
final class OwnHeaders {
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** The headers that repeat arguments of tools. */
    private static final String PARAMETERS = "Mcp-Param-";

    private OwnHeaders() {}

    /**
     * The headers that a copy has in the end. Messages name no value, which may be a secret.
     *
     * @throws IllegalArgumentException if a header cannot be one, or a name is there twice
     */
    static Map<String, String> added(Map<String, String> before, Map<String, String> added) {
        Map<String, String> distinct = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        added.forEach(
                (name, value) -> {
                    check(name, value);
                    if (distinct.put(name, value) != null) {
                        throw new IllegalArgumentException(
                                "The header " + name + " is there twice");
                    }
                });
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(before);
        all.putAll(distinct);
        return Collections.unmodifiableMap(all);
    }

    private static void check(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A header cannot have this name: " + quoted(name));
        }
        if (name.regionMatches(true, 0, PARAMETERS, 0, PARAMETERS.length())) {
            throw new IllegalArgumentException(
                    "The header " + name + " repeats an argument of a tool, and is set by that");
        }
        if (!value.chars().allMatch(OwnHeaders::isAllowed)) {
            throw new IllegalArgumentException(
                    "The value of the header " + name + " has a character that no header may have");
        }
    }

    private static boolean isAllowed(int character) {
        return character == '\t' || character >= ' ' && character <= 0xff && character != 0x7f;
    }

    /** Keeps a name from writing a line of its own into a log. */
    private static String quoted(String name) {
        return '"' + name.replaceAll("[^ -~]", "?") + '"';
    }
}
