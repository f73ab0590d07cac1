package dev.fairlead.cli.view;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The properties of the place where text appears.
 *
 * @param terminal whether a person looks at a terminal; otherwise text is plain: no wrapping, and
 *     lists have one line for each item with tabs between its columns
 * @param width of the terminal in columns, at least {@value #NARROWEST}
 * @param colour whether text may have styles
 * @param unicode whether it has characters beyond ASCII to draw with
 */
public record Screen(boolean terminal, int width, boolean colour, boolean unicode) {
    /** A narrower screen counts as this wide. */
    static final int NARROWEST = 20;

    private static final int USUAL_WIDTH = 80;

    public Screen {
        width = Math.max(width, NARROWEST);
    }

    /** A pipe or a file. */
    public static Screen plain() {
        return new Screen(false, USUAL_WIDTH, false, false);
    }

    /**
     * A terminal, as far as the environment describes it: no colour with {@code NO_COLOR} or on a
     * {@code dumb} terminal, characters beyond ASCII only where the locale has UTF-8.
     *
     * @param width in columns; 0 where it is not known
     */
    public static Screen terminal(int width, Map<String, String> environment) {
        String kind = environment.getOrDefault("TERM", "dumb");
        boolean dumb = kind.isEmpty() || kind.equals("dumb");
        boolean colour = !dumb && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Screen(
                true, width > 0 ? width : USUAL_WIDTH, colour, !dumb && hasUtf8(environment));
    }

    /** POSIX: the first of these that is set and not empty decides. */
    private static boolean hasUtf8(Map<String, String> environment) {
        return Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(locale -> !locale.isEmpty())
                .findFirst()
                .map(locale -> locale.toLowerCase(Locale.ROOT).matches(".*\\.utf-?8.*"))
                .orElse(false);
    }

    /** The text in this style, where there is colour. */
    public String styled(Style style, String text) {
        return colour ? style.applied(text) : text;
    }
}
