package dev.fairlead.cli.ask;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One field of a form: how it is shown, and how what is typed becomes its value (ELIC-010 to
 * ELIC-012, ELIC-015).
 *
 * @param schema a text, number, boolean or choice; known to be flat
 */
record Field(String name, JsonObject schema, boolean required) {
    private static final Set<String> YES = Set.of("y", "yes", "true");
    private static final Set<String> NO = Set.of("n", "no", "false");

    /** The name for people. */
    String title() {
        return Printable.line(text("title", name));
    }

    String prompt() {
        return title() + (required ? "" : " (optional)") + ":";
    }

    /** What the person should know before answering. */
    List<String> description() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        if (schema.get("description") instanceof JsonString description) {
            Printable.text(description.value())
                    .lines()
                    .map(line -> "  " + line)
                    .forEach(lines::add);
        }
        Choices.of(schema).ifPresent(choices -> lines.addAll(choices.lines()));
        String hint = new Limits(schema).hint();
        if (!hint.isEmpty()) {
            lines.add("  " + hint);
        }
        return lines;
    }

    /** What stands in the line to begin with: the value so far, else the default. */
    String text(@Nullable JsonValue value) {
        JsonValue shown = value == null ? schema.get("default") : value;
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

    /**
     * The value that was typed: the default where nothing was, null where there is none either.
     *
     * @throws InvalidInputException if it does not fit
     */
    @Nullable JsonValue value(String typed) throws InvalidInputException {
        if (typed.isBlank()) {
            JsonValue otherwise = schema.get("default");
            if (required && otherwise == null) {
                throw new InvalidInputException("An answer is needed here.");
            }
            return otherwise;
        }
        JsonValue value = parsed(typed.strip());
        new Limits(schema).check(value);
        return value;
    }

    private JsonValue parsed(String typed) throws InvalidInputException {
        var choices = Choices.of(schema);
        if (choices.isPresent()) {
            return choices.get().value(typed);
        }
        return switch (text("type", "string")) {
            case "boolean" -> flag(typed);
            case "integer", "number" -> number(typed);
            default -> JsonValue.of(typed);
        };
    }

    private static JsonValue flag(String typed) throws InvalidInputException {
        String word = typed.toLowerCase(Locale.ROOT);
        if (YES.contains(word) || NO.contains(word)) {
            return JsonValue.of(YES.contains(word));
        }
        throw new InvalidInputException("Please type yes or no.");
    }

    private JsonValue number(String typed) throws InvalidInputException {
        try {
            if (JsonValue.parse(typed) instanceof JsonNumber number) {
                return number;
            }
        } catch (JsonException e) {
            // said below
        }
        boolean whole = text("type", "").equals("integer");
        throw new InvalidInputException(
                whole ? "Please type a whole number." : "Please type a number, such as 1.5.");
    }

    private String text(String member, String otherwise) {
        return schema.get(member) instanceof JsonString text ? text.value() : otherwise;
    }
}
