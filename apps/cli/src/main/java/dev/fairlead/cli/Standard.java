package dev.fairlead.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Adds the options of every command: {@code --help}, {@code --log} and {@code --trace}; and {@code
 * --version} for the root.
 */
final class Standard {
    private Standard() {}

    static void addTo(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("print this help")
                        .build());
        spec.addOption(
                OptionSpec.builder("--trace")
                        .type(boolean.class)
                        .initialValue("false")
                        .description("print each frame on standard error, secrets masked")
                        .setter(new Trace())
                        .build());
        spec.addOption(
                OptionSpec.builder("--log")
                        .type(LogLevel.class)
                        .paramLabel("LEVEL")
                        .description(
                                "print the log from this level on, on standard error: error,"
                                        + " warning, info, debug or trace (default: info)")
                        .setter(new Log())
                        .build());
        command.getSubcommands().values().forEach(Standard::addTo);
    }

    /** Switches the log of frames. */
    private static final class Trace implements ISetter {
        @Override
        @SuppressWarnings("unchecked")
        public <T> T set(T value) {
            if (Boolean.TRUE.equals(value)) {
                LogHandler.trace();
            }
            return (T) Boolean.FALSE;
        }
    }

    /** The levels of the log. */
    enum LogLevel {
        ERROR,
        WARNING,
        INFO,
        DEBUG,
        TRACE
    }

    /** Sets the level of the log. */
    private static final class Log implements ISetter {
        @Override
        @SuppressWarnings("unchecked")
        public <T> T set(T value) {
            if (value instanceof LogLevel level) {
                LogHandler.level(System.Logger.Level.valueOf(level.name()));
            }
            return (T) LogLevel.INFO;
        }
    }

    /** Adds {@code --version}, for the root only. */
    static void addVersion(CommandLine command) {
        command.getCommandSpec()
                .addOption(
                        OptionSpec.builder("-V", "--version")
                                .versionHelp(true)
                                .description("print the version")
                                .build());
    }
}
