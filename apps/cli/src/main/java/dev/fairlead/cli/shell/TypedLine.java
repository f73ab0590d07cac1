package dev.fairlead.cli.shell;

import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A line as it was typed: words between blanks, where quotes keep blanks together.
 *
 * @param text the whole line
 * @param words of it, without quotes
 */
record TypedLine(String text, List<String> words) {

    static TypedLine of(String text) {
        ParsedLine parsed = parser().parse(text, text.length(), Parser.ParseContext.ACCEPT_LINE);
        return new TypedLine(
                text.strip(), parsed.words().stream().filter(word -> !word.isEmpty()).toList());
    }

    /** Splits lines; backslashes are ordinary characters. */
    static DefaultParser parser() {
        return new DefaultParser().escapeChars(null);
    }

    /** A word that must be there. */
    String word(int index, ShellCommand command) {
        if (words.size() <= index) {
            throw new ShellUsageException("usage: " + command.usage());
        }
        return words.get(index);
    }

    /** The text behind the first two words, as it was typed. */
    String rest() {
        return text.replaceFirst("^\\S+\\s+\\S+\\s*", "");
    }

    /** The words {@code KEY=VALUE} behind the first two. */
    Map<String, String> pairs() {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String word : words.subList(Math.min(2, words.size()), words.size())) {
            int separator = separator(word);
            pairs.put(word.substring(0, separator), unquoted(word.substring(separator + 1)));
        }
        return pairs;
    }

    /** The words {@code KEY=VALUE} behind the first two, with their values unquoted. */
    List<String> argumentWords() {
        List<String> arguments = new ArrayList<>();
        for (String word : words.subList(Math.min(2, words.size()), words.size())) {
            int separator = separator(word);
            arguments.add(
                    word.substring(0, separator + 1) + unquoted(word.substring(separator + 1)));
        }
        return arguments;
    }

    private static int separator(String word) {
        int separator = word.indexOf('=');
        if (separator < 1) {
            throw new ShellUsageException(
                    "arguments must be KEY=VALUE, in quotes if they contain spaces, but one was "
                            + word);
        }
        return separator;
    }

    /** The parser takes quotes away around whole words only. */
    private static String unquoted(String value) {
        boolean quoted =
                value.length() > 1
                        && (value.startsWith("\"") && value.endsWith("\"")
                                || value.startsWith("'") && value.endsWith("'"));
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
