package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;

import java.util.List;

/** Lines with blanks before them, and the narrower screen that is left for their text. */
record Indented(String indent, Screen outer) {

    /** The rest of the screen. */
    Screen screen() {
        return new Screen(
                outer.terminal(), outer.width() - indent.length(), outer.colour(), outer.unicode());
    }

    /** Further in. */
    Indented deeper() {
        return new Indented(indent + "  ", outer);
    }

    /** A text of the server, wrapped. */
    List<String> paragraph(String text, Style style) {
        return all(
                Paragraph.flowing(Printable.text(text).strip(), screen().width()).stream()
                        .map(line -> outer.styled(style, line))
                        .toList());
    }

    /** Lines that are ready. */
    List<String> all(List<String> lines) {
        return lines.stream().map(line -> line.isEmpty() ? line : indent + line).toList();
    }
}
