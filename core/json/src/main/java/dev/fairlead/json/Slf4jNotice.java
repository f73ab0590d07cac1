package dev.fairlead.json;

/**
 * Keeps SLF4J, with which the schema validator logs, from printing on standard error that it has no
 * provider: a program that never asked for SLF4J should not see its warnings.
 */
final class Slf4jNotice {
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private Slf4jNotice() {}

    /** To be called before the first class of the validator is used. Keeps what a user has set. */
    static void suppress() {
        if (System.getProperty(VERBOSITY) == null) {
            System.setProperty(VERBOSITY, "ERROR");
        }
    }
}
