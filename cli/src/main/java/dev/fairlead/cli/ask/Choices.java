package dev.fairlead.cli.ask;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The values that a field takes, in each way that a form can say them (ELIC-011). They are numbered
 * for typing.
 *
 * @param several whether more than one may be chosen
 */
record Choices(List<Option> options, boolean several) {
    /** One of them, with its name for people. */
    record Option(String value, String title) {
        private boolean isMeantBy(String typed) {
            return value.equals(typed) || title.equalsIgnoreCase(typed);
        }
    }

    /** The choices of a field; empty if it is no choice. */
    static Optional<Choices> of(JsonObject schema) {
        boolean several = schema.get("items") instanceof JsonObject;
        JsonObject place = several ? schema.object("items") : schema;
        List<Option> options = options(place);
        return options.isEmpty() ? Optional.empty() : Optional.of(new Choices(options, several));
    }

    private static List<Option> options(JsonObject place) {
        List<Option> options = new ArrayList<>();
        for (JsonValue option : array(place, place.has("oneOf") ? "oneOf" : "anyOf")) {
            JsonObject titled = (JsonObject) option;
            options.add(new Option(titled.string("const"), titled.string("title")));
        }
        List<JsonValue> names = array(place, "enumNames");
        List<JsonValue> values = array(place, "enum");
        for (int i = 0; i < values.size(); i++) {
            String value = ((JsonString) values.get(i)).value();
            JsonValue name = i < names.size() ? names.get(i) : null;
            options.add(new Option(value, name(name, value)));
        }
        return options;
    }

    private static String name(@Nullable JsonValue name, String otherwise) {
        return name instanceof JsonString text ? text.value() : otherwise;
    }

    private static List<JsonValue> array(JsonObject place, String member) {
        return place.get(member) instanceof JsonArray array ? array.elements() : List.of();
    }

    /** A numbered line for each. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < options.size(); i++) {
            Option option = options.get(i);
            String value =
                    option.value().equals(option.title())
                            ? ""
                            : " (" + Printable.line(option.value()) + ")";
            lines.add("  " + (i + 1) + ") " + Printable.line(option.title()) + value);
        }
        if (several) {
            lines.add("  several: numbers or names with commas between them");
        }
        return lines;
    }

    /** The value, or the array of values, that was typed. */
    JsonValue value(String typed) throws InvalidInputException {
        if (!several) {
            return JsonValue.of(chosen(typed));
        }
        Set<JsonValue> chosen = new LinkedHashSet<>();
        for (String one : typed.split(",")) {
            if (!one.isBlank()) {
                chosen.add(JsonValue.of(chosen(one.strip())));
            }
        }
        return new JsonArray(List.copyOf(chosen));
    }

    private String chosen(String typed) throws InvalidInputException {
        for (Option option : options) { // a value may look like a number of another one
            if (option.isMeantBy(typed)) {
                return option.value();
            }
        }
        if (typed.matches("[0-9]{1,6}")) {
            int number = Integer.parseInt(typed);
            if (number >= 1 && number <= options.size()) {
                return options.get(number - 1).value();
            }
        }
        throw new InvalidInputException(
                "Please choose from the list, by number (1 to " + options.size() + ") or name.");
    }
}
