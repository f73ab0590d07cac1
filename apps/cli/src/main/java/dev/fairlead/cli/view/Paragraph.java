package dev.fairlead.cli.view;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines of a width, at blanks where it can. The text must be printable. */
final class Paragraph {
    private static final int TAB = 8;

    private final String line;
    private final int width;
    private final boolean breaksWords;
    private final List<String> lines;

    private int start; // of the line being filled
    private int columns; // that it has so far
    private int breakAt = -1; // where it may end; -1 where it has no such place yet

    private Paragraph(String line, int width, boolean breaksWords, List<String> lines) {
        this.line = line;
        this.width = width;
        this.breaksWords = breaksWords;
        this.lines = lines;
    }

    /** The text in lines that are never longer than the width: long words are broken too. */
    static List<String> filled(String text, int width) {
        return broken(text, width, true);
    }

    /** The text in lines of the width; long words stay whole, so that they can be copied. */
    static List<String> flowing(String text, int width) {
        return broken(text, width, false);
    }

    private static List<String> broken(String text, int width, boolean breaksWords) {
        List<String> lines = new ArrayList<>();
        text.lines()
                .forEach(
                        line ->
                                new Paragraph(withoutTabs(line), width, breaksWords, lines)
                                        .breakUp());
        return lines;
    }

    private static String withoutTabs(String line) {
        if (line.indexOf('\t') < 0) {
            return line;
        }
        StringBuilder result = new StringBuilder();
        int columns = 0;
        for (String part : line.split("(?=\t)|(?<=\t)")) {
            String shown = part.equals("\t") ? " ".repeat(TAB - columns % TAB) : part;
            result.append(shown);
            columns += Columns.of(shown);
        }
        return result.toString();
    }

    private void breakUp() {
        boolean hasWord = false;
        for (int at = 0; at < line.length(); ) {
            int character = line.codePointAt(at);
            int next = at + Character.charCount(character);
            int wide = Columns.of(character);
            if (character == ' ') { // blanks may hang over the edge
                breakAt = hasWord ? next : -1;
            } else {
                makeRoom(wide, at);
                hasWord = true;
            }
            columns += wide;
            if (wide == 2) { // such scripts have no blanks between words
                breakAt = next;
            }
            at = next;
        }
        lines.add(line.substring(start).stripTrailing());
    }

    private void makeRoom(int wide, int at) {
        if (columns + wide > width && breakAt > start) {
            end(breakAt, at);
        }
        if (columns + wide > width && breaksWords && at > start) {
            end(at, at);
        }
    }

    private void end(int end, int at) {
        lines.add(line.substring(start, end).stripTrailing());
        start = end;
        columns = Columns.of(line.substring(start, at));
        breakAt = -1;
    }
}
