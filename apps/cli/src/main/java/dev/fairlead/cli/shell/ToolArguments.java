package dev.fairlead.cli.shell;

import dev.fairlead.cli.view.ArgumentWords;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

/** Reads the arguments of a tool from a line: one JSON object, or words {@code KEY=VALUE}. */
final class ToolArguments {
    private ToolArguments() {}

    /**
     * Parses the arguments.
     *
     * @param schema of the tool, which decides the types of values; null if it is not known
     */
    static JsonObject of(TypedLine line, @Nullable JsonObject schema) {
        if (line.rest().startsWith("{")) {
            return json(line.rest());
        }
        try {
            return ArgumentWords.read(line.argumentWords(), schema);
        } catch (IllegalArgumentException e) {
            throw new ShellUsageException(String.valueOf(e.getMessage()));
        }
    }

    private static JsonObject json(String text) {
        try {
            if (JsonValue.parse(text) instanceof JsonObject object) {
                return object;
            }
        } catch (JsonException e) {
            throw new ShellUsageException(String.valueOf(e.getMessage()));
        }
        throw new ShellUsageException("the arguments must be a single JSON object");
    }
}
