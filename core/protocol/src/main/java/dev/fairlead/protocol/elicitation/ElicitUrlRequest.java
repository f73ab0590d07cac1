package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.tasks.TaskMetadata;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A page to be visited.
 *
 * @param message the text for the person
 * @param url the page
 * @param elicitationId names this question for {@code notifications/elicitation/complete}; opaque
 *     to clients
 * @param task asks for a task; null for a plain call
 * @param meta additional metadata ({@code _meta}); null for none
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("url")
public record ElicitUrlRequest(
        String message,
        String url,
        String elicitationId,
        @Nullable TaskMetadata task,
        @JsonName("_meta") @Nullable JsonObject meta,
        @OtherMembers JsonObject otherMembers)
        implements ElicitRequest {
    public ElicitUrlRequest {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(elicitationId, "elicitationId");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ElicitUrlRequest(String message, String url, String elicitationId) {
        this(message, url, elicitationId, null, null, JsonObject.EMPTY);
    }

    @Override
    public ElicitUrlRequest withTask(@Nullable TaskMetadata task) {
        return new ElicitUrlRequest(message, url, elicitationId, task, meta, otherMembers);
    }

    /** Returns a copy with this {@code _meta}; null removes it. */
    public ElicitUrlRequest withMeta(@Nullable JsonObject meta) {
        return new ElicitUrlRequest(message, url, elicitationId, task, meta, otherMembers);
    }
}
