package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.tools.Tool;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Tools as people see them. */
public final class ToolList {
    private static final String INDENT = "  ";

    private ToolList() {}

    /**
     * Lists tools: on a terminal each one with its hints, description and arguments, as far as the
     * server has set them, elsewhere a line for each: name, name for people, hints, arguments
     * (those that may be missing with {@code ?}), description.
     */
    public static List<String> lines(List<Tool> tools, Screen screen) {
        List<String> lines = new ArrayList<>();
        for (Tool tool : tools) {
            if (!screen.terminal()) {
                lines.add(plain(tool));
                continue;
            }
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(detailed(tool, screen));
        }
        return tools.isEmpty() ? Names.none("tools", screen) : lines;
    }

    private static String plain(Tool tool) {
        String arguments =
                ToolArgument.of(tool.inputSchema()).stream()
                        .map(argument -> argument.name() + (argument.required() ? "" : "?"))
                        .collect(Collectors.joining(" "));
        return String.join(
                "\t",
                Printable.line(tool.name()),
                Printable.line(tool.displayName()),
                String.join(", ", ToolHints.of(tool)),
                Printable.line(arguments),
                Names.line(tool.description()));
    }

    private static List<String> detailed(Tool tool, Screen screen) {
        List<String> lines = new ArrayList<>();
        lines.addAll(heading(tool, screen));
        Indented inside = new Indented(INDENT, screen);
        if (tool.description() != null) {
            lines.addAll(inside.paragraph(tool.description(), Style.PLAIN));
        }
        Indented arguments = inside.deeper();
        lines.addAll(arguments.all(SchemaTable.flat(tool.inputSchema()).lines(arguments.screen())));
        return lines;
    }

    /** Names and hints, on one line if they fit. */
    static List<String> heading(Tool tool, Screen screen) {
        String names = Names.heading(tool.displayName(), tool.name(), screen);
        String hints = String.join(", ", ToolHints.of(tool));
        if (hints.isEmpty()) {
            return List.of(names);
        }
        String styled = INDENT + screen.styled(Style.YELLOW, hints);
        int width = tool.displayName().length() + tool.name().length() + hints.length() + 5;
        return width <= screen.width() ? List.of(names + styled) : List.of(names, styled);
    }
}
