package dev.fairlead.cli;

import dev.fairlead.cli.view.Suggestion;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;

/** Explains the mistake in a command line, and the allowed values. */
final class Usage {
    /** How picocli names the type of an option that takes a number. */
    private static final Pattern JAVA_NUMBER = Pattern.compile("is not an? (int|long)$");

    private Usage() {}

    static Failure of(ParameterException e) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        boolean group = !command.getSubcommands().isEmpty();
        return Failure.usage(
                group
                        ? inGroup(e) + "commands of " + name + ": " + verbs(command)
                        : inVerb(e) + name + " --help lists its options");
    }

    private static String inGroup(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "no command given; ";
        }
        String typed = unmatched.getUnmatched().getFirst();
        return unmatched.isUnknownOption()
                ? "unknown option '" + typed + "'; "
                : "unknown command '" + typed + "'" + meant(typed, names(e));
    }

    private static String inVerb(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
            String typed = unmatched.getUnmatched().getFirst();
            return "unknown option '" + typed + "'" + meant(typed, options(e));
        }
        String message = String.valueOf(e.getMessage());
        String plain = message.startsWith("Error: ") ? message.substring(7) : message;
        String readable = JAVA_NUMBER.matcher(plain).replaceFirst("is not a whole number in range");
        return readable.substring(0, 1).toLowerCase(Locale.ROOT) + readable.substring(1) + "; ";
    }

    private static String meant(String typed, Collection<String> known) {
        String question = Suggestion.question(typed, known);
        return question.isEmpty() ? "; " : question + " ";
    }

    private static Collection<String> options(ParameterException e) {
        return e.getCommandLine().getCommandSpec().optionsMap().keySet();
    }

    private static Collection<String> names(ParameterException e) {
        return e.getCommandLine().getSubcommands().keySet();
    }

    private static String verbs(CommandLine group) {
        return String.join(", ", group.getSubcommands().keySet());
    }
}
