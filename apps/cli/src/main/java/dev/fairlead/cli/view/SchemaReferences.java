package dev.fairlead.cli.view;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

/** Follows the references of a JSON Schema to its own definitions ({@code #/$defs/…}). */
final class SchemaReferences {
    private static final int MAX_STEPS = 8; // references may go in a circle

    private final JsonObject root;

    SchemaReferences(JsonObject root) {
        this.root = root;
    }

    /**
     * Returns the referenced schema, with the members beside the reference; empty for a schema that
     * is not an object, such as {@code true}.
     */
    JsonObject resolve(JsonValue schema) {
        JsonObject resolved = schema instanceof JsonObject object ? object : JsonObject.EMPTY;
        for (int step = 0; step < MAX_STEPS; step++) {
            if (!(resolved.get("$ref") instanceof JsonString reference)
                    || !(find(reference.value()) instanceof JsonObject definition)) {
                return resolved;
            }
            resolved = definition.with(resolved.without("$ref"));
        }
        return resolved;
    }

    private @Nullable JsonValue find(String reference) {
        if (!reference.startsWith("#/")) {
            return null;
        }
        JsonValue found = root;
        for (String part : reference.substring(2).split("/", -1)) {
            String name = part.replace("~1", "/").replace("~0", "~");
            found = found instanceof JsonObject object ? object.get(name) : null;
        }
        return found;
    }
}
