package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Parameters of {@code notifications/progress}.
 *
 * @param progressToken the token that the request brought
 * @param progress rises with every report of the same request
 * @param total the value of {@code progress} at the end; null if unknown
 * @param message a text for people
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ProgressNotification(
        ProgressToken progressToken,
        double progress,
        @Nullable Double total,
        @Nullable String message,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements NotificationParams {
    public ProgressNotification {
        Objects.requireNonNull(progressToken, "progressToken");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ProgressNotification(ProgressToken progressToken, double progress) {
        this(progressToken, progress, null, null, null, JsonObject.EMPTY);
    }

    /** Returns a report for the request with this token. */
    public static ProgressNotification of(ProgressToken token, Progress progress) {
        return new ProgressNotification(token, progress.progress())
                .withTotal(progress.total())
                .withMessage(progress.message());
    }

    /** Returns the reported progress. */
    public Progress toProgress() {
        return new Progress(progress, total, message);
    }

    /** Returns a copy with this {@code total}; null removes it. */
    public ProgressNotification withTotal(@Nullable Double total) {
        return new ProgressNotification(
                progressToken, progress, total, message, meta, otherMembers);
    }

    /** Returns a copy with this {@code message}; null removes it. */
    public ProgressNotification withMessage(@Nullable String message) {
        return new ProgressNotification(
                progressToken, progress, total, message, meta, otherMembers);
    }

    @Override
    public ProgressNotification withMeta(@Nullable JsonObject meta) {
        return new ProgressNotification(
                progressToken, progress, total, message, meta, otherMembers);
    }
}
