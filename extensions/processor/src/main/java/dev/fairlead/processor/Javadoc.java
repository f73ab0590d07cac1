package dev.fairlead.processor;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A documentation comment as plain text.
 *
 * @param text the main text; null if there is none
 * @param parameters the texts of {@code @param}, by name
 */
record Javadoc(@Nullable String text, Map<String, String> parameters) {
    static final Javadoc NONE = new Javadoc(null, Map.of());

    private static final Pattern BLOCK = Pattern.compile("^\\s*(?=@\\w)", Pattern.MULTILINE);
    private static final Pattern PARAMETER =
            Pattern.compile("@param\\s+(\\S+)\\s+(.*)", Pattern.DOTALL);
    private static final Pattern PARAGRAPH =
            Pattern.compile("</?(?:p|div|ul|ol|pre|table|tr|h[1-6]|br|blockquote)\\b[^>]*>");
    private static final Pattern ITEM = Pattern.compile("<li\\b[^>]*>|<dt\\b[^>]*>|<dd\\b[^>]*>");
    private static final Pattern TAG =
            Pattern.compile("</?[A-Za-z][^<>]*>|<!--.*?-->", Pattern.DOTALL);
    private static final Pattern ENTITY = Pattern.compile("&(#x?[0-9A-Fa-f]+|[a-z]+);");
    private static final Map<String, String> ENTITIES =
            Map.of("lt", "<", "gt", ">", "amp", "&", "quot", "\"", "apos", "'", "nbsp", " ");

    /** Reads the text of a comment, as {@code Elements.getDocComment} gives it. */
    static Javadoc parse(String comment) {
        String[] blocks = BLOCK.split("\n" + InlineTags.resolve(comment), -1);
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String block : blocks) {
            Matcher parameter = PARAMETER.matcher(block);
            String said = parameter.matches() ? plain(parameter.group(2)) : null;
            if (said != null) {
                parameters.put(parameter.group(1), said);
            }
        }
        return new Javadoc(plain(blocks[0]), parameters);
    }

    /** Markup taken away: words and paragraphs remain. */
    private static @Nullable String plain(String markup) {
        String text = PARAGRAPH.matcher(markup).replaceAll("\n\n");
        text = ITEM.matcher(text).replaceAll("\n\n- ");
        text = TAG.matcher(text).replaceAll("");
        text = ENTITY.matcher(text).replaceAll(found -> Matcher.quoteReplacement(entity(found)));
        StringBuilder plain = new StringBuilder();
        for (String paragraph : text.split("\n\\s*\n")) {
            String line = InlineTags.unprotect(paragraph.strip().replaceAll("\\s+", " "));
            if (!line.isEmpty()) {
                boolean item = line.startsWith("- ");
                plain.append(plain.isEmpty() ? "" : item ? "\n" : "\n\n").append(line);
            }
        }
        return plain.isEmpty() ? null : plain.toString();
    }

    private static String entity(MatchResult found) {
        String name = found.group(1);
        if (!name.startsWith("#")) {
            return ENTITIES.getOrDefault(name, found.group());
        }
        boolean hexadecimal = name.startsWith("#x");
        try {
            return Character.toString(
                    Integer.parseInt(name.substring(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10));
        } catch (IllegalArgumentException e) {
            return found.group(); // no character
        }
    }
}
