package dev.fairlead.cli.servers;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of variables, such as {@code .env}: lines {@code NAME=VALUE} or {@code NAME: VALUE}. As in
 * Visual Studio Code, other lines are passed over. No message shows a line, which may hold a
 * secret.
 */
final class EnvFile {
    private static final Pattern LINE =
            Pattern.compile(
                    "(?:export\\s+)?([A-Za-z_][A-Za-z0-9_.-]*)(?:\\s*+=\\s*+|:\\s++)([^\\x00]*)");

    private static final Pattern QUOTED =
            Pattern.compile("(['\"`])(.*?)\\1\\s*(?:#.*)?", Pattern.DOTALL);

    private EnvFile() {}

    /**
     * Returns the variables in the order of the file.
     *
     * @throws TargetException if it cannot be read, or is larger than 1 MiB
     */
    static Map<String, String> variables(Path file) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String line : ServersFile.text(file).lines().map(String::strip).toList()) {
            Matcher variable = LINE.matcher(line);
            if (!variable.matches()) { // also an empty line, or a comment
                continue;
            }
            String value = variable.group(2);
            Matcher quoted = QUOTED.matcher(value);
            if (!quoted.matches()) {
                int comment = value.indexOf('#');
                value = comment < 0 ? value : value.substring(0, comment).stripTrailing();
            } else if (value.startsWith("\"")) {
                value = quoted.group(2).replace("\\n", "\n");
            } else {
                value = quoted.group(2);
            }
            variables.put(variable.group(1), value);
        }
        return variables;
    }
}
