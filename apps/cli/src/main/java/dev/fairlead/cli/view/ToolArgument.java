package dev.fairlead.cli.view;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An argument of a tool, as far as the JSON Schema of the tool describes it plainly. Other or wrong
 * forms of a schema are ignored.
 *
 * @param name of the argument
 * @param schema of its value, a reference resolved
 * @param required whether it must be given
 */
public record ToolArgument(String name, JsonObject schema, boolean required) {

    /** The arguments that a schema names, in its order. */
    public static List<ToolArgument> of(JsonObject inputSchema) {
        return of(inputSchema, new SchemaReferences(inputSchema));
    }

    /** The members of an object within a schema. */
    static List<ToolArgument> of(JsonObject object, SchemaReferences references) {
        List<ToolArgument> arguments = new ArrayList<>();
        Set<String> required = new LinkedHashSet<>(texts(object.get("required")));
        if (object.get("properties") instanceof JsonObject properties) {
            properties
                    .members()
                    .forEach(
                            (name, schema) ->
                                    arguments.add(
                                            new ToolArgument(
                                                    name,
                                                    references.resolve(schema),
                                                    required.contains(name))));
        }
        return List.copyOf(arguments);
    }

    /** The description of the argument; empty if the schema has none. */
    public String description() {
        return schema.get("description") instanceof JsonString text ? text.value() : "";
    }

    /** The only values it may have; empty where there is no such list. */
    public List<JsonValue> choices() {
        if (schema.get("enum") instanceof JsonArray values) {
            return values.elements();
        }
        JsonValue constant = schema.get("const");
        if (constant != null) {
            return List.of(constant);
        }
        return types().equals(List.of("boolean"))
                ? List.of(JsonValue.of(true), JsonValue.of(false))
                : List.of();
    }

    /** The JSON types that its values may have; empty where the schema does not say. */
    public List<String> types() {
        return types(schema);
    }

    static List<String> types(JsonObject schema) {
        JsonValue type = schema.get("type");
        return type instanceof JsonString one ? List.of(one.value()) : texts(type);
    }

    private static List<String> texts(@Nullable JsonValue value) {
        if (!(value instanceof JsonArray array)) {
            return List.of();
        }
        return array.elements().stream()
                .filter(JsonString.class::isInstance)
                .map(element -> ((JsonString) element).value())
                .toList();
    }
}
