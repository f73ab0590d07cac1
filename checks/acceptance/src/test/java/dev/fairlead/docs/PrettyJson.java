package dev.fairlead.docs;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Writes JSON for people: a value that fits stands on one line, a longer one is broken up. */
final class PrettyJson {
    private static final int WIDTH = 100;

    private PrettyJson() {}

    static String print(JsonValue value) {
        return print(value, 0, 0);
    }

    /**
     * @param indent the indent of the line that the value begins in
     * @param taken how much of that line is taken by the text around the value
     */
    private static String print(JsonValue value, int indent, int taken) {
        String line = onOneLine(value);
        if (indent + taken + line.length() <= WIDTH) {
            return line;
        }
        return switch (value) {
            case JsonObject object -> {
                List<String> members = new ArrayList<>();
                object.members()
                        .forEach(
                                (name, member) ->
                                        members.add(
                                                key(name)
                                                        + print(
                                                                member,
                                                                indent + 2,
                                                                key(name).length() + 1)));
                yield broken("{", members, "}", indent);
            }
            case JsonArray array -> {
                List<String> elements = new ArrayList<>();
                array.forEach(element -> elements.add(print(element, indent + 2, 1)));
                yield broken("[", elements, "]", indent);
            }
            default -> line;
        };
    }

    private static String broken(String open, List<String> parts, String close, int indent) {
        String inner = "\n" + " ".repeat(indent + 2);
        return open + inner + String.join("," + inner, parts) + "\n" + " ".repeat(indent) + close;
    }

    private static String onOneLine(JsonValue value) {
        return switch (value) {
            case JsonObject object ->
                    object.members().entrySet().stream()
                            .map(member -> key(member.getKey()) + onOneLine(member.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            case JsonArray array ->
                    array.elements().stream()
                            .map(PrettyJson::onOneLine)
                            .collect(Collectors.joining(", ", "[", "]"));
            default -> value.toJson();
        };
    }

    private static String key(String name) {
        return JsonValue.of(name).toJson() + ": ";
    }
}
