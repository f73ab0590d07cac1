package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.protocol.base.McpErrorCode;

import java.util.List;
import java.util.Objects;

/**
 * The {@code data} of the error {@link McpErrorCode#URL_ELICITATION_REQUIRED}.
 *
 * @param elicitations the pages to be visited first, at least one
 * @param otherMembers members that this library does not know; written back as they came
 */
public record ElicitationsRequired(
        List<ElicitUrlRequest> elicitations, @OtherMembers JsonObject otherMembers) {
    public ElicitationsRequired {
        elicitations = List.copyOf(elicitations);
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ElicitationsRequired(List<ElicitUrlRequest> elicitations) {
        this(elicitations, JsonObject.EMPTY);
    }
}
