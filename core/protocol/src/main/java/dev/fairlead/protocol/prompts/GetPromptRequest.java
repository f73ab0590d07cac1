package dev.fairlead.protocol.prompts;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Parameters of {@code prompts/get}.
 *
 * @param name the prompt
 * @param arguments the values of the arguments; null for none. A value that is null is left out: it
 *     stands for an absent argument
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record GetPromptRequest(
        String name,
        @Nullable Map<String, @Nullable String> arguments,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public GetPromptRequest {
        Objects.requireNonNull(name, "name");
        if (arguments != null) {
            Map<String, @Nullable String> given = new LinkedHashMap<>(arguments);
            given.values().removeIf(Objects::isNull);
            arguments = Collections.unmodifiableMap(given);
        }
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public GetPromptRequest(String name) {
        this(name, null, null, JsonObject.EMPTY);
    }

    /** Returns the values of the arguments; empty for none. */
    @Override
    @SuppressWarnings("NullAway") // the constructor removes the values that are null
    public Map<String, String> arguments() {
        return arguments == null ? Map.of() : arguments;
    }

    /** Creates a request with these arguments. */
    @SuppressWarnings("NullAway") // values that are not null
    public GetPromptRequest(String name, Map<String, String> arguments) {
        this(name, arguments, null, JsonObject.EMPTY);
    }

    /** Returns a copy that gets this prompt. */
    public GetPromptRequest withName(String name) {
        return new GetPromptRequest(name, arguments, meta, otherMembers);
    }

    /** Returns a copy with this {@code arguments}; null removes it. */
    @SuppressWarnings("NullAway") // values that are not null
    public GetPromptRequest withArguments(@Nullable Map<String, String> arguments) {
        return new GetPromptRequest(name, arguments, meta, otherMembers);
    }

    @Override
    public GetPromptRequest withMeta(@Nullable JsonObject meta) {
        return new GetPromptRequest(name, arguments, meta, otherMembers);
    }
}
