package dev.fairlead.server.tools;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The conversion of a handler's output to the result of a tool: the output class decides.
 *
 * @param <O> the output class
 */
public interface ToolOutput<O extends @Nullable Object> {
    /** The output of a handler breaks the schema that its tool declares. */
    final class BrokenOutputException extends Exception {
        private static final long serialVersionUID = 1;

        BrokenOutputException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }

        BrokenOutputException(List<JsonViolation> violations) {
            this(
                    violations.stream()
                            .map(JsonViolation::toString)
                            .collect(Collectors.joining("; ")),
                    null);
        }
    }

    /** Returns the schema of structured results; null for none. */
    default @Nullable JsonObject schema() {
        return null;
    }

    /**
     * Returns the reply with an output.
     *
     * @throws BrokenOutputException if it does not fit the schema
     */
    ToolReply reply(O output) throws BrokenOutputException;

    /** Returns the form of the outputs of a type. */
    @SuppressWarnings("unchecked") // each is asked for outputs of its type alone
    static <O extends @Nullable Object> ToolOutput<O> of(TypeRef<O> ref) {
        Type type = ref.type();
        if (type == String.class) {
            return text -> new ToolReply.Text((String) given(text));
        }
        if (type == Void.class) {
            return nothing -> ToolReply.of(CallToolResult.of());
        }
        if (type == CallToolResult.class) {
            return (ToolOutput<O>) ofResult(null, Omissions.SHARED);
        }
        if (isContent(type)) {
            return content -> ToolReply.of(CallToolResult.of((Content) given(content)));
        }
        if (type instanceof ParameterizedType list
                && list.getRawType() == List.class
                && isContent(list.getActualTypeArguments()[0])) {
            return contents ->
                    ToolReply.of(
                            new CallToolResult(
                                    List.copyOf((List<? extends Content>) given(contents))));
        }
        return new Structured<>(JsonCodec.of(ref), JsonSchema.of(ref).json());
    }

    private static boolean isContent(Type type) {
        return type instanceof Class<?> plain && Content.class.isAssignableFrom(plain);
    }

    private static <T> T given(T output) {
        return Objects.requireNonNull(
                output,
                "the handler returned null: return a value, or declare the output Void.class for a"
                        + " tool that has none");
    }

    /**
     * Returns the form of results as the specification has them. A result that cannot be checked is
     * passed on: the check finds mistakes of the handler, and guards nothing.
     *
     * @param declared the schema of their structured content; null for none
     * @param log names each reason once for which a result is not checked
     */
    static ToolOutput<CallToolResult> ofResult(@Nullable JsonSchema declared, Omissions log) {
        return output -> {
            given(output);
            if (declared != null && !output.isError()) {
                JsonValue content = output.structuredContent();
                if (content == null) {
                    throw new BrokenOutputException("structuredContent is missing", null);
                }
                List<JsonViolation> violations = violations(declared, content, log);
                if (!violations.isEmpty()) {
                    throw new BrokenOutputException(violations);
                }
            }
            return ToolReply.of(output);
        };
    }

    private static List<JsonViolation> violations(
            JsonSchema declared, JsonValue content, Omissions log) {
        try {
            return declared.validateWithinLimits(content);
        } catch (JsonSchemaException e) {
            log.warnOnce("a result is not checked", String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    /** The form of outputs that become structured content. */
    record Structured<O extends @Nullable Object>(JsonCodec<O> codec, JsonObject schema)
            implements ToolOutput<O> {
        @Override
        public ToolReply reply(O output) throws BrokenOutputException {
            RawJson content = codec.write(given(output));
            try {
                codec.read(content); // the cheapest way to find a violation of the schema
            } catch (JsonBindingException e) {
                throw new BrokenOutputException(e.violations());
            }
            return new ToolReply.Structured(content);
        }
    }
}
