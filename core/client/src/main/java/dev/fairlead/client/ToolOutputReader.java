package dev.fairlead.client;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.face.StructuredOutput;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

/**
 * How the result of a tool becomes a value of one type.
 *
 * @param <O> the type
 */
@FunctionalInterface
interface ToolOutputReader<O> {
    /**
     * Reads the value.
     *
     * @param result no failure
     * @param schema the output schema that declares a wrapping; null for none
     * @throws InvalidResultException if there is none of that type
     */
    O read(String tool, CallToolResult result, @Nullable JsonObject schema);

    /** The way of a type. */
    @SuppressWarnings("unchecked") // each branch has just compared the type
    static <O> ToolOutputReader<O> of(TypeRef<O> type) {
        if (type.type() == String.class) {
            return (tool, result, schema) -> (O) result.text();
        }
        if (type.type() == CallToolResult.class) {
            return (tool, result, schema) -> (O) result;
        }
        if (type.type() instanceof Class<?> raw && Content.class.isAssignableFrom(raw)) {
            return (tool, result, schema) -> (O) block(tool, result, raw);
        }
        JsonCodec<O> codec = JsonCodec.of(type);
        Wrapping wrapping = Wrapping.of(JsonSchema.of(type).json());
        return (tool, result, schema) ->
                bind(tool, codec, wrapping.open(json(tool, result), schema));
    }

    /** How outputs of a type travel in the revisions whose structured content is an object. */
    enum Wrapping {
        /** Objects travel as they are. */
        NEVER,
        /** Types such as {@link JsonValue} have both: the tool declares the wrapping. */
        DECLARED,
        /** Everything else travels as the member of an object. */
        ALWAYS;

        static Wrapping of(JsonObject type) {
            if (StructuredOutput.isObject(type)) {
                return NEVER;
            }
            return StructuredOutput.mayBeObject(type) ? DECLARED : ALWAYS;
        }

        JsonValue open(JsonValue output, @Nullable JsonObject schema) {
            boolean opened =
                    switch (this) {
                        case NEVER -> false;
                        case DECLARED ->
                                schema != null && StructuredOutput.isWrapped(output, schema);
                        case ALWAYS -> true;
                    };
            return opened ? StructuredOutput.unwrap(output) : output;
        }
    }

    private static Object block(String tool, CallToolResult result, Class<?> type) {
        if (result.content().size() != 1 || !type.isInstance(result.content().get(0))) {
            throw new InvalidResultException(
                    "The result of tool " + tool + " is not one block of " + type.getSimpleName(),
                    null);
        }
        return result.content().get(0);
    }

    private static <O> O bind(String tool, JsonCodec<O> codec, JsonValue output) {
        try {
            return codec.read(output);
        } catch (JsonBindingException e) {
            throw new InvalidResultException(
                    "The result of tool "
                            + tool
                            + " is not of the type asked for: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Servers before revision 2025-06-18, and some newer ones, give JSON only as text. */
    private static JsonValue json(String tool, CallToolResult result) {
        JsonValue structured = result.structuredContent();
        if (structured != null) {
            return structured;
        }
        try {
            return JsonValue.parseInText(result.text());
        } catch (JsonException e) {
            throw new InvalidResultException(
                    "The result of tool " + tool + " has no structured content", e);
        }
    }
}
