package dev.fairlead.stdio;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
        restrict(variables, isWindows());
    }

    static boolean isWindows() {
        return System.getProperty("os.name").startsWith("Windows");
    }

    /** Returns a variable, whose name on Windows may be written in another case. */
    static Optional<String> get(Map<String, String> variables, String name, boolean windows) {
        return variables.entrySet().stream()
                .filter(variable -> isName(variable.getKey(), name, windows))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Sets a variable in place of the one of this name. */
    static void set(Map<String, String> variables, String name, String value, boolean windows) {
        variables.keySet().removeIf(other -> isName(other, name, windows));
        variables.put(name, value);
    }

    private static boolean isName(String written, String name, boolean windows) {
        return windows ? written.equalsIgnoreCase(name) : written.equals(name);
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
