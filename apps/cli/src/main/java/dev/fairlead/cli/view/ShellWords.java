package dev.fairlead.cli.view;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Commands as they can be typed in a shell, wherever their words come from. */
public final class ShellWords {
    private ShellWords() {}

    /** The words, each of which the shell takes as it is. */
    public static String line(Stream<String> words) {
        return words.map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+")
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }
}
