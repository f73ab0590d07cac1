package dev.fairlead.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.stream.Collectors;

/** Says what is wrong with a command line, and what is allowed. */
final class Usage {
    private Usage() {}

    static Failure of(ParameterException e) {
        CommandLine command = e.getCommandLine();
        return Failure.usage(what(e, command) + allowed(command));
    }

    private static String what(ParameterException e, CommandLine command) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !command.getSubcommands().isEmpty()
                && !unmatched.isUnknownOption()) {
            return "unknown command '" + unmatched.getUnmatched().getFirst() + "'";
        }
        return e.getMessage();
    }

    private static String allowed(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        if (command.getSubcommands().isEmpty()) {
            return " (" + name + " --help says what is allowed)";
        }
        return command.getSubcommands().keySet().stream()
                .collect(Collectors.joining(", ", "; " + name + " knows ", ""));
    }
}
