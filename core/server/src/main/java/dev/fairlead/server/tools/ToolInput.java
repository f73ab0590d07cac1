package dev.fairlead.server.tools;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.tools.CallToolRequest;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The input of a call of a tool, before it is read.
 *
 * @param arguments an object
 * @param request the whole request; made only where it is needed
 * @param ignoreUnknown whether arguments that the tool does not know are ignored
 */
public record ToolInput(
        RawJson arguments, Supplier<CallToolRequest> request, boolean ignoreUnknown) {
    /**
     * Returns a reader that binds the arguments to a class of the author. It throws {@link
     * JsonBindingException} for invalid ones.
     */
    public static <I> Function<ToolInput, I> typed(TypeRef<I> type) {
        JsonCodec<I> codec = JsonCodec.of(type).strict();
        List<String> ofHosts = UnknownArguments.ofHosts(JsonSchema.of(type).json());
        return input -> codec.readKnown(input.arguments(), input.ignoreUnknown() ? null : ofHosts);
    }

    /**
     * Returns a reader that checks the arguments of the request and leaves it whole. It throws
     * {@link JsonBindingException} for invalid ones.
     */
    public static Function<ToolInput, CallToolRequest> raw(JsonSchema schema) {
        JsonObject json = schema.json();
        List<String> ofHosts = UnknownArguments.ofHosts(json);
        return input -> {
            CallToolRequest request = input.request().get();
            JsonObject known =
                    UnknownArguments.leftOut(
                            request.arguments(), json, input.ignoreUnknown() ? null : ofHosts);
            List<JsonViolation> violations = schema.validate(known);
            if (!violations.isEmpty()) {
                throw new JsonBindingException(violations);
            }
            return known == request.arguments() ? request : request.withArguments(known);
        };
    }

    /** Returns the same input, whose arguments keep nothing of the message that they came in. */
    ToolInput detached() {
        return new ToolInput(arguments.detached(), request, ignoreUnknown);
    }
}
