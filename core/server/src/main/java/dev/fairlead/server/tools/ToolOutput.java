package dev.fairlead.server.tools;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * How what a handler gives becomes the result of a tool: the output class decides.
 *
 * @param <O> the output class
 */
public abstract sealed class ToolOutput<O extends @Nullable Object> {
    /** What a handler gave breaks the schema that its tool declares. */
    public static final class BrokenOutputException extends Exception {
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

    private static <T> T given(T output) {
        return Objects.requireNonNull(
                output,
                "the handler returned null: return a value, or declare the output Void.class for a"
                        + " tool that has none");
    }

    /** The schema of structured content; null where the output is none. */
    public @Nullable JsonObject schema() {
        return null;
    }

    /** Makes the result. */
    abstract ToolReply reply(O output) throws BrokenOutputException;

    public static <O extends @Nullable Object> ToolOutput<O> of(TypeRef<O> type) {
        @SuppressWarnings("unchecked")
        ToolOutput<O> output = (ToolOutput<O>) any(type);
        return output;
    }

    private static ToolOutput<?> any(TypeRef<?> ref) {
        Type type = ref.type();
        if (type == String.class) {
            return new OfText();
        }
        if (type == Void.class) {
            return new OfNothing();
        }
        if (type == CallToolResult.class) {
            return new OfResult(null);
        }
        if (type instanceof Class<?> plain && Content.class.isAssignableFrom(plain)) {
            return new OfContent();
        }
        if (type instanceof ParameterizedType list
                && list.getRawType() == List.class
                && list.getActualTypeArguments()[0] instanceof Class<?> element
                && Content.class.isAssignableFrom(element)) {
            return new OfContents();
        }
        return new OfValue<>(ref);
    }

    private static final class OfText extends ToolOutput<String> {
        @Override
        ToolReply reply(String output) {
            return new ToolReply.Text(given(output));
        }
    }

    private static final class OfNothing extends ToolOutput<@Nullable Void> {
        @Override
        ToolReply reply(@Nullable Void output) {
            return new ToolReply.Full(CallToolResult.of());
        }
    }

    private static final class OfContent extends ToolOutput<Content> {
        @Override
        ToolReply reply(Content output) {
            return new ToolReply.Full(CallToolResult.of(given(output)));
        }
    }

    private static final class OfContents extends ToolOutput<List<? extends Content>> {
        @Override
        ToolReply reply(List<? extends Content> output) {
            return new ToolReply.Full(new CallToolResult(List.copyOf(given(output))));
        }
    }

    /** A result of the author's own, checked against the schema that the tool declares, if any. */
    public static final class OfResult extends ToolOutput<CallToolResult> {
        private final @Nullable JsonSchema declared;

        public OfResult(@Nullable JsonSchema declared) {
            this.declared = declared;
        }

        @Override
        ToolReply reply(CallToolResult output) throws BrokenOutputException {
            given(output);
            if (declared != null && !output.isError()) {
                JsonValue content = output.structuredContent();
                if (content == null) {
                    throw new BrokenOutputException("structuredContent is missing", null);
                }
                List<JsonViolation> violations = declared.validate(content);
                if (!violations.isEmpty()) {
                    throw new BrokenOutputException(violations);
                }
            }
            return new ToolReply.Full(output);
        }
    }

    /** Anything else: structured content. */
    private static final class OfValue<O> extends ToolOutput<O> {
        private final JsonCodec<O> codec;
        private final JsonSchema schema;

        OfValue(TypeRef<O> type) {
            codec = JsonCodec.of(type);
            schema = JsonSchema.of(type);
        }

        @Override
        public JsonObject schema() {
            return schema.json();
        }

        @Override
        ToolReply reply(O output) throws BrokenOutputException {
            RawJson content = codec.write(given(output));
            try {
                codec.read(content); // the cheapest way to find what breaks the schema
            } catch (JsonBindingException e) {
                throw new BrokenOutputException(e.violations());
            }
            return new ToolReply.Structured(content);
        }
    }
}
