package dev.fairlead.cli.ask;

import dev.fairlead.client.FormField;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** One field of a form as the terminal shows it. */
record Field(FormField field) {
    String prompt() {
        return field.title() + (field.isRequired() ? "" : " (optional)") + ":";
    }

    /** The lines that the person should read before answering. */
    List<String> description() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        field.description()
                .ifPresent(text -> text.lines().map(line -> "  " + line).forEach(lines::add));
        lines.addAll(options());
        String constraints = field.constraints();
        if (!constraints.isEmpty()) {
            lines.add("  " + constraints);
        }
        return lines;
    }

    /** A numbered line for each option. */
    private List<String> options() {
        List<String> lines = new ArrayList<>();
        for (FormField.Option option : field.options()) {
            String value =
                    option.value().equals(option.title())
                            ? ""
                            : " (" + Printable.line(option.value()) + ")";
            lines.add("  " + (lines.size() + 1) + ") " + option.title() + value);
        }
        if (field.type() == FormField.Type.CHOICES) {
            lines.add("  several: numbers or names, separated by commas");
        }
        return lines;
    }

    /** The text in the line at first: the value so far, else the default. */
    String text(@Nullable JsonValue value) {
        JsonValue shown = value == null ? field.defaultValue().orElse(null) : value;
        return shown == null ? "" : Printable.line(typed(shown));
    }

    private static String typed(JsonValue value) {
        return switch (value) {
            case JsonString text -> text.value();
            case JsonBoolean flag -> flag.value() ? "yes" : "no";
            case JsonArray several ->
                    String.join(", ", several.elements().stream().map(Field::typed).toList());
            default -> value.toJson();
        };
    }
}
