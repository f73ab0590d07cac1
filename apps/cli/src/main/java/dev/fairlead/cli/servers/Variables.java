package dev.fairlead.cli.servers;

import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts environment variables into the texts of a servers file: <code>${NAME}</code>, <code>
 * ${env:NAME}</code>, and <code>${NAME:-default}</code> where the variable may be missing; <code>
 * {env:NAME}</code> of opencode; <code>$NAME</code> of Gemini where it is the whole text or follows
 * {@code Bearer}, and is set; and the variables of hosts, such as <code>${workspaceFolder}</code>.
 * A value that was put in is not searched again.
 */
final class Variables {
    /** The last alternative ends the search at the first reference without an end. */
    private static final Pattern REFERENCE =
            Pattern.compile("(?:\\$\\{|\\{(?=env:[A-Za-z_]\\w*}))(?:([^}]*+)}|[^}]*+$)");

    /** The whole of a text, since templates of other programs have such parts. */
    private static final Pattern FILE = Pattern.compile("(?:Bearer )?(\\{file:[^}]*})");

    /**
     * The form of Gemini, which other hosts send as it is; hence only where it is the whole. The
     * author of the file gains nothing, as <code>${NAME}</code> names the same variable.
     */
    private static final Pattern BARE = Pattern.compile("(Bearer )?\\$([A-Za-z_][A-Za-z0-9_]*)");

    private static final Pattern NAME = Pattern.compile("(?:env:)?([A-Za-z_][A-Za-z0-9_]*)");

    private final Map<String, String> values;
    private final Map<String, String> ofHosts;

    Variables(Map<String, String> values) {
        this(values, Map.of());
    }

    /**
     * @param ofHosts take part under their whole name only, and after the variables
     */
    private Variables(Map<String, String> values, Map<String, String> ofHosts) {
        this.values = values;
        this.ofHosts = ofHosts;
    }

    /**
     * The variables for a file. Its workspace is the folder of the file, or that around it where
     * the file is in a folder of its host, such as {@code .vscode}.
     */
    static Variables of(Environment environment, Path file) {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().normalize().getParent());
        boolean isOfHost = String.valueOf(folder.getFileName()).startsWith(".");
        Path around = folder.getParent();
        Path workspace = isOfHost && around != null ? around : folder;
        String home = environment.variables().getOrDefault("HOME", System.getProperty("user.home"));
        Map<String, String> ofHosts = new HashMap<>();
        ofHosts.put("workspaceFolder", workspace.toString());
        ofHosts.put("workspaceFolderBasename", String.valueOf(workspace.getFileName()));
        ofHosts.put("cwd", environment.directory().toString());
        ofHosts.put("userHome", home);
        ofHosts.put("pathSeparator", File.separator);
        ofHosts.put("/", File.separator);
        return new Variables(environment.variables(), ofHosts);
    }

    /** The folder that {@code ${workspaceFolder}} stands for. */
    Path workspace() {
        return Path.of(ofHosts.getOrDefault("workspaceFolder", ""));
    }

    /**
     * The text with the values of its variables.
     *
     * @throws TargetException if a variable is not set and has no default, or is written in a way
     *     that is not known; the message fits behind the name of the member
     */
    String expand(String text) {
        Matcher bare = BARE.matcher(text);
        if (bare.matches() && values.containsKey(bare.group(2))) {
            return Objects.toString(bare.group(1), "") + values.get(bare.group(2));
        }
        Matcher file = FILE.matcher(text);
        if (file.matches()) {
            throw unknown(file.group(1));
        }
        return REFERENCE
                .matcher(text)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        found.group(1) == null
                                                ? found.group()
                                                : value(found.group(), found.group(1))));
    }

    /**
     * @param whole the reference as it is written
     */
    private String value(String whole, String reference) {
        int separator = reference.indexOf(":-");
        String written = separator < 0 ? reference : reference.substring(0, separator);
        Matcher name = NAME.matcher(written);
        String value = name.matches() ? values.get(name.group(1)) : null;
        if (value == null) {
            value = ofHosts.get(written);
        }
        if (value != null) {
            return value;
        }
        if (!name.matches()) {
            throw unknown(whole);
        }
        if (separator < 0) {
            throw new TargetException(
                    "needs the environment variable " + name.group(1) + ", which is not set");
        }
        return reference.substring(separator + ":-".length());
    }

    private static TargetException unknown(String whole) {
        String instead = "; write ${NAME}, and set the environment variable NAME";
        if (whole.startsWith("${input:")) {
            return new TargetException(
                    "has " + whole + ", for which its host asks a person" + instead);
        }
        if (whole.startsWith("{file:")) {
            return new TargetException(
                    "has " + whole + ", but no file is read in its place" + instead);
        }
        return new TargetException(
                "has "
                        + whole
                        + ", but only ${NAME}, ${NAME:-default}, ${env:NAME}, ${workspaceFolder}"
                        + " and ${userHome} are supported");
    }
}
