package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.Environment;

import java.nio.file.Path;
import java.util.Locale;

/** The operating system, which decides where programs keep their settings. */
public enum Platform {
    LINUX,
    MACOS,
    WINDOWS;

    /** The operating system of this machine. */
    public static Platform current() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return WINDOWS;
        }
        return name.startsWith("mac") ? MACOS : LINUX;
    }

    /** The folder in which programs with windows keep the settings of a user. */
    Path settings(Environment environment) {
        return switch (this) {
            case LINUX -> folder(environment, "XDG_CONFIG_HOME", ".config");
            case MACOS -> home(environment).resolve("Library/Application Support");
            case WINDOWS -> folder(environment, "APPDATA", "AppData/Roaming");
        };
    }

    /** The home of the user. */
    Path home(Environment environment) {
        String variable = this == WINDOWS ? "USERPROFILE" : "HOME";
        String home = environment.variables().getOrDefault(variable, "");
        return Path.of(home.isEmpty() ? System.getProperty("user.home") : home);
    }

    private Path folder(Environment environment, String variable, String usual) {
        String named = environment.variables().getOrDefault(variable, "");
        return named.isEmpty() ? home(environment).resolve(usual) : Path.of(named);
    }
}
