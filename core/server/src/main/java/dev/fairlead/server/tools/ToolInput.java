package dev.fairlead.server.tools;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.tools.CallToolRequest;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The input of a call of a tool, before it is read.
 *
 * @param arguments an object
 * @param request the whole request; made only where it is needed
 * @param ignoreUnknown whether arguments that the tool does not know are ignored
 * @param acceptText whether arguments may be strings that contain their JSON
 */
public record ToolInput(
        RawJson arguments,
        Supplier<CallToolRequest> request,
        boolean ignoreUnknown,
        boolean acceptText) {
    private static final System.Logger LOGGER = System.getLogger(ToolInput.class.getName());

    /**
     * Returns a reader that binds the arguments to a class of the author. It throws {@link
     * JsonBindingException} for invalid ones.
     */
    public static <I> Function<ToolInput, I> typed(String tool, TypeRef<I> type) {
        JsonCodec<I> codec = JsonCodec.of(type).strict();
        JsonCodec<I> fromStrings = codec.fromStrings();
        List<String> ofHosts = UnknownArguments.ofHosts(JsonSchema.of(type).json());
        return input -> {
            List<String> ignored = input.ignoreUnknown() ? null : ofHosts;
            try {
                return codec.readKnown(input.arguments(), ignored);
            } catch (JsonBindingException e) {
                return input.fromStrings(tool, fromStrings, ignored, e);
            }
        };
    }

    /**
     * Reads arguments that are strings where the tool takes them. A caller gains nothing by them:
     * it could have sent the same values as JSON.
     *
     * @param first the violations without strings, thrown unless the arguments can be read
     */
    private <I> I fromStrings(
            String tool,
            JsonCodec<I> codec,
            @Nullable List<String> ignored,
            JsonBindingException first) {
        if (!acceptText && !LOGGER.isLoggable(Level.DEBUG)) {
            throw first;
        }
        I read;
        try {
            read = codec.readKnown(arguments, ignored);
        } catch (JsonBindingException e) {
            throw first;
        }
        if (acceptText) {
            return read;
        }
        LOGGER.log(
                Level.DEBUG,
                "The arguments of {0} are strings that contain their JSON; to accept them, call"
                        + " acceptTextArguments() on the tool or the server",
                tool);
        throw first;
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
        return new ToolInput(arguments.detached(), request, ignoreUnknown, acceptText);
    }
}
