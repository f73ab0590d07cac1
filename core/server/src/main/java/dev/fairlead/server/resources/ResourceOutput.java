package dev.fairlead.server.resources;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.ResourceContents;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The conversion of a handler's output to the contents of a resource: the output class decides.
 *
 * @param <O> the output class
 */
@FunctionalInterface
public interface ResourceOutput<O> {
    /** The type of JSON contents whose declaration names none. */
    String JSON = "application/json";

    ReadResourceResult contents(String uri, @Nullable String mimeType, O output);

    /**
     * The form of a type.
     *
     * @throws IllegalArgumentException if it has no JSON form
     */
    @SuppressWarnings("unchecked")
    static <O> ResourceOutput<O> of(TypeRef<O> type) {
        if (type.type() == String.class) {
            return (uri, mimeType, text) ->
                    ReadResourceResult.of(
                            ResourceContents.text(uri, mimeType, (String) given(text)));
        }
        if (type.type() == byte[].class) {
            return (uri, mimeType, bytes) ->
                    ReadResourceResult.of(
                            ResourceContents.blob(uri, mimeType, (byte[]) given(bytes)));
        }
        if (type.type() == ReadResourceResult.class) {
            return (uri, mimeType, result) -> (ReadResourceResult) given(result);
        }
        JsonCodec<O> codec = JsonCodec.of(type);
        return (uri, mimeType, value) ->
                ReadResourceResult.of(
                        ResourceContents.text(
                                uri,
                                mimeType == null ? JSON : mimeType,
                                codec.write(given(value)).toJson()));
    }

    /** Whether the contents of a type are JSON. */
    static boolean isJson(TypeRef<?> type) {
        return type.type() != String.class
                && type.type() != byte[].class
                && type.type() != ReadResourceResult.class;
    }

    private static <T> T given(T value) {
        return Objects.requireNonNull(
                value,
                "the handler returned null: return the contents, or throw a"
                        + " ResourceNotFoundException");
    }
}
