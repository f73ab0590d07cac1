package dev.fairlead.cli.view;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.tools.Tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One tool with all that its definition says, and a call of it to type. */
public final class ToolPage {
    private ToolPage() {}

    /** Heading, description, arguments and result with nested members, and a call. */
    public static List<String> lines(Tool tool, Screen screen) {
        List<String> lines = new ArrayList<>(ToolList.heading(tool, screen));
        Indented inside = new Indented("  ", screen);
        if (tool.description() != null) {
            lines.addAll(inside.paragraph(tool.description(), Style.PLAIN));
        }
        add(lines, "Arguments", tool.inputSchema(), screen);
        if (tool.outputSchema() != null) {
            add(lines, "Result", tool.outputSchema(), screen);
        }
        lines.add("");
        lines.add(screen.styled(Style.BOLD, "Call"));
        lines.addAll(inside.all(List.of(call(tool))));
        return lines;
    }

    private static void add(List<String> lines, String heading, JsonObject schema, Screen screen) {
        Indented inside = new Indented("  ", screen);
        List<String> rows = SchemaTable.nested(schema).lines(inside.screen());
        lines.add("");
        lines.add(screen.styled(Style.BOLD, heading));
        lines.addAll(inside.all(rows.isEmpty() ? List.of("none") : rows));
    }

    private static String call(Tool tool) {
        List<String> words = new ArrayList<>(List.of("fairlead", "tools", "call", tool.name()));
        for (ToolArgument argument : ToolArgument.of(tool.inputSchema())) {
            if (argument.required()) {
                words.add(argument.name() + "=" + example(argument));
            }
        }
        words.add("TARGET");
        return Printable.line(ShellWords.line(words.stream()));
    }

    /** An example from the schema, or its type in capitals. */
    private static String example(ToolArgument argument) {
        JsonObject schema = argument.schema();
        JsonValue value = schema.get("default");
        if (value == null
                && schema.get("examples") instanceof JsonArray examples
                && examples.size() > 0) {
            value = examples.elements().getFirst();
        }
        if (value == null && !argument.choices().isEmpty()) {
            value = argument.choices().getFirst();
        }
        if (value != null) {
            return SchemaType.word(value);
        }
        return argument.types().isEmpty()
                ? "VALUE"
                : argument.types().getFirst().toUpperCase(Locale.ROOT);
    }
}
