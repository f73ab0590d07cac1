package dev.fairlead.json;

/**
 * Keeps SLF4J, with which the schema validator logs, from printing on standard error that it has no
 * provider: a program that never asked for SLF4J should not see its warnings.
 */
final class Slf4jNotice {
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private Slf4jNotice() {}

    /**
     * Lowers the verbosity unless a user has set it; called before the first class of the validator
     * is used.
     */
    static void suppress() {
        if (System.getProperty(VERBOSITY) == null) {
            System.setProperty(VERBOSITY, "ERROR");
        }
    }
}
