package dev.fairlead.protocol.tools;

import dev.fairlead.json.JsonName;

/** Whether a tool may be called as a task. */
public enum TaskSupport {
    /** It may not; so it is where a tool says nothing. */
    @JsonName("forbidden")
    FORBIDDEN,
    /** It may. */
    @JsonName("optional")
    OPTIONAL,
    /** It must. */
    @JsonName("required")
    REQUIRED
}
