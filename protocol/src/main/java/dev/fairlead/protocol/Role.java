package dev.fairlead.protocol;

import dev.fairlead.json.JsonName;

/** Who speaks in a message. */
public enum Role {
    @JsonName("user")
    USER,
    @JsonName("assistant")
    ASSISTANT
}
