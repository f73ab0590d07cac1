package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonName;

/** Who speaks in a message. */
public enum Role {
    /** The person, or whoever speaks for them. */
    @JsonName("user")
    USER,
    /** The model. */
    @JsonName("assistant")
    ASSISTANT
}
