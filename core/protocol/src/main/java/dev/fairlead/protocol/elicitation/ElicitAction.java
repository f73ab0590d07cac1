package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonName;

/** The action of a person on a question. */
public enum ElicitAction {
    /** The person answered, or agreed to visit the page. */
    @JsonName("accept")
    ACCEPT,
    /** The person refused. */
    @JsonName("decline")
    DECLINE,
    /** The person left without an answer. */
    @JsonName("cancel")
    CANCEL
}
