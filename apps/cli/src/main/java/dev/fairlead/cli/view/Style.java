package dev.fairlead.cli.view;

/** How text stands out on a terminal with colours. */
public enum Style {
    /** No style. */
    PLAIN(""),
    /** Names and headings. */
    BOLD("1"),
    /** Text that matters less. */
    DIM("2"),
    /** Failures. */
    RED("31"),
    /** Successes. */
    GREEN("32"),
    /** Warnings. */
    YELLOW("33"),
    /** The logger of a message. */
    CYAN("36");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    /** The text in this style, each line of it by itself. */
    String applied(String text) {
        if (this == PLAIN || text.isEmpty()) {
            return text;
        }
        String on = "\u001b[" + code + "m";
        String off = "\u001b[0m";
        return on + text.replace("\n", off + "\n" + on) + off;
    }
}
