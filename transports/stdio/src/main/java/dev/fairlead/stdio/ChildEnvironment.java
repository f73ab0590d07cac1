package dev.fairlead.stdio;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The variables of this process that a child gets without a setting: enough to find and run
 * programs, and none that holds a secret. The names are those of the official SDKs, with the
 * locale, the time zone and the folder for temporary files.
 */
final class ChildEnvironment {
    static final Set<String> UNIX =
            Set.of(
                    "HOME",
                    "LANG",
                    "LC_ALL",
                    "LC_CTYPE",
                    "LOGNAME",
                    "PATH",
                    "SHELL",
                    "TERM",
                    "TMPDIR",
                    "TZ",
                    "USER");

    static final Set<String> WINDOWS =
            Set.of(
                    "APPDATA",
                    "HOMEDRIVE",
                    "HOMEPATH",
                    "LOCALAPPDATA",
                    "PATH",
                    "PATHEXT",
                    "PROCESSOR_ARCHITECTURE",
                    "PROGRAMFILES",
                    "SYSTEMDRIVE",
                    "SYSTEMROOT",
                    "TEMP",
                    "TMP",
                    "USERNAME",
                    "USERPROFILE");

    private ChildEnvironment() {}

    /** Removes the variables that are not passed on. */
    static void restrict(Map<String, String> variables) {
        restrict(variables, System.getProperty("os.name").startsWith("Windows"));
    }

    /**
     * Removes the variables that are not passed on.
     *
     * @param windows whether names differ by more than case
     */
    static void restrict(Map<String, String> variables, boolean windows) {
        Set<String> passed = windows ? WINDOWS : UNIX;
        variables
                .entrySet()
                .removeIf(
                        variable ->
                                !passed.contains(
                                                windows
                                                        ? variable.getKey().toUpperCase(Locale.ROOT)
                                                        : variable.getKey())
                                        || isShellFunction(variable.getValue()));
    }

    /** Shells have exported functions as variables that a child would run. */
    private static boolean isShellFunction(String value) {
        return value.startsWith("()");
    }
}
