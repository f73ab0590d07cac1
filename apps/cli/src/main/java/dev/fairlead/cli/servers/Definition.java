package dev.fairlead.cli.servers;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The JSON object that defines one server, read member by member. Failures name file, server and
 * member, never a value.
 */
final class Definition {
    private final Path file;
    private final String server;
    private final JsonObject json;
    private final Variables variables;

    Definition(Path file, String server, JsonValue json, Variables variables) {
        this.file = file;
        this.server = server;
        this.variables = variables;
        if (!(json instanceof JsonObject object)) {
            throw wrong("must be an object but was " + kind(json));
        }
        this.json = object;
    }

    /** What is defined here. */
    ServerEntry entry() {
        Transport transport = transport();
        return switch (transport) {
            case STDIO -> new ProgramEntry(this);
            case HTTP, SSE -> new EndpointEntry(this, transport);
        };
    }

    private Transport transport() {
        boolean program = has("command");
        if (program == has("url")) {
            throw wrong(
                    program
                            ? "has both command and url"
                            : "needs a command (stdio) or a url (http)");
        }
        List<Transport> possible =
                program ? List.of(Transport.STDIO) : List.of(Transport.HTTP, Transport.SSE);
        String type = optionalText("type");
        if (type == null) {
            return possible.get(0);
        }
        return possible.stream()
                .filter(transport -> transport.isCalled(type))
                .findFirst()
                .orElseThrow(
                        () ->
                                wrong(
                                        "type must be "
                                                + (program
                                                        ? "stdio where there is a command"
                                                        : "http or sse where there is a url")
                                                + " but was "
                                                + JsonValue.of(type)));
    }

    String server() {
        return server;
    }

    /** The folder that relative paths of the file start from. */
    Path folder() {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    /** Whether there is such a member, null aside. */
    boolean has(String member) {
        JsonValue value = json.get(member);
        return value != null && value != JsonNull.NULL;
    }

    /** A text that must be there and not be blank. */
    String text(String member) {
        String text = optionalText(member);
        if (text == null || text.isBlank()) {
            throw wrong(member + (text == null ? " is missing" : " must not be empty"));
        }
        return text;
    }

    @Nullable String optionalText(String member) {
        JsonValue value = json.get(member);
        return value == null || value == JsonNull.NULL ? null : text(member, value);
    }

    /** A boolean; false where it is absent. */
    boolean flag(String member) {
        if (!has(member)) {
            return false;
        }
        if (!(json.get(member) instanceof JsonBoolean flag)) {
            throw wrong(member + " must be true or false");
        }
        return flag.value();
    }

    List<String> texts(String member) {
        if (!has(member)) {
            return List.of();
        }
        if (!(json.get(member) instanceof JsonArray array)) {
            throw wrong(member + " must be an array of strings");
        }
        List<String> texts = new ArrayList<>();
        for (JsonValue element : array.elements()) {
            texts.add(text(member + "[" + texts.size() + "]", element));
        }
        return texts;
    }

    Map<String, String> textsByName(String member) {
        if (!has(member)) {
            return Map.of();
        }
        if (!(json.get(member) instanceof JsonObject object)) {
            throw wrong(member + " must be an object of strings");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        object.members()
                .forEach((name, value) -> texts.put(name, text(member + "." + name, value)));
        return texts;
    }

    private String text(String place, JsonValue value) {
        if (!(value instanceof JsonString text)) {
            throw wrong(place + " must be a string but was " + kind(value));
        }
        if (text.value().indexOf('\0') >= 0) {
            throw wrong(place + " must not contain a NUL character");
        }
        return text.value();
    }

    /** The text of a member with the values of its variables. */
    String expand(String member, String text) {
        try {
            return variables.expand(text);
        } catch (TargetException e) {
            throw wrong(member + " " + e.getMessage());
        }
    }

    /** The failure of this definition. */
    TargetException wrong(String what) {
        return new TargetException(file + ": server \"" + server + "\": " + what);
    }

    private static String kind(JsonValue value) {
        return switch (value) {
            case JsonObject object -> "an object";
            case JsonArray array -> "an array";
            case JsonString text -> "a string";
            case JsonNumber number -> "a number";
            case JsonBoolean flag -> "a boolean";
            case JsonNull nothing -> "null";
        };
    }
}
