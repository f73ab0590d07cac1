package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.RecordConstructor;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.util.Objects;

/**
 * The parameters of the requests and notifications that need none, such as {@code ping}.
 *
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record EmptyParams(
        @JsonName("_meta") @Nullable JsonObject meta, @OtherMembers JsonObject otherMembers)
        implements RequestParams, NotificationParams {
    static {
        RecordConstructor.register(
                MethodHandles.lookup(),
                values -> new EmptyParams((JsonObject) values[0], (JsonObject) values[1]));
    }

    public EmptyParams {
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an empty instance. */
    public EmptyParams() {
        this(null, JsonObject.EMPTY);
    }

    /** The empty instance. */
    public static final EmptyParams EMPTY = new EmptyParams();

    @Override
    public EmptyParams withMeta(@Nullable JsonObject meta) {
        return new EmptyParams(meta, otherMembers);
    }
}
