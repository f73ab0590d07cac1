package dev.fairlead.protocol.logging;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Otherwise;
import dev.fairlead.protocol.base.NotificationParams;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code notifications/message}.
 *
 * @param level how severe it is
 * @param data the message; any JSON
 * @param logger the name of the logger
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record LoggingMessageNotification(
        @Otherwise("warning") LoggingLevel level,
        JsonValue data,
        @Nullable String logger,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements NotificationParams {
    public LoggingMessageNotification {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public LoggingMessageNotification(LoggingLevel level, JsonValue data) {
        this(level, data, null, null, JsonObject.EMPTY);
    }

    /** Returns the message for people: the data if it is a text, else its JSON. */
    public String text() {
        return data instanceof JsonString string ? string.value() : data.toJson();
    }

    /** Returns a copy with this {@code logger}; null removes it. */
    public LoggingMessageNotification withLogger(@Nullable String logger) {
        return new LoggingMessageNotification(level, data, logger, meta, otherMembers);
    }

    @Override
    public LoggingMessageNotification withMeta(@Nullable JsonObject meta) {
        return new LoggingMessageNotification(level, data, logger, meta, otherMembers);
    }
}
