package dev.fairlead.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.Locale;

/** Says what is wrong with a command line, and what is allowed. */
final class Usage {
    private Usage() {}

    static Failure of(ParameterException e) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        boolean group = !command.getSubcommands().isEmpty();
        return Failure.usage(
                group
                        ? inGroup(e) + name + " knows " + verbs(command)
                        : inVerb(e) + "; " + name + " --help lists what is allowed");
    }

    private static String inGroup(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "which command? ";
        }
        String kind = unmatched.isUnknownOption() ? "option" : "command";
        return "unknown " + kind + " '" + unmatched.getUnmatched().getFirst() + "'; ";
    }

    private static String inVerb(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
            return "unknown option '" + unmatched.getUnmatched().getFirst() + "'";
        }
        String message = String.valueOf(e.getMessage());
        String plain = message.startsWith("Error: ") ? message.substring(7) : message;
        return plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1);
    }

    private static String verbs(CommandLine group) {
        return String.join(", ", group.getSubcommands().keySet());
    }
}
