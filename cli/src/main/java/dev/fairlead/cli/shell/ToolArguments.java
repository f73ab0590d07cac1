package dev.fairlead.cli.shell;

import dev.fairlead.cli.view.ToolArgument;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the arguments of a tool from a line: one JSON object, or words {@code KEY=VALUE}. */
final class ToolArguments {
    private ToolArguments() {}

    /**
     * The arguments.
     *
     * @param schema of the tool, which says what a value is; null where it is not known
     */
    static JsonObject of(TypedLine line, @Nullable JsonObject schema) {
        if (line.rest().startsWith("{")) {
            return json(line.rest());
        }
        List<ToolArgument> known = schema == null ? List.of() : ToolArgument.of(schema);
        JsonObject arguments = JsonObject.EMPTY;
        for (Map.Entry<String, String> pair : line.pairs().entrySet()) {
            Optional<ToolArgument> argument =
                    known.stream().filter(one -> one.name().equals(pair.getKey())).findFirst();
            List<String> types = argument.map(ToolArgument::types).orElse(List.of());
            arguments = arguments.with(pair.getKey(), value(pair.getKey(), pair.getValue(), types));
        }
        return arguments;
    }

    private static JsonObject json(String text) {
        try {
            if (JsonValue.parse(text) instanceof JsonObject object) {
                return object;
            }
        } catch (JsonException e) {
            throw new ShellUsageException(String.valueOf(e.getMessage()));
        }
        throw new ShellUsageException("the arguments must be one JSON object");
    }

    /** Text where text is allowed; otherwise JSON, or text where no type is known. */
    private static JsonValue value(String name, String text, List<String> types) {
        if (types.contains("string")) {
            return JsonValue.of(text);
        }
        try {
            return JsonValue.parse(text);
        } catch (JsonException e) {
            if (types.isEmpty()) {
                return JsonValue.of(text);
            }
            throw new ShellUsageException(
                    name + " must be " + String.join(" or ", types) + " but was " + text);
        }
    }
}
