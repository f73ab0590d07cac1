package dev.fairlead.cli.servers;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What surrounds the program. Handed in, so that tests choose it.
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
        return folder("XDG_CONFIG_HOME", ".config");
    }

    /** The folder for what this program remembers: {@code $XDG_STATE_HOME/fairlead}. */
    public Path state() {
        return folder("XDG_STATE_HOME", ".local/state");
    }

    private Path folder(String variable, String usual) {
        Path home = absolute("HOME").orElse(Path.of(System.getProperty("user.home")));
        return absolute(variable).orElse(home.resolve(usual)).resolve("fairlead");
    }

    /** The XDG specification: what is not absolute is passed over. */
    private Optional<Path> absolute(String variable) {
        return Optional.ofNullable(variables.get(variable)).map(Path::of).filter(Path::isAbsolute);
    }

    @Override
    public String toString() {
        return "Environment[" + directory + "]"; // the variables hold secrets
    }
}
