package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.Tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Structured output in the handshake revisions, where it is always an object: a list, a text or a
 * number travels as the only member {@code result} of one.
 */
public final class StructuredOutput {
    private static final String MEMBER = "result";

    private StructuredOutput() {}

    /** The tool with an output schema that describes an object. */
    static Tool wrap(Tool tool) {
        JsonObject schema = tool.outputSchema();
        return schema == null || isObject(schema) ? tool : tool.withOutputSchema(wrap(schema));
    }

    /** The result with structured content that is an object. */
    static CallToolResult wrap(CallToolResult result) {
        JsonValue content = result.structuredContent();
        return content == null || content instanceof JsonObject
                ? result
                : result.withStructuredContent(JsonObject.of(MEMBER, content));
    }

    /** What a wrapped output holds; any other output as it is. */
    public static JsonValue unwrap(JsonValue json) {
        return json instanceof JsonObject object && object.get(MEMBER) instanceof JsonValue value
                ? value
                : json;
    }

    /** Whether the tool needs {@link #wrap(Tool)}. */
    static boolean needsWrap(Tool tool) {
        return tool.outputSchema() != null && !isObject(tool.outputSchema());
    }

    private static boolean isObject(JsonObject schema) {
        return schema.get("type") instanceof JsonString type && type.value().equals("object");
    }

    private static JsonObject wrap(JsonObject schema) {
        JsonObject inner = (JsonObject) moved(schema.without("$schema"));
        JsonObject wrapped =
                JsonObject.of(
                        "type", "object",
                        "properties", JsonObject.of(MEMBER, inner),
                        "required", List.of(MEMBER));
        JsonValue dialect = schema.get("$schema");
        return dialect == null ? wrapped : JsonObject.of("$schema", dialect).with(wrapped);
    }

    /** The schema with its references to itself pointing to where it stands now. */
    private static JsonValue moved(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                object.members().forEach((name, member) -> members.put(name, moved(name, member)));
                yield new JsonObject(members);
            }
            case JsonArray array ->
                    new JsonArray(array.elements().stream().map(StructuredOutput::moved).toList());
            default -> value;
        };
    }

    private static JsonValue moved(String name, JsonValue member) {
        boolean local =
                name.equals("$ref")
                        && member instanceof JsonString reference
                        && (reference.value().equals("#") || reference.value().startsWith("#/"));
        return local
                ? new JsonString(
                        "#/properties/" + MEMBER + ((JsonString) member).value().substring(1))
                : moved(member);
    }
}
