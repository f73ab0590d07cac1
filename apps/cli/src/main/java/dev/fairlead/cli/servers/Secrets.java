package dev.fairlead.cli.servers;

import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes secrets from a command line before it is shown. */
final class Secrets {
    private static final String HIDDEN = "…";

    /** A flag or variable that names a secret, as in {@code --api-key}, and its value behind =. */
    private static final Pattern NAMED =
            Pattern.compile(
                    "(?i)([^=]*(?:key|token|secret|password|passwd|auth|credential)[^=]*)(=.*)?",
                    Pattern.DOTALL);

    private Secrets() {}

    /** The command line; a value behind a flag that names a secret is an ellipsis. */
    static String hidden(List<String> command) {
        StringJoiner line = new StringJoiner(" ");
        boolean secret = false;
        for (String argument : command) {
            Matcher named = NAMED.matcher(argument);
            boolean flag = argument.startsWith("-");
            if (named.matches() && named.group(2) != null) {
                line.add(named.group(1) + "=" + HIDDEN);
            } else {
                line.add(secret && !flag ? HIDDEN : argument);
            }
            secret = flag && named.matches() && named.group(2) == null;
        }
        return line.toString();
    }
}
