package dev.fairlead.cli.hosts;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.tomlj.Toml;
import org.tomlj.TomlParseResult;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a TOML file, of which one table changes. All else stays as the user wrote it.
 * Immutable.
 */
final class TomlText {
    private static final Pattern HEADER = Pattern.compile("\\s*\\[.*");

    private final String text;
    private final JsonObject json;

    /**
     * @throws IllegalArgumentException if it is not TOML; the message names line and column
     */
    TomlText(String text) {
        TomlParseResult parsed = Toml.parse(text);
        if (parsed.hasErrors()) {
            throw new IllegalArgumentException(parsed.errors().getFirst().toString());
        }
        this.text = text;
        json = (JsonObject) JsonValue.parse(parsed.toJson());
    }

    @Override
    public String toString() {
        return text;
    }

    /** The same values as JSON. */
    JsonObject json() {
        return json;
    }

    /**
     * Sets the table {@code [container.name]}, with all its members in it.
     *
     * @throws IllegalArgumentException if the container is a value in one line, to which TOML
     *     allows no additions, though this parser accepts them
     */
    TomlText with(String container, String name, JsonObject members) {
        String inLine = "(?m)^\\s*[\"']?" + Pattern.quote(container) + "[\"']?\\s*=";
        if (Pattern.compile(inLine).matcher(text).find()) {
            throw new IllegalArgumentException(container + " is an inline table");
        }
        StringBuilder next = new StringBuilder(without(container, name).text);
        if (!next.isEmpty()) {
            next.append(next.charAt(next.length() - 1) == '\n' ? "\n" : "\n\n");
        }
        next.append('[').append(container).append('.').append(name).append("]\n");
        members.members()
                .forEach(
                        (member, value) ->
                                next.append(member)
                                        .append(" = ")
                                        .append(value(value))
                                        .append('\n'));
        return new TomlText(next.toString());
    }

    /** Removes the table {@code [container.name]} and those in it. */
    TomlText without(String container, String name) {
        String key =
                "\\s*%s\\s*\\.\\s*(?:%2$s|\"%2$s\"|'%2$s')\\s*"
                        .formatted(Pattern.quote(container), Pattern.quote(name));
        Pattern own = Pattern.compile("\\s*\\[" + key + "[\\].].*");
        List<String> kept = new ArrayList<>();
        boolean isOwn = false;
        for (String line : text.split("(?<=\n)")) {
            if (HEADER.matcher(line.strip()).matches()) {
                isOwn = own.matcher(line.strip()).matches();
            }
            if (!isOwn) {
                kept.add(line);
            }
        }
        return kept.isEmpty() ? new TomlText("") : new TomlText(String.join("", kept));
    }

    private static String value(JsonValue value) {
        return switch (value) {
            case JsonObject table ->
                    table.members().entrySet().stream()
                            .map(
                                    member ->
                                            JsonValue.of(member.getKey()).toJson()
                                                    + " = "
                                                    + value(member.getValue()))
                            .collect(Collectors.joining(", ", "{ ", " }"));
            case JsonArray array ->
                    array.elements().stream()
                            .map(TomlText::value)
                            .collect(Collectors.joining(", ", "[", "]"));
            default -> value.toJson(); // strings have the same escapes
        };
    }
}
