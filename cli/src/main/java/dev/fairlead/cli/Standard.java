package dev.fairlead.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What every command has: {@code --help}; and the root {@code --version}. */
final class Standard {
    private Standard() {}

    static void addTo(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("print this help")
                        .build());
        command.getSubcommands().values().forEach(Standard::addTo);
    }

    /** For the root only. */
    static void addVersion(CommandLine command) {
        command.getCommandSpec()
                .addOption(
                        OptionSpec.builder("-V", "--version")
                                .versionHelp(true)
                                .description("print the version")
                                .build());
    }
}
