package dev.fairlead.cli.servers;

import java.net.URI;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes secrets from a command line before it is shown. */
final class Secrets {
    private static final String HIDDEN = "…";
    private static final String SECRET = "(?:key|token|secret|password|passwd|auth|credential)";

    /**
     * A flag, variable or header that names a secret, as in {@code --api-key}, and its value behind
     * {@code =} or {@code :}.
     */
    private static final Pattern NAMED =
            Pattern.compile("(?i)([^=:]*" + SECRET + "[^=:]*)(?:([=:]).*)?", Pattern.DOTALL);

    /** The same behind anything, as in a path, a list of settings or {@code db:password=…}. */
    private static final Pattern WITHIN =
            Pattern.compile("(?i)([^=]*" + SECRET + "[^=]*)=.*", Pattern.DOTALL);

    private Secrets() {}

    /** The command line; a value behind a flag that names a secret is an ellipsis. */
    static String hidden(List<String> command) {
        StringJoiner line = new StringJoiner(" ");
        boolean secret = false;
        for (String argument : command) {
            Matcher named = NAMED.matcher(argument);
            boolean flag = argument.startsWith("-");
            if (named.matches() && named.group(2) != null) {
                line.add(named.group(1) + named.group(2) + HIDDEN);
            } else {
                line.add(secret && !flag ? HIDDEN : within(argument));
            }
            secret = flag && named.matches() && named.group(2) == null;
        }
        return line.toString();
    }

    private static String within(String argument) {
        String shown = argument.contains("://") ? url(argument) : argument;
        Matcher named = WITHIN.matcher(shown);
        return named.matches() ? named.group(1) + "=" + HIDDEN : shown;
    }

    /** The URL without its user, query and fragment, which may be secrets. */
    static String url(String url) {
        String shown = url.replaceFirst("//[^/?#]*@", "//").replaceFirst("(?s)[?#].*", "");
        try {
            return URI.create(shown).getHost() == null ? withoutHost(shown) : shown;
        } catch (IllegalArgumentException e) {
            return withoutHost(shown);
        }
    }

    /** A password with a slash stands where the host ends, and variables where a host belongs. */
    private static String withoutHost(String url) {
        return url.contains("@") ? url.replaceFirst("(?s)://.*", "://" + HIDDEN) : url;
    }
}
