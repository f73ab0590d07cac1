package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonName;

/** The action of a person on a question. */
public enum ElicitAction {
    /** Answered it, or agreed to visit the page. */
    @JsonName("accept")
    ACCEPT,
    /** Refused to. */
    @JsonName("decline")
    DECLINE,
    /** Went away without an answer. */
    @JsonName("cancel")
    CANCEL
}
