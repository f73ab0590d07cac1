package dev.fairlead.cli.view;

import dev.fairlead.cli.view.Table.Column;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptArgument;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Prompts as people see them. */
public final class PromptList {
    private PromptList() {}

    /**
     * Lists prompts: on a terminal each one with its description and arguments, elsewhere a line
     * for each: name, name for people, arguments (those that may be missing with {@code ?}),
     * description.
     */
    public static List<String> lines(List<Prompt> prompts, Screen screen) {
        List<String> lines = new ArrayList<>();
        for (Prompt prompt : prompts) {
            if (!screen.terminal()) {
                lines.add(plain(prompt));
                continue;
            }
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(detailed(prompt, screen));
        }
        return prompts.isEmpty() ? Names.none("prompts", screen) : lines;
    }

    private static String plain(Prompt prompt) {
        String arguments =
                arguments(prompt).stream()
                        .map(argument -> argument.name() + (argument.isRequired() ? "" : "?"))
                        .collect(Collectors.joining(" "));
        return String.join(
                "\t",
                Printable.line(prompt.name()),
                Printable.line(prompt.displayName()),
                Printable.line(arguments),
                Names.line(prompt.description()));
    }

    private static List<String> detailed(Prompt prompt, Screen screen) {
        List<String> lines = new ArrayList<>();
        lines.add(Names.heading(prompt.displayName(), prompt.name(), screen));
        Indented inside = new Indented("  ", screen);
        if (prompt.description() != null) {
            lines.addAll(inside.paragraph(prompt.description(), Style.PLAIN));
        }
        Table table =
                Table.withoutHeadings(
                        Column.of("", Style.CYAN),
                        Column.of("", Style.DIM),
                        Column.wrapping("", Style.PLAIN));
        for (PromptArgument argument : arguments(prompt)) {
            table.row(
                    Printable.line(argument.name()),
                    argument.isRequired() ? "required" : "",
                    Names.line(described(argument)));
        }
        Indented arguments = inside.deeper();
        lines.addAll(arguments.all(table.lines(arguments.screen())));
        return lines;
    }

    private static List<PromptArgument> arguments(Prompt prompt) {
        return prompt.arguments() == null ? List.of() : prompt.arguments();
    }

    private static @Nullable String described(PromptArgument argument) {
        return argument.description() == null ? argument.title() : argument.description();
    }
}
