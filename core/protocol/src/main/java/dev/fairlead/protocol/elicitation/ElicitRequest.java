package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonDiscriminator;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.protocol.tasks.TaskMetadata;

import org.jspecify.annotations.Nullable;

/** Parameters of {@code elicitation/create}: a question to the person at the client. */
@JsonDiscriminator(value = "mode", absent = "form")
public sealed interface ElicitRequest extends TaskAugmentedRequest
        permits ElicitFormRequest, ElicitUrlRequest {
    /** Returns the text for the person. */
    String message();

    @Override
    ElicitRequest withTask(@Nullable TaskMetadata task);

    @Override
    ElicitRequest withMeta(@Nullable JsonObject meta);
}
