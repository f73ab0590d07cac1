package dev.fairlead.protocol.base;

import dev.fairlead.json.JsonName;

/** The author of a message. */
public enum Role {
    /** The person, or a program that writes for them. */
    @JsonName("user")
    USER,
    /** The model. */
    @JsonName("assistant")
    ASSISTANT
}
