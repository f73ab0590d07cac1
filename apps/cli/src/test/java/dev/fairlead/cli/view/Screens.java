package dev.fairlead.cli.view;

/** The screens of these tests. */
final class Screens {
    static final Screen PIPE = Screen.plain();

    private Screens() {}

    /** A terminal without colour. */
    static Screen wide(int columns) {
        return new Screen(true, columns, false, true);
    }

    /** A terminal with colour. */
    static Screen coloured(int columns) {
        return new Screen(true, columns, true, true);
    }
}
