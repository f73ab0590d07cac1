package dev.fairlead.cli.shell;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The beginning of a URI, matched against a URI template.
 *
 * @param before the text before the variable that is being typed
 * @param variable its name
 * @param typed the part of it that has been typed
 * @param chosen the variables before it
 * @param after the literal text behind it, up to the next variable
 */
record TemplateText(
        String before, String variable, String typed, Map<String, String> chosen, String after) {
    private static final Pattern VARIABLE = Pattern.compile("\\{[+#./;?&]?([A-Za-z0-9_.]+)[*]?}");

    /** The match; empty where the text does not fit, or has not reached a variable. */
    static Optional<TemplateText> match(String template, String text) {
        Map<String, String> chosen = new LinkedHashMap<>();
        Matcher variables = VARIABLE.matcher(template);
        int inTemplate = 0;
        int inText = 0;
        while (variables.find(inTemplate)) {
            String literal = template.substring(inTemplate, variables.start());
            if (!text.startsWith(literal, inText)) {
                return Optional.empty();
            }
            inText += literal.length();
            inTemplate = variables.end();
            String after = literalAfter(template, variables);
            int end = after.isEmpty() ? -1 : text.indexOf(after, inText);
            if (end < 0) {
                String before = text.substring(0, inText);
                return Optional.of(
                        new TemplateText(
                                before, variables.group(1), text.substring(inText), chosen, after));
            }
            chosen.put(variables.group(1), text.substring(inText, end));
            inText = end;
        }
        return Optional.empty();
    }

    private static String literalAfter(String template, Matcher variables) {
        int from = variables.end();
        int next = template.indexOf('{', from);
        return template.substring(from, next < 0 ? template.length() : next);
    }

    /** Returns the URI with this value in place of the typed part. */
    String with(String value) {
        return before + value + after;
    }
}
