package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Names of items: the one for people, and beside it the one for programs. */
final class Names {
    private Names() {}

    /** A text of the server on one line; empty where there is none. */
    static String line(@Nullable String text) {
        return text == null ? "" : Printable.line(text);
    }

    /**
     * The line of a list without items on a terminal, such as {@code no tools}; nothing elsewhere.
     */
    static List<String> none(String what, Screen screen) {
        return screen.terminal() ? List.of(screen.styled(Style.DIM, "no " + what)) : List.of();
    }

    /**
     * The name for people as a heading, and behind it the name to type, if that is another.
     *
     * @param display title, or the name in its place
     */
    static String heading(String display, String name, Screen screen) {
        String heading = screen.styled(Style.BOLD, line(display));
        return display.equals(name)
                ? heading
                : heading + " " + screen.styled(Style.DIM, "(" + line(name) + ")");
    }
}
