package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Structured output in the handshake revisions, where it is always an object: a list, a text or a
 * number travels as the only member {@code result} of one.
 */
public final class StructuredOutput {
    private static final String MEMBER = "result";
    private static final String DEFINITIONS = "$defs"; // stay at the root

    private static final String FIRST_OF_EITHER = "#/anyOf/0";
    private static final JsonObject ONE_OF_EITHER =
            onlyMember(JsonObject.of("$ref", FIRST_OF_EITHER));

    private StructuredOutput() {}

    /** Returns the tool with an output schema that describes an object. */
    static Tool wrap(Tool tool) {
        JsonObject schema = tool.outputSchema();
        return schema == null || isObject(schema) ? tool : tool.withOutputSchema(wrap(schema));
    }

    /** Returns structured content as an object; an object is unchanged. */
    static RawJson wrap(RawJson content) {
        return content.isObject()
                ? content
                : new JsonWriter().beginObject().name(MEMBER).raw(content).endObject().finish();
    }

    /**
     * Returns the result with structured content that is an object. A text with the JSON of the
     * structured content is changed with it.
     */
    static CallToolResult wrap(CallToolResult result) {
        JsonValue content = result.structuredContent();
        if (content == null || content instanceof JsonObject) {
            return result;
        }
        List<Content> blocks =
                result.content().equals(List.of(Content.text(result.text())))
                                && isJsonOf(content, result.text())
                        ? List.of(Content.text(wrap(RawJson.parse(result.text())).toJson()))
                        : result.content();
        return new CallToolResult(
                blocks,
                JsonObject.of(MEMBER, content),
                result.errorFlag(),
                result.meta(),
                result.otherMembers());
    }

    /**
     * Returns whether a text is the JSON of a content; it may have other digits for the same
     * number, or more spaces.
     */
    private static boolean isJsonOf(JsonValue content, String text) {
        try {
            return JsonValue.parseInText(text).equals(content);
        } catch (JsonException e) {
            return false;
        }
    }

    /** Returns the value in a wrapped output; any other output as it is. */
    public static JsonValue unwrap(JsonValue json) {
        return json instanceof JsonObject object && object.get(MEMBER) instanceof JsonValue value
                ? value
                : json;
    }

    /**
     * Returns whether a server has wrapped this output of a tool with this schema: the schema is
     * one that {@link #wrap(Tool)} makes, or has the mark of FastMCP. Where some outputs are
     * objects, only others are wrapped.
     */
    public static boolean isWrapped(JsonValue output, JsonObject schema) {
        if (!(output instanceof JsonObject object)
                || object.members().size() != 1
                || !(object.get(MEMBER) instanceof JsonValue value)) {
            return false;
        }
        JsonObject own = schema.without("$schema", DEFINITIONS);
        if (own.get("anyOf") instanceof JsonArray either) {
            return !(value instanceof JsonObject) // which travels as it is
                    && either.elements().size() == 2
                    && either.elements().get(1).equals(ONE_OF_EITHER);
        }
        return JsonBoolean.TRUE.equals(schema.get("x-fastmcp-wrap-result"))
                || own.get("properties") instanceof JsonObject properties
                        && properties.get(MEMBER) instanceof JsonValue inner
                        && schema.without(DEFINITIONS)
                                .equals(JsonObject.of("type", "object").with(onlyMember(inner)));
    }

    /** Returns whether the tool needs {@link #wrap(Tool)}. */
    static boolean needsWrap(Tool tool) {
        return tool.outputSchema() != null && !isObject(tool.outputSchema());
    }

    /** Returns whether all outputs are objects. */
    public static boolean isObject(JsonObject schema) {
        return schema.get("type") instanceof JsonString type && type.value().equals("object");
    }

    private static JsonObject wrap(JsonObject schema) {
        JsonObject inner = schema.without("$schema", DEFINITIONS);
        boolean either = mayBeObject(schema);
        String place = either ? FIRST_OF_EITHER : "#/properties/" + MEMBER;
        JsonValue moved = moved(inner, place);
        JsonObject wrapped =
                either ? JsonObject.of("anyOf", List.of(moved, ONE_OF_EITHER)) : onlyMember(moved);
        wrapped = JsonObject.of("type", "object").with(wrapped);
        JsonValue definitions = schema.get(DEFINITIONS);
        if (definitions != null) {
            wrapped = wrapped.with(DEFINITIONS, moved(definitions, place));
        }
        JsonValue dialect = schema.get("$schema");
        return dialect == null ? wrapped : JsonObject.of("$schema", dialect).with(wrapped);
    }

    /** Returns whether some output is an object, which travels as it is. */
    public static boolean mayBeObject(JsonObject schema) {
        return switch (schema.get("type")) {
            case JsonArray types -> types.elements().contains(new JsonString("object"));
            case null -> true;
            default -> false;
        };
    }

    private static JsonObject onlyMember(JsonValue schema) {
        return JsonObject.of(
                "properties",
                JsonObject.of(MEMBER, schema),
                "required",
                List.of(MEMBER),
                "additionalProperties",
                false);
    }

    /** Returns the schema with its references to itself adjusted to its new place. */
    private static JsonValue moved(JsonValue value, String place) {
        return switch (value) {
            case JsonObject object -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                object.members()
                        .forEach((name, member) -> members.put(name, moved(name, member, place)));
                yield new JsonObject(members);
            }
            case JsonArray array ->
                    new JsonArray(
                            array.elements().stream().map(each -> moved(each, place)).toList());
            default -> value;
        };
    }

    private static JsonValue moved(String name, JsonValue member, String place) {
        return name.equals("$ref")
                        && member instanceof JsonString reference
                        && isMoved(reference.value())
                ? new JsonString(place + reference.value().substring(1))
                : moved(member, place);
    }

    private static boolean isMoved(String reference) {
        return reference.equals("#")
                || (reference.startsWith("#/") && !reference.startsWith("#/" + DEFINITIONS + "/"));
    }
}
