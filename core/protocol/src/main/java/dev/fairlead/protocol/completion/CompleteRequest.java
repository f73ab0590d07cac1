package dev.fairlead.protocol.completion;

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
 * Parameters of {@code completion/complete}.
 *
 * @param ref the prompt or resource template
 * @param argument the argument, with the text typed so far
 * @param context the arguments with values already
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record CompleteRequest(
        Reference ref,
        Argument argument,
        @Nullable Context context,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements RequestParams {
    public CompleteRequest {
        Objects.requireNonNull(ref, "ref");
        Objects.requireNonNull(argument, "argument");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public CompleteRequest(Reference ref, Argument argument) {
        this(ref, argument, null, null, JsonObject.EMPTY);
    }

    /**
     * The argument and the value typed so far.
     *
     * @param name the argument
     * @param value the text typed so far
     * @param otherMembers members that this library does not know; written back as they came
     */
    public record Argument(String name, String value, @OtherMembers JsonObject otherMembers) {
        public Argument {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(otherMembers, "otherMembers");
        }

        /** Creates an instance without the optional members. */
        public Argument(String name, String value) {
            this(name, value, JsonObject.EMPTY);
        }
    }

    /**
     * The arguments with values already.
     *
     * @param arguments values by argument; those that are null are left out
     * @param otherMembers members that this library does not know; written back as they came
     */
    public record Context(
            @Nullable Map<String, @Nullable String> arguments,
            @OtherMembers JsonObject otherMembers) {
        public Context {
            if (arguments != null) {
                Map<String, @Nullable String> given = new LinkedHashMap<>(arguments);
                given.values().removeIf(Objects::isNull);
                arguments = Collections.unmodifiableMap(given);
            }
            Objects.requireNonNull(otherMembers, "otherMembers");
        }

        /** Creates an empty instance. */
        public Context() {
            this(null, JsonObject.EMPTY);
        }

        /** Returns the values by argument; null for none. */
        @Override
        @SuppressWarnings("NullAway") // the constructor removes the values that are null
        public @Nullable Map<String, String> arguments() {
            return arguments;
        }

        /** Returns a copy with this {@code arguments}; null removes it. */
        @SuppressWarnings("NullAway") // values that are not null
        public Context withArguments(@Nullable Map<String, String> arguments) {
            return new Context(arguments, otherMembers);
        }
    }

    /** Returns the values of the arguments; empty for none. */
    public Map<String, String> filledIn() {
        return context == null || context.arguments() == null ? Map.of() : context.arguments();
    }

    /** Returns a copy about this prompt or template. */
    public CompleteRequest withRef(Reference ref) {
        return new CompleteRequest(ref, argument, context, meta, otherMembers);
    }

    /** Returns a copy with this {@code context}; null removes it. */
    public CompleteRequest withContext(@Nullable Context context) {
        return new CompleteRequest(ref, argument, context, meta, otherMembers);
    }

    @Override
    public CompleteRequest withMeta(@Nullable JsonObject meta) {
        return new CompleteRequest(ref, argument, context, meta, otherMembers);
    }
}
