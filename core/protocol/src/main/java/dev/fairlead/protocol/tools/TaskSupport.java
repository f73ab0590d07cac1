package dev.fairlead.protocol.tools;

import dev.fairlead.json.JsonName;

/** States whether a tool may be called as a task. */
public enum TaskSupport {
    /** The tool cannot be called as a task; the default. */
    @JsonName("forbidden")
    FORBIDDEN,
    /** The tool may be called as a task. */
    @JsonName("optional")
    OPTIONAL,
    /** The tool must be called as a task. */
    @JsonName("required")
    REQUIRED
}
