package dev.fairlead.json.slf4j;

/**
 * Keeps SLF4J, by which the schema validator and the libraries of databases log, from printing on
 * standard error that it has no provider: a program that never asked for SLF4J should not see its
 * warnings.
 */
public final class Slf4jNotice {
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private Slf4jNotice() {}

    /**
     * Lowers the verbosity unless a user has set it; called before the first class of such a
     * library is used.
     */
    public static void suppress() {
        if (System.getProperty(VERBOSITY) == null) {
            System.setProperty(VERBOSITY, "ERROR");
        }
    }
}
