package dev.fairlead.cli.servers;

import dev.fairlead.protocol.platform.UserFiles;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * The environment of the program. Passed in, so that tests choose it.
 *
 * @param variables the environment variables
 * @param directory the working directory
 */
public record Environment(Map<String, String> variables, Path directory) {
    /** Keeps a copy of the variables. */
    public Environment {
        variables = Map.copyOf(variables);
        Objects.requireNonNull(directory, "directory");
    }

    /** The surroundings of this process. */
    public static Environment current() {
        return new Environment(System.getenv(), Path.of("").toAbsolutePath());
    }

    /** The folder for settings of this program: {@code $XDG_CONFIG_HOME/fairlead}. */
    Path settings() {
        return UserFiles.settings(variables);
    }

    /** The folder for the state of this program: {@code $XDG_STATE_HOME/fairlead}. */
    public Path state() {
        return UserFiles.state(variables);
    }

    @Override
    public String toString() {
        return "Environment[" + directory + "]"; // the variables hold secrets
    }
}
